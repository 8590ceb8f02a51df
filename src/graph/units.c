/* SPDX-License-Identifier: MIT */
#include "graph/units.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/simulated_costs.h"
#include "runtime/messages.h"
#include "runtime/task_data.h"
#include "graph/units_tiles.h"
#include "runtime/record.h"

/* Steps in flight: enough to hide the submission, few enough to bound memory. */
enum { STEPS_IN_FLIGHT = 4 };

static hg_status insert(const hg_unit_graph *g, const struct starpu_codelet *codelet, const hg_unit_tile *t,
                        const hg_task_data *d, double flops)
{
  const hg_units_kernel *k = g->kernel;
  const hg_session *s = g->base.session;
  const size_t size = sizeof(hg_stored_step) + k->parameter_bytes;
  hg_stored_step *step = malloc(size);
  if (!step) return hg_fail(HG_MEMORY, "no memory for a task");
  *step = (hg_stored_step){.tile = &t->info, .step = g->step};
  if (k->parameter_bytes) memcpy(step->parameters, k->parameters, k->parameter_bytes);
  int error =
      starpu_task_insert((struct starpu_codelet *)(uintptr_t)codelet, STARPU_DATA_MODE_ARRAY, d->list, d->count,
                         STARPU_CL_ARGS, step, size, STARPU_PRIORITY, t->on_rank_border ? 1 : 0, STARPU_FLOPS, flops,
                         STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE, hg_record_number(),
                         STARPU_TASK_WORKERIDS, hg_task_allowed_words(s, codelet, false), s->allowed, 0);
  return hg_task_status(error, codelet->name);
}

static hg_status submit_packs(hg_unit_graph *g, int now)
{
  for (int i = 0; i < g->tiles; i++) {
    hg_unit_tile *t = &g->tile[i];
    hg_task_data d = {.list = g->descr};
    if (t->outs == 0) continue;
    hg_task_add(&d, t->state[now], STARPU_R);
    hg_task_add(&d, t->index, STARPU_R);
    hg_task_add(&d, t->sends, STARPU_R);
    for (int j = 0; j < t->outs; j++) hg_task_add(&d, t->out[j].handle[now], STARPU_W);
    HG_TRY(insert(g, &g->kernel->pack, t, &d, 0));
  }
  return HG_OK;
}

/* Submits transfers, after the pack tasks. */
static void submit_transfers(hg_unit_graph *g, int now)
{
  const hg_session *s = g->base.session;
  hg_graph_before_exchange(&g->base);
  for (int i = 0; i < g->tiles; i++) {
    hg_unit_tile *t = &g->tile[i];
    const int64_t tiles = g->base.tiling->tiles;
    for (int j = 0; j < t->outs; j++)
      if (t->out[j].peer >= 0)
        hg_message_send(s, t->out[j].handle[now], t->out[j].peer, 2 * (t->out[j].to * tiles + t->id) + now);
    for (int j = 0; j < t->ins; j++)
      if (t->in[j].peer >= 0)
        hg_message_receive(s, t->in[j].handle[now], t->in[j].peer, 2 * (t->id * tiles + t->in[j].from) + now, NULL,
                           NULL);
  }
}

static hg_status submit_updates(hg_unit_graph *g, int now, bool measure)
{
  for (int i = 0; i < g->tiles; i++) {
    hg_unit_tile *t = &g->tile[i];
    hg_task_data d = {.list = g->descr};
    hg_task_add(&d, t->state[now], STARPU_RW);
    hg_task_add(&d, t->state[1 - now], STARPU_W);
    hg_task_add(&d, t->index, STARPU_R);
    for (int j = 0; j < t->ins; j++) hg_task_add(&d, t->in[j].handle[now], STARPU_R);
    HG_TRY(insert(g, &g->kernel->task, t, &d, g->kernel->flops * (double)t->info.own_count));
    if (!measure) continue;
    d.count = 0;
    hg_task_add(&d, t->state[now], STARPU_R);
    hg_task_add(&d, t->state[1 - now], STARPU_R);
    hg_task_add(&d, t->measured, STARPU_W);
    HG_TRY(insert(g, &g->kernel->measure, t, &d, 0));
  }
  return HG_OK;
}

static hg_status submit_step(hg_unit_graph *g, bool measure)
{
  const int now = (int)(g->step % 2);
  starpu_iteration_push((unsigned long)g->step);
  hg_status status = submit_packs(g, now);
  if (status == HG_OK && g->base.session->mpi) submit_transfers(g, now);
  if (status == HG_OK) status = submit_updates(g, now, measure);
  starpu_iteration_pop();
  g->step++;
  g->base.exchanged += g->bytes_per_step;
  starpu_task_wait_for_n_submitted((unsigned)(2 * STEPS_IN_FLIGHT * g->tiles));
  return status;
}

static hg_status advance(hg_graph *graph, int64_t steps, bool measure, hg_steps_report *report, void *arg)
{
  bool go_on = true;
  hg_overlap_tuner_pause(&graph->rounds);
  for (int64_t i = 0; i < steps && go_on; i++) {
    HG_TRY(submit_step((hg_unit_graph *)graph, measure && i == steps - 1));
    if (report) go_on = report(arg, i + 1);
  }
  return HG_OK;
}

static hg_status wait(hg_graph *g)
{
  hg_message_wait_all(g->session);
  return HG_OK;
}

/* Makes the tables of all tiles; those of the first `made` are to be freed. */
static hg_status make_indices(const hg_unit_graph *g, int64_t step, hg_unit_index *index, int *made)
{
  hg_status status = HG_OK;
  for (*made = 0; *made < g->tiles && status == HG_OK; ++*made)
    status = hg_unit_index_ask(g, &g->tile[*made], step, &index[*made]);
  if (status == HG_OK) status = hg_unit_indices_make(g, index);
  return hg_session_agree(g->base.session, status);
}

static hg_status apply(hg_unit_graph *g, hg_unit_index *index)
{
  double changed = 0;
  hg_status status = HG_OK;
  for (int i = 0; i < g->tiles; i++)
    if (!g->tile[i].index || !hg_unit_same_ghosts(&g->tile[i], &index[i])) changed = 1;
  hg_session_max(g->base.session, &changed);
  hg_message_wait_all(g->base.session);
  if (changed > 0) {
    g->base.connections.rebuilt++;
    HG_TRY(hg_unit_tell_owners(g, index));
  }
  for (int i = 0; i < g->tiles && status == HG_OK; i++) status = hg_unit_take_index(g, &g->tile[i], &index[i]);
  if (status == HG_OK && changed > 0) status = hg_unit_link(g);
  return hg_session_agree(g->base.session, status);
}

static hg_status connect(hg_graph *graph, int64_t step)
{
  hg_unit_graph *g = (hg_unit_graph *)graph;
  int made = 0;
  hg_unit_index *index = calloc((size_t)g->tiles + 1, sizeof *index);
  hg_status status =
      hg_session_agree(g->base.session, index ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d tiles", g->tiles));
  if (status == HG_OK) status = make_indices(g, step, index, &made);
  if (status == HG_OK) status = apply(g, index);
  for (int i = 0; i < made; i++) hg_unit_index_free(&index[i]);
  free(index);
  return status;
}

static hg_status load(hg_graph *graph, int64_t first, hg_fill *init, void *arg)
{
  hg_unit_graph *g = (hg_unit_graph *)graph;
  hg_status status = HG_OK;
  hg_message_wait_all(g->base.session);
  const int now = (int)(first % 2);
  g->step = first;
  for (int i = 0; i < g->tiles && status == HG_OK && !hg_simulated; i++) {
    hg_unit_tile *t = &g->tile[i];
    starpu_data_acquire(t->state[now], STARPU_W);
    memset(t->memory[now], 0, t->bytes);
    status = init(arg, &t->core, t->memory[now]);
    starpu_data_release(t->state[now]);
  }
  return hg_session_agree(g->base.session, status);
}

static hg_status move(hg_graph *old, hg_graph *new)
{
  hg_unit_graph *from = (hg_unit_graph *)old, *to = (hg_unit_graph *)new;
  hg_message_wait_all(from->base.session);
  to->step = from->step;
  new->exchanged = old->exchanged;
  new->connections = old->connections;
  return hg_unit_copy_values(from, to);
}

static void measured(hg_graph *graph, hg_quantity_sink *take, void *arg)
{
  hg_unit_graph *g = (hg_unit_graph *)graph;
  for (int i = 0; i < g->tiles; i++) {
    starpu_data_acquire(g->tile[i].measured, STARPU_R);
    take(arg, &g->tile[i].result);
    starpu_data_release(g->tile[i].measured);
  }
}

static hg_status visit(hg_graph *graph, hg_tile_sink *take, void *arg)
{
  const hg_unit_graph *g = (hg_unit_graph *)graph;
  hg_status status = HG_OK;
  for (int i = 0; i < g->tiles && status == HG_OK; i++) {
    starpu_data_handle_t state = g->tile[i].state[g->step % 2];
    starpu_data_acquire(state, STARPU_R);
    const void *values = (void *)starpu_vector_get_local_ptr(state);
    const hg_tile_view view =
        hg_tile_contiguous(g->tile[i].id, &g->tile[i].core, values, g->kernel->update->value_bytes);
    status = take(arg, &view);
    starpu_data_release(state);
  }
  return status;
}

static void use(hg_graph *graph, int64_t id, hg_value_user *user, void *arg)
{
  hg_unit_graph *g = (hg_unit_graph *)graph;
  hg_unit_tile *t = hg_unit_local(g, hg_unit_tile_of(g, id));
  starpu_data_handle_t state = t->state[g->step % 2];
  const int64_t bytes = g->kernel->update->value_bytes, p = hg_unit_position(g, t, id);
  const int64_t *offset = t->own_offset;
  starpu_data_acquire(state, STARPU_RW);
  user(arg, (char *)starpu_vector_get_local_ptr(state) + (offset ? offset[p] : p) * bytes,
       (size_t)((offset ? offset[p + 1] - offset[p] : 1) * bytes));
  starpu_data_release(state);
}

static void release_graph(hg_graph *graph)
{
  const hg_unit_graph *g = (hg_unit_graph *)graph;
  if (g->base.session->mpi) hg_message_wait_all(g->base.session);
  hg_unit_release((hg_unit_graph *)graph);
  free(graph);
}

static const hg_graph_operations operations = {.load = load,
                                               .move = move,
                                               .connect = connect,
                                               .advance = advance,
                                               .wait = wait,
                                               .measured = measured,
                                               .visit = visit,
                                               .use = use,
                                               .release = release_graph};

hg_status hg_units_make(const hg_session *session, const hg_tiling *tiling, const hg_units_kernel *kernel,
                        const hg_dependence *dependence, hg_graph **out)
{
  hg_unit_graph *g = calloc(1, sizeof *g);
  if (!g) return hg_fail(HG_MEMORY, "no memory");
  *g = (hg_unit_graph){
      .base = {&operations, session, tiling, kernel->times}, .kernel = kernel, .dependence = dependence};
  hg_status status = hg_session_agree(session, hg_unit_build(g));
  if (status != HG_OK)
    release_graph(&g->base);
  else
    *out = &g->base;
  return status;
}
