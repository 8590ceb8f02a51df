/* SPDX-License-Identifier: MIT */
#include "graph/stencil.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/simulated_costs.h"
#include "codelets/units/stencil_codelet.h"
#include "runtime/messages.h"
#include "runtime/record.h"
#include "graph/stencil_tiles.h"
#include "runtime/task_data.h"

/* Blocks in flight: enough to hide the submission, few enough to bound memory. */
enum { BLOCKS_IN_FLIGHT = 2 };

/* Pieces from and to other ranks are transferred before the block that reads them. */
static void submit_transfers(hg_stencil *st, int parity)
{
  const hg_session *s = st->base.session;
  hg_graph_before_exchange(&st->base);
  for (int i = 0; i < st->exchanges; i++) {
    hg_exchange *x = &st->exchange[i];
    if (x->peer < 0) continue;
    if (x->outgoing)
      hg_message_send(s, x->handle[parity], x->peer, 2 * x->tag + parity);
    else
      hg_message_receive(s, x->handle[parity], x->peer, 2 * x->tag + parity, NULL, NULL);
  }
}

hg_status hg_tile_submit(const hg_stencil *st, struct starpu_codelet *codelet, const hg_stencil_tile *t,
                         const hg_task_data *d, int steps, bool measure)
{
  const hg_stencil_kernel *k = st->kernel;
  const size_t size = sizeof(hg_tile_step) + k->parameter_bytes;
  const double flops = k->flops * hg_tile_core_count(&t->info) * steps;
  hg_tile_step *step = malloc(size);
  if (!step) return hg_fail(HG_MEMORY, "no memory for a task");
  *step = (hg_tile_step){.tile = &t->info, .first = st->steps, .steps = steps, .measure = measure};
  if (k->parameter_bytes) memcpy(step->parameters, k->parameters, k->parameter_bytes);
  const bool only_cpus = measure && !k->measure_cuda;
  /* -1: wherever the codelet can run */
  const unsigned long long where = only_cpus ? (unsigned long long)STARPU_CPU : ~0ull;
  const hg_session *s = st->base.session;
  int error =
      starpu_task_insert(codelet, STARPU_EXECUTE_WHERE, where, STARPU_DATA_MODE_ARRAY, d->list, d->count,
                         STARPU_CL_ARGS, step, size, STARPU_PRIORITY, t->on_rank_border ? 1 : 0, STARPU_FLOPS, flops,
                         STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE, hg_record_number(),
                         STARPU_TASK_WORKERIDS, hg_task_allowed_words(s, codelet, only_cpus), s->allowed, 0);
  return hg_task_status(error, codelet->name);
}

/* Buffers in the order that hg_stencil_cpu documents. */
static hg_status submit_tile(hg_stencil *st, hg_stencil_tile *t, int steps, bool measure)
{
  const int now = (int)(st->block % 2), next = 1 - now;
  hg_task_data d = {.list = st->descr};
  hg_task_add(&d, t->state[now], STARPU_RW);
  hg_task_add(&d, t->state[next], STARPU_W);
  if (st->kernel->has_source) hg_task_add(&d, t->source, STARPU_R);
  if (measure) hg_task_add(&d, t->measured, STARPU_W);
  for (int i = 0; i < t->info.in_count; i++) hg_task_add(&d, t->in[i]->handle[now], STARPU_R);
  for (int i = 0; i < t->info.out_count; i++) hg_task_add(&d, t->out[i]->handle[next], STARPU_W);
  HG_TRY(hg_tile_submit(st, st->kernel->task, t, &d, steps, measure));
  if (st->crowded) starpu_data_invalidate_submit(t->state[now]); /* no longer needed; avoids a write-back */
  if (t->far[now]) starpu_data_wont_use(t->state[next]);
  return HG_OK;
}

/* A GPU without room for all tiles alternates their order: the last ones of a block are still in its memory for the
 * next. */
static hg_status submit_block(hg_stencil *st, int steps, bool measure)
{
  const bool back = st->crowded && st->block % 2;
  if (st->base.session->mpi) submit_transfers(st, (int)(st->block % 2));
  starpu_iteration_push((unsigned long)st->block);
  for (int i = 0; i < st->tiles; i++) HG_TRY(submit_tile(st, &st->tile[back ? st->tiles - 1 - i : i], steps, measure));
  starpu_iteration_pop();
  st->block++;
  st->steps += steps;
  st->base.exchanged += st->bytes_per_block;
  return HG_OK;
}

/* Steps of the next block: blocks are equal, but the last step is alone if its change is wanted. */
static int block_length(int64_t left, int depth, bool measure)
{
  if (measure && left > 1) left--;
  int64_t blocks = (left + depth - 1) / depth;
  return (int)((left + blocks - 1) / blocks);
}

static hg_status advance(hg_graph *g, int64_t steps, bool measure, hg_steps_report *report, void *arg)
{
  hg_stencil *st = (hg_stencil *)g;
  bool go_on = true;
  hg_overlap_tuner_pause(&st->base.rounds);
  for (int64_t done = 0; done < steps && go_on;) {
    int length = block_length(steps - done, st->base.tiling->depth, measure);
    HG_TRY(submit_block(st, length, measure && done + length == steps));
    done += length;
    starpu_task_wait_for_n_submitted((unsigned)(BLOCKS_IN_FLIGHT * st->tiles));
    if (report) go_on = report(arg, done);
  }
  return HG_OK;
}

static hg_status wait(hg_graph *g)
{
  hg_stencil *st = (hg_stencil *)g;
  hg_message_wait_all(st->base.session);
  return hg_session_agree(g->session, hg_failure_take(&st->failure));
}

static void measured(hg_graph *g, hg_quantity_sink *take, void *arg)
{
  hg_stencil *st = (hg_stencil *)g;
  for (int i = 0; i < st->tiles; i++) {
    starpu_data_acquire(st->tile[i].measured, STARPU_R);
    take(arg, st->tile[i].result);
    starpu_data_release(st->tile[i].measured);
  }
}

/* Fills the pieces that the next block reads from states that no task has written. This also moves tiles to GPUs, even
 * those without a piece to read: otherwise the first step would include their transfer. */
static hg_status submit_pieces(hg_stencil *st)
{
  const int now = (int)(st->block % 2);
  const bool travel = st->base.session->cuda_workers > 0 && !hg_simulated;
  for (int i = 0; i < st->tiles; i++) {
    hg_stencil_tile *t = &st->tile[i];
    hg_task_data d = {.list = st->descr};
    if (t->info.out_count == 0 && !travel) continue;
    hg_task_add(&d, t->state[now], STARPU_R);
    for (int j = 0; j < t->info.out_count; j++) hg_task_add(&d, t->out[j]->handle[now], STARPU_W);
    HG_TRY(hg_tile_submit(st, st->kernel->pack, t, &d, 0, false));
  }
  hg_message_wait_all(st->base.session);
  return HG_OK;
}

static hg_status load(hg_graph *g, int64_t first, hg_fill *init, void *arg)
{
  hg_stencil *st = (hg_stencil *)g;
  hg_status status = HG_OK;
  hg_message_wait_all(st->base.session);
  st->block = 0;
  st->steps = first;
  hg_session_pause(st->base.session);
  status = hg_stencil_open_states(st);
  for (int i = 0; i < st->tiles && status == HG_OK; i++) status = hg_tile_load(st, &st->tile[i], init, arg);
  hg_session_resume(st->base.session);
  HG_TRY(hg_session_agree(st->base.session, status));
  return submit_pieces(st);
}

static hg_status move(hg_graph *old, hg_graph *new)
{
  hg_stencil *from = (hg_stencil *)old, *to = (hg_stencil *)new;
  hg_message_wait_all(from->base.session);
  to->block = 0;
  to->steps = from->steps;
  to->base.exchanged = from->base.exchanged;
  memcpy(to->base.times, from->base.times, (size_t)old->session->workers * sizeof *to->base.times);
  HG_TRY(hg_stencil_take_states(from, to));
  return submit_pieces(to);
}

static hg_status visit(hg_graph *g, hg_tile_sink *take, void *arg)
{
  hg_stencil *st = (hg_stencil *)g;
  hg_status status = HG_OK;
  for (int i = 0; i < st->tiles && status == HG_OK; i++) {
    const hg_stencil_tile *t = &st->tile[i];
    starpu_data_handle_t state = t->state[st->block % 2];
    starpu_data_acquire(state, STARPU_R);
    const hg_tile_view view = hg_tile_view_of(st, t, starpu_vector_get_local_ptr(state));
    status = take(arg, &view);
    starpu_data_release(state);
  }
  return status;
}

static hg_status changes(hg_graph *g, hg_change_sink *take, void *arg)
{
  hg_stencil *st = (hg_stencil *)g;
  const int now = (int)(st->block % 2);
  hg_status status = HG_OK;
  for (int i = 0; i < st->tiles && status == HG_OK; i++)
    status = hg_tile_lend_both(st, &st->tile[i], st->tile[i].state[1 - now], st->tile[i].state[now], take, arg);
  return status;
}

static double sent(const hg_graph *g, int peer)
{
  const hg_stencil *st = (const hg_stencil *)g;
  double bytes = 0;
  for (int i = 0; i < st->exchanges; i++) {
    const hg_exchange *x = &st->exchange[i];
    if (x->outgoing && x->peer == peer) bytes += (double)(hg_box_cells(&x->piece.box) * st->kernel->value_bytes);
  }
  return bytes * (double)st->block;
}

static void use(hg_graph *g, int64_t id, hg_value_user *user, void *arg)
{
  const hg_stencil *st = (hg_stencil *)g;
  const int64_t *n = g->tiling->domain.n, at[3] = {id % n[0], id / n[0] % n[1], id / n[0] / n[1]};
  const hg_stencil_tile *t = hg_local_tile(st, hg_tile_at(st->base.tiling, at));
  starpu_data_handle_t state = t->state[st->block % 2];
  int64_t cell = 0;
  for (int a = 0; a < 3; a++) cell += (at[a] - t->padded.lo[a]) * t->info.shape.stride[a];
  starpu_data_acquire(state, STARPU_RW);
  user(arg, (char *)starpu_vector_get_local_ptr(state) + cell * st->kernel->value_bytes,
       (size_t)st->kernel->value_bytes);
  starpu_data_release(state);
}

static hg_status changed(hg_graph *g)
{
  return submit_pieces((hg_stencil *)g);
}

static void release_graph(hg_graph *g)
{
  hg_stencil_release((hg_stencil *)g);
  free(g);
}

static const hg_graph_operations operations = {.load = load,
                                               .move = move,
                                               .advance = advance,
                                               .wait = wait,
                                               .measured = measured,
                                               .visit = visit,
                                               .changes = changes,
                                               .use = use,
                                               .changed = changed,
                                               .sent = sent,
                                               .release = release_graph};

hg_status hg_stencil_make(const hg_session *session, const hg_tiling *tiling, const hg_stencil_kernel *kernel,
                          hg_fill *source, void *arg, hg_graph **out)
{
  hg_stencil *st = calloc(1, sizeof *st);
  if (!st) return hg_fail(HG_MEMORY, "no memory");
  *st = (hg_stencil){.base = {&operations, session, tiling}, .kernel = kernel, .failure = HG_NO_FAILURE};
  hg_status status = hg_session_agree(session, hg_stencil_build(st, source, arg));
  if (status != HG_OK)
    release_graph(&st->base);
  else
    *out = &st->base;
  return status;
}
