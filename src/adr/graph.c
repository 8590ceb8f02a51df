/* SPDX-License-Identifier: MIT */
#include "adr/graph.h"

#include <starpu.h>
#include <stdlib.h>

#include "adr/async.h"
#include "adr/global.h"
#include "adr/move.h"
#include "adr/tasks.h"
#include "adr/tiles.h"
#include "base/memory.h"
#include "codelets/simulated_costs.h"
#include "runtime/messages.h"

/* --- tasks --- */

static hg_status submit_sweep(hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task, int64_t sweep)
{
  HG_TRY(hg_adr_submit_residual(g, t, task, t->state[HG_ADR_STATE], t->norm[sweep % 2]));
  return hg_adr_submit_solve(g, t, task);
}

/* Margins are valid when a step begins. */
static hg_status submit(hg_adr_graph *g, hg_adr_task *task, int64_t sweep)
{
  task->fresh = sweep == 0 || !g->settings->once;
  task->idle = sweep >= HG_ADR_SWEEPS_ASSUMED;
  if (sweep > 0) HG_TRY(hg_adr_exchange_faces(g, task));
  for (int i = 0; i < g->tiles; i++) HG_TRY(submit_sweep(g, &g->tile[i], task, sweep));
  return HG_OK;
}

/* --- a step --- */

static hg_status sweep_together(hg_adr_graph *g, hg_adr_task *task, int64_t number)
{
  double first = 0, failed;
  hg_overlap_tuner_pause(&g->base.rounds);
  HG_TRY(submit(g, task, 0));
  for (int64_t sweep = 0;; sweep++) {
    HG_TRY(submit(g, task, sweep + 1));
    const double residual = hg_adr_look(g, sweep, &failed);
    if (sweep == 0) first = residual;
    HG_TRY(hg_adr_check_sweep(g->settings, number, sweep, residual, first, failed));
    if (residual > g->settings->tolerance) continue;
    hg_adr_count(&g->stats, sweep, sweep);
    g->stats.residual = residual;
    return HG_OK;
  }
}

static hg_status sweeps(hg_adr_graph *g, int64_t number)
{
  hg_adr_task task = {.step = hg_adr_step_make(g->problem, g->settings, number),
                      .first = number == 1,
                      .bdf2 = hg_adr_is_bdf2(g->settings, number)};
  bool done = false;
  for (int i = 0; i < g->tiles; i++) HG_TRY(hg_adr_submit_begin(g, &g->tile[i], &task));
  if (g->async) HG_TRY(hg_adr_async_step(g->async, &task, &done));
  if (done) return HG_OK;
  return g->settings->global ? hg_adr_global_step(g, &task, number) : sweep_together(g, &task, number);
}

hg_status hg_adr_graph_step(hg_adr_graph *g)
{
  starpu_iteration_push((unsigned long)g->done);
  const hg_status status = sweeps(g, g->done + 1);
  starpu_iteration_pop();
  if (status == HG_OK) g->done++;
  if (status != HG_OK) hg_adr_graph_wait(g);
  return status;
}

void hg_adr_graph_wait(hg_adr_graph *g)
{
  hg_message_wait_all(g->base.session);
}

hg_adr_stats hg_adr_graph_stats(hg_adr_graph *g)
{
  hg_adr_stats t = g->stats;
  t.iterations += hg_adr_most_iterations(g);
  double largest[5] = {t.iterations, (double)t.sweeps, -(double)t.fewest, (double)t.most, (double)t.staleness};
  for (int i = 0; i < 5; i++) hg_session_max(g->base.session, &largest[i]);
  t.iterations = largest[0];
  t.sweeps = (int64_t)largest[1];
  t.fewest = (int64_t)-largest[2];
  t.most = (int64_t)largest[3];
  t.staleness = (int64_t)largest[4];
  return t;
}

/* --- values --- */

/* Finds the values of a node, given any of its images. */
static void node(const hg_adr_graph *g, const int64_t at[3], const double *record, double value[HG_ADR_RECORD])
{
  int64_t home[3];
  const int64_t *n = g->problem->n;
  for (int a = 0; a < 3; a++) home[a] = (at[a] + 2 * n[a]) % n[a];
  for (int i = 0; i < HG_ADR_RECORD; i++)
    value[i] = record ? record[((home[2] * n[1] + home[1]) * n[0] + home[0]) * HG_ADR_RECORD + i]
                      : hg_adr_initial(g->problem, i % 2, home);
}

static void fill_box(const hg_adr_graph *g, hg_adr_tile *t, const hg_box *box, const double *record)
{
  const hg_halo_piece_cells c = hg_adr_cells(&t->info.block, &t->place, box);
  const int64_t field = t->info.block.field;
  double value[HG_ADR_RECORD];
  for (int64_t z = 0; z < c.n[2]; z++)
    for (int64_t y = 0; y < c.n[1]; y++)
      for (int64_t x = 0; x < c.n[0]; x++) {
        const int64_t at[3] = {box->lo[0] + x, box->lo[1] + y, box->lo[2] + z};
        const int64_t i = c.first + z * c.stride[2] + y * c.stride[1] + x;
        node(g, at, record, value);
        for (int s = 0; s < 2; s++) {
          t->memory[HG_ADR_STATE][i + s * field] = value[s];
          t->memory[HG_ADR_BEFORE][i + s * field] = value[2 + s];
        }
      }
}

/* Values beyond fixed sides do not change. */
static void fill(const hg_adr_graph *g, hg_adr_tile *t, const double *record)
{
  for (int i = 0; i < HG_ADR_STATES; i++) starpu_data_acquire(t->state[i], STARPU_W);
  for (int i = 0; i < HG_ADR_STATES; i++) hg_adr_fill_outside(g, t, i);
  fill_box(g, t, &t->place.core, record);
  for (int i = 0; i < t->info.in_count; i++) fill_box(g, t, &t->in[i]->piece.box, record);
  for (int i = 0; i < HG_ADR_STATES; i++) starpu_data_release(t->state[i]);
  starpu_data_acquire(t->outcome, STARPU_W);
  t->stats[0] = (hg_adr_outcome){.scale = {1, 1}};
  starpu_data_release(t->outcome);
}

hg_status hg_adr_graph_load(hg_adr_graph *g, int64_t done, const double *record)
{
  hg_adr_graph_wait(g);
  g->done = done;
  g->stats = (hg_adr_stats){0};
  if (g->async) hg_adr_async_forget(g->async);
  hg_session_pause(g->base.session);
  for (int i = 0; i < g->tiles && !hg_simulated; i++) fill(g, &g->tile[i], record);
  hg_session_resume(g->base.session);
  hg_graph_reset_times(&g->base);
  hg_session_barrier(g->base.session);
  return HG_OK;
}

static void take_records(const hg_adr_tile *t, double *record)
{
  const hg_halo_piece_cells c = hg_adr_cells(&t->info.block, &t->place, &t->place.core);
  const int64_t field = t->info.block.field;
  for (int64_t z = 0; z < c.n[2]; z++)
    for (int64_t y = 0; y < c.n[1]; y++)
      for (int64_t x = 0; x < c.n[0]; x++, record += HG_ADR_RECORD) {
        const int64_t i = c.first + z * c.stride[2] + y * c.stride[1] + x;
        for (int s = 0; s < 2; s++) {
          record[s] = t->memory[HG_ADR_STATE][i + s * field];
          record[2 + s] = t->memory[HG_ADR_BEFORE][i + s * field];
        }
      }
}

static hg_status visit(hg_graph *graph, hg_tile_sink *take, void *arg)
{
  hg_adr_graph *g = (hg_adr_graph *)graph;
  hg_status status = HG_OK;
  for (int i = 0; i < g->tiles && status == HG_OK; i++) {
    hg_adr_tile *t = &g->tile[i];
    double *record;
    HG_TRY(hg_allocate("the values of a block", (size_t)hg_box_cells(&t->place.core) * HG_ADR_RECORD * sizeof *record,
                       (void **)&record));
    starpu_data_acquire(t->state[HG_ADR_STATE], STARPU_R);
    starpu_data_acquire(t->state[HG_ADR_BEFORE], STARPU_R);
    take_records(t, record);
    starpu_data_release(t->state[HG_ADR_BEFORE]);
    starpu_data_release(t->state[HG_ADR_STATE]);
    const hg_tile_view view =
        hg_tile_contiguous(t->id, &t->place.core, record, HG_ADR_RECORD * (int64_t)sizeof *record);
    status = take(arg, &view);
    free(record);
  }
  return status;
}

/* --- making one --- */

static double sent(const hg_graph *graph, int peer)
{
  const hg_adr_graph *g = (const hg_adr_graph *)graph;
  double bytes = 0;
  for (int i = 0; i < g->exchanges; i++)
    if (g->exchange[i].outgoing && g->exchange[i].peer == peer)
      bytes += 2 * sizeof(double) * (double)hg_box_cells(&g->exchange[i].piece.box);
  return bytes * (double)g->exchanged;
}

static void ages(const hg_graph *graph, hg_block_ages *block)
{
  const hg_adr_graph *g = (const hg_adr_graph *)graph;
  if (g->async) hg_adr_async_ages(g->async, block);
}

static void release(hg_graph *graph)
{
  hg_adr_async_free(((hg_adr_graph *)graph)->async);
  hg_adr_tiles_release((hg_adr_graph *)graph);
  free(graph);
}

/* The policy forgets tiles when `from` is freed: by then no task of `to` may be submitted. */
static hg_status move(hg_graph *from, hg_graph *to)
{
  hg_adr_graph_wait((hg_adr_graph *)from);
  HG_TRY(hg_adr_move((hg_adr_graph *)from, (hg_adr_graph *)to));
  hg_adr_graph_wait((hg_adr_graph *)to);
  return HG_OK;
}

static const hg_graph_operations operations = {
    .move = move, .visit = visit, .sent = sent, .ages = ages, .release = release};

hg_status hg_adr_graph_make(const hg_session *session, const hg_tiling *tiling, const hg_adr_problem *problem,
                            const hg_adr_settings *settings, const hg_adr_kernel *kernel, hg_adr_graph **out)
{
  hg_adr_graph *g = calloc(1, sizeof *g);
  if (!g) return hg_fail(HG_MEMORY, "no memory");
  *g = (hg_adr_graph){
      .base = {&operations, session, tiling}, .problem = problem, .settings = settings, .kernel = kernel};
  hg_status status = hg_session_agree(session, hg_adr_tiles_make(g));
  if (status == HG_OK && settings->async) status = hg_adr_async_make(g, &g->async);
  if (status != HG_OK)
    release(&g->base);
  else
    *out = g;
  return status;
}

bool hg_adr_runs_on_cuda(void)
{
  return hg_adr_solve_codelet.cuda_funcs[0] != NULL;
}

hg_graph *hg_adr_graph_base(hg_adr_graph *g)
{
  return &g->base;
}

hg_adr_graph *hg_adr_graph_of(hg_graph *base)
{
  return (hg_adr_graph *)base;
}
