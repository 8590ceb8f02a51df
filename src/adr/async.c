/* SPDX-License-Identifier: MIT */
#include "adr/async.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "adr/certified.h"
#include "adr/tasks.h"
#include "base/log.h"
#include "async/blocks.h"
#include "schedulers/hetgrid_sched.h"

/* Residuals above this only grow. */
static const double HOPELESS = 1e8;

/* What a block has in addition: its frozen state. */
typedef struct frozen {
  double *memory;
  starpu_data_handle_t state;
} frozen;

struct hg_adr_async {
  hg_adr_graph *g;
  hg_async *blocks;
  frozen *frozen;
  hg_adr_certified *certified; /* NULL: steps are forced */
  hg_adr_task task;            /* of the current step */
  bool warned, warned_uncertain;
};

/* --- tasks --- */

static hg_status submit_copy(hg_adr_async *a, int number, starpu_data_handle_t state, int vector, bool pack)
{
  const hg_async_block *b = hg_async_block_at(a->blocks, number);
  const hg_async_port *port = pack ? b->out : b->in;
  const int count = pack ? b->out_count : b->in_count;
  hg_task_data d = {.list = a->g->descr};
  if (count == 0) return HG_OK;
  hg_task_add(&d, state, STARPU_RW);
  for (int i = 0; i < count; i++) hg_task_add(&d, port[i].handle[vector], pack ? STARPU_W : STARPU_R);
  return hg_adr_submit(a->g, &a->g->tile[number], pack ? &hg_adr_pack_codelet : &hg_adr_unpack_codelet, &d, &a->task,
                       0);
}

static hg_status sweep(void *self, int number, bool *measured)
{
  hg_adr_async *a = self;
  const hg_adr_tile *t = &a->g->tile[number];
  const bool first = hg_async_block_at(a->blocks, number)->submitted == 1;
  *measured = true;
  a->task.fresh = first || !a->g->settings->once;
  HG_TRY(submit_copy(a, number, t->state[HG_ADR_STATE], HG_RUNNING, false));
  HG_TRY(hg_adr_submit_residual(a->g, t, &a->task, t->state[HG_ADR_STATE], t->norm[HG_RUNNING]));
  HG_TRY(hg_adr_submit_solve(a->g, t, &a->task));
  return submit_copy(a, number, t->state[HG_ADR_STATE], HG_RUNNING, true);
}

static hg_status copy_state(starpu_data_handle_t to, starpu_data_handle_t from)
{
  if (starpu_data_cpy(to, from, 1, NULL, NULL) == 0) return HG_OK;
  return hg_fail(HG_NO_WORKER, "no worker can copy a state");
}

static hg_status freeze(void *self, int number)
{
  hg_adr_async *a = self;
  HG_TRY(copy_state(a->frozen[number].state, a->g->tile[number].state[HG_ADR_STATE]));
  return submit_copy(a, number, a->frozen[number].state, HG_FROZEN, true);
}

/* Measures between two sweeps, in their memory; the point blocks that sweeps keep there are preserved. */
static hg_status measure(void *self, int number)
{
  hg_adr_async *a = self;
  const hg_adr_tile *t = &a->g->tile[number];
  a->task.fresh = !a->g->settings->once;
  HG_TRY(submit_copy(a, number, a->frozen[number].state, HG_FROZEN, false));
  return hg_adr_submit_residual(a->g, t, &a->task, a->frozen[number].state, t->norm[HG_FROZEN]);
}

static double residual(const void *result)
{
  const hg_adr_outcome *outcome = result;
  return outcome->failed > 0 ? INFINITY : outcome->residual;
}

static const hg_async_work work = {
    .sweep = sweep, .freeze = freeze, .measure = measure, .residual = residual, .still = true};

/* --- a step --- */

/* Sets the margins that blocks begin with. */
static void preset(hg_adr_async *a, int number)
{
  const hg_adr_tile *t = &a->g->tile[number];
  const hg_async_block *b = hg_async_block_at(a->blocks, number);
  starpu_data_acquire(t->state[HG_ADR_STATE], STARPU_R);
  for (int i = 0; i < b->in_count; i++) {
    const hg_halo_piece_cells *c = &t->in_cells[i];
    double *values = hg_link_preset(b->in[i].link);
    for (int s = 0; s < 2; s++)
      hg_halo_piece_pack(c, sizeof *values, t->memory[HG_ADR_STATE] + s * t->info.block.field,
                         values + s * c->n[0] * c->n[1] * c->n[2]);
  }
  starpu_data_release(t->state[HG_ADR_STATE]);
}

/* Adds up this rank's counts of the step: nothing is collective within a step except its end. */
static void count(hg_adr_async *a, const hg_async_end *end)
{
  hg_adr_stats *stats = &a->g->stats;
  int64_t fewest = INT64_MAX, most = 0;
  for (int i = 0; i < a->g->tiles; i++) {
    const hg_async_stats *t = &hg_async_block_at(a->blocks, i)->stats;
    if (t->sweeps < fewest) fewest = t->sweeps;
    if (t->sweeps > most) most = t->sweeps;
    if (t->staleness > stats->staleness) stats->staleness = t->staleness;
    a->g->base.exchanged += (double)t->sweeps * hg_adr_tile_bytes(&a->g->tile[i]);
  }
  if (most > 0) hg_adr_count(stats, fewest, most);
  stats->snapshots += end->rounds;
}

static void warn_uncertain(hg_adr_async *a, double ratio)
{
  hg_adr_graph *g = a->g;
  g->stats.fallbacks++;
  g->stats.uncertain++;
  if (!a->warned_uncertain && g->base.session->rank == 0)
    hg_log(HG_WARN,
           "step %" PRId64 ": asynchronous sweeps are not certain to converge (the Jacobian's weighted row ratio is "
           "%.3g, must be < 1); such steps are made synchronously; use more --steps, or --force-async",
           g->done + 1, ratio);
  a->warned_uncertain = true;
}

static void warn_reached(hg_adr_async *a, double reached)
{
  hg_adr_graph *g = a->g;
  g->stats.fallbacks++;
  if (!a->warned && g->base.session->rank == 0)
    hg_log(HG_WARN,
           "step %" PRId64 ": asynchronous sweeps reached a residual of %.3g, must be <= %g (--tolerance); such "
           "steps are made synchronously",
           g->done + 1, reached, g->settings->tolerance);
  a->warned = true;
}

/* Resets the values to those before the step, which is then repeated synchronously. Ranks find the reason together,
 * since a rank whose rows are not certain to converge lets its blocks give up at once. @param ratio  of this rank's
 * rows, 0: forced */
static hg_status fall_back(hg_adr_async *a, double reached, double ratio)
{
  hg_adr_graph *g = a->g;
  hg_session_max(g->base.session, &ratio);
  if (ratio < 1) warn_reached(a, reached);
  if (!(ratio < 1)) warn_uncertain(a, ratio);
  if (!(ratio < 1)) hg_adr_certified_forget(a->certified);
  for (int i = 0; i < g->tiles; i++) {
    hg_adr_tile *t = &g->tile[i];
    HG_TRY(copy_state(t->state[HG_ADR_STATE], t->state[HG_ADR_BEFORE]));
    starpu_data_acquire(t->outcome, STARPU_RW);
    t->stats[0].failed = 0;
    starpu_data_release(t->outcome);
  }
  return HG_OK;
}

/* @param ratio  of this rank's rows; if they are not certain to converge, its blocks give up before their first sweep,
 * which ends the step on all ranks */
static hg_status run(hg_adr_async *a, const hg_adr_task *task, double ratio, bool *done)
{
  const hg_adr_settings *s = a->g->settings;
  const hg_async_options options = {.detection = s->detection,
                                    .tolerance = s->tolerance,
                                    .hopeless = HOPELESS,
                                    .sweeps = ratio < 1 ? s->sweeps : 0,
                                    .eager = s->eager};
  hg_async_end end;
  a->task = *task;
  a->task.step.tolerance = hg_detection_criterion(s->detection, s->tolerance);
  hg_async_begin(a->blocks);
  for (int i = 0; i < a->g->tiles; i++) preset(a, i);
  hg_async_run(a->blocks, &options, &end);
  count(a, &end);
  *done = end.residual <= s->tolerance;
  if (!*done) return fall_back(a, end.residual, ratio);
  a->g->stats.residual = end.residual;
  for (int i = 0; i < a->g->tiles && !end.settled; i++)
    HG_TRY(copy_state(a->g->tile[i].state[HG_ADR_STATE], a->frozen[i].state));
  return HG_OK;
}

hg_status hg_adr_async_step(hg_adr_async *a, const hg_adr_task *task, bool *done)
{
  double ratio = 0;
  *done = false;
  if (a->certified) HG_TRY(hg_adr_certified_look(a->certified, &task->step, &ratio));
  if (!a->certified || hg_adr_certified_known(a->certified)) return run(a, task, ratio, done);
  warn_uncertain(a, ratio);
  return HG_OK;
}

/* --- making one --- */

static hg_status add_block(hg_adr_async *a, int number)
{
  hg_adr_tile *t = &a->g->tile[number];
  hg_async_block *b = hg_async_block_at(a->blocks, number);
  frozen *f = &a->frozen[number];
  HG_TRY(hg_pinned_allocate("a snapshot", t->state_bytes, (void **)&f->memory));
  starpu_vector_data_register(&f->state, STARPU_MAIN_RAM, (uintptr_t)f->memory,
                              (uint32_t)(t->state_bytes / sizeof(double)), sizeof(double));
  starpu_data_set_name(f->state, "frozen");
  b->worker = hg_graph_worker(&a->g->base, t->id);
  hg_sched_set_owner(f->state, b->worker);
  for (int v = 0; v < HG_VECTORS; v++) b->result[v] = t->norm[v];
  return HG_OK;
}

/* Connects links in the order in which blocks list their pieces. */
static hg_status connect(hg_adr_async *a)
{
  const hg_adr_graph *g = a->g;
  a->frozen = calloc((size_t)g->tiles + 1, sizeof *a->frozen);
  if (!a->frozen) return hg_fail(HG_MEMORY, "no memory for %d blocks", g->tiles);
  for (int i = 0; i < g->tiles; i++) HG_TRY(add_block(a, i));
  for (int i = 0; i < g->exchanges; i++) {
    const hg_adr_exchange *x = &g->exchange[i];
    const hg_adr_tile *to = x->outgoing ? NULL : hg_adr_local(g, x->piece.to);
    const hg_adr_tile *from = x->outgoing || x->peer < 0 ? hg_adr_local(g, x->piece.from) : NULL;
    HG_TRY(hg_async_connect(a->blocks, from ? (int)(from - g->tile) : -1, to ? (int)(to - g->tile) : -1,
                            (hg_async_ends){x->piece.from, x->piece.to}, x->peer, x->tag,
                            2 * sizeof(double) * (size_t)hg_box_cells(&x->piece.box)));
  }
  return HG_OK;
}

hg_status hg_adr_async_make(hg_adr_graph *g, hg_adr_async **out)
{
  hg_adr_async *a = calloc(1, sizeof *a);
  const hg_status room = a ? HG_OK : hg_fail(HG_MEMORY, "no memory");
  HG_TRY(hg_session_agree(g->base.session, room));
  a->g = g;
  *out = a;
  HG_TRY(hg_async_make(g->base.session, g->tiles, &work, a, &a->blocks));
  hg_status status = connect(a);
  if (status == HG_OK && !g->settings->forced) status = hg_adr_certified_make(g, &a->certified);
  HG_TRY(hg_session_agree(g->base.session, status));
  return hg_async_open(a->blocks);
}

void hg_adr_async_forget(hg_adr_async *a)
{
  hg_async_forget(a->blocks);
}

void hg_adr_async_ages(const hg_adr_async *a, hg_block_ages *block)
{
  for (int i = 0; i < a->g->tiles; i++) block[a->g->tile[i].id] = hg_async_block_at(a->blocks, i)->ages;
}

void hg_adr_async_free(hg_adr_async *a)
{
  if (!a) return;
  for (int i = 0; a->frozen && i < a->g->tiles; i++) {
    if (a->frozen[i].state) starpu_data_unregister_no_coherency(a->frozen[i].state);
    hg_pinned_free(a->frozen[i].memory, a->g->tile[i].state_bytes);
  }
  hg_async_free(a->blocks);
  hg_adr_certified_free(a->certified);
  free(a->frozen);
  free(a);
}
