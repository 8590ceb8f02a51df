/* SPDX-License-Identifier: MIT */
#include "async/relax.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "codelets/units/units_codelet.h"
#include "async/blocks.h"
#include "graph/stencil_tiles.h"
#include "schedulers/hetgrid_sched.h"

enum { FROZEN, SPARE, STATES }; /* besides the two of a tile: its frozen copy, and the result of a step on that */

typedef struct relax_tile {
  starpu_data_handle_t state[STATES], frozen_result;
  hg_quantity_stats *frozen;
  int now;       /* index of the current one of the tile's own states */
  int64_t looks; /* steps since the change was last measured */
} relax_tile;

typedef struct hg_relax {
  hg_stencil st; /* its exchanges have no handles in use */
  const hg_relax_options *options;
  hg_async *async;
  relax_tile *tile;
  hg_pinned memory[STATES];
  int inner; /* of this run */
  double cells;
  hg_async_end end;
  hg_mailbox_counts counted; /* at the beginning of the run */
  hg_steps_report *report;
  void *arg;
} hg_relax;

/* --- tasks ----------------------------------------------------------------------------------- */

/* Buffers in the order documented for hg_stencil_cpu. @param result  or NULL */
static hg_status submit_step(hg_relax *r, int number, starpu_data_handle_t before, starpu_data_handle_t after,
                             starpu_data_handle_t result, int vector, int steps)
{
  const hg_stencil_tile *t = &r->st.tile[number];
  const hg_async_block *b = hg_async_block_at(r->async, number);
  hg_task_data d = {.list = r->st.descr};
  hg_task_add(&d, before, STARPU_RW);
  hg_task_add(&d, after, STARPU_W);
  if (r->st.kernel->has_source) hg_task_add(&d, t->source, STARPU_R);
  if (result) hg_task_add(&d, result, STARPU_W);
  for (int i = 0; i < b->in_count; i++) hg_task_add(&d, b->in[i].handle[vector], STARPU_R);
  for (int i = 0; i < b->out_count; i++) hg_task_add(&d, b->out[i].handle[vector], STARPU_W);
  return hg_tile_submit(&r->st, r->st.kernel->task, t, &d, steps, result != NULL);
}

static hg_status submit_steps(hg_relax *r, int number, bool measured, int steps)
{
  hg_stencil_tile *t = &r->st.tile[number];
  relax_tile *x = &r->tile[number];
  const int now = x->now;
  x->now = 1 - now;
  return submit_step(r, number, t->state[now], t->state[1 - now], measured ? t->measured : NULL, HG_RUNNING, steps);
}

static hg_status sweep(void *self, int number, bool *measured)
{
  hg_relax *r = self;
  relax_tile *x = &r->tile[number];
  HG_TRY(hg_failure_take(&r->st.failure));
  *measured = x->looks + r->inner > r->options->check_every || x->looks == 0;
  x->looks = *measured ? r->inner : x->looks + r->inner;
  if (*measured) HG_TRY(submit_steps(r, number, true, 1));
  const int left = r->inner - *measured;
  return left > 0 ? submit_steps(r, number, false, left) : HG_OK;
}

static hg_status freeze(void *self, int number)
{
  hg_relax *r = self;
  const hg_stencil_tile *t = &r->st.tile[number];
  const relax_tile *x = &r->tile[number];
  const hg_async_block *b = hg_async_block_at(r->async, number);
  hg_task_data d = {.list = r->st.descr};
  if (starpu_data_cpy(x->state[FROZEN], t->state[x->now], 1, NULL, NULL) != 0)
    return hg_fail(HG_NO_WORKER, "no worker can copy a tile");
  if (b->out_count == 0) return HG_OK;
  hg_task_add(&d, x->state[FROZEN], STARPU_R);
  for (int i = 0; i < b->out_count; i++) hg_task_add(&d, b->out[i].handle[HG_FROZEN], STARPU_W);
  return hg_tile_submit(&r->st, r->st.kernel->pack, t, &d, 0, false);
}

static hg_status measure(void *self, int number)
{
  hg_relax *r = self;
  const relax_tile *x = &r->tile[number];
  return submit_step(r, number, x->state[FROZEN], x->state[SPARE], x->frozen_result, HG_FROZEN, 1);
}

static double residual(const void *result)
{
  return ((const hg_quantity_stats *)result)->largest;
}

static void report(void *self, int64_t sweeps)
{
  const hg_relax *r = self;
  if (r->report && r->st.tiles > 0) r->report(r->arg, sweeps * r->inner / r->st.tiles);
}

static const hg_async_work work = {
    .sweep = sweep, .freeze = freeze, .measure = measure, .residual = residual, .report = report};

/* --- the graph ------------------------------------------------------------------------------- */

/* Fills in a neighbour's initial values; mirrored cells are stored backwards. */
static hg_status fill_port(const hg_stencil *st, const hg_halo_piece *p, hg_fill *init, void *arg, void *port)
{
  const hg_box box = hg_halo_piece_source(p);
  const int64_t size = st->kernel->value_bytes;
  hg_halo_piece_cells cells = {.stride = {1, hg_box_extent(&box, 0), hg_box_extent(&box, 0) * hg_box_extent(&box, 1)}};
  void *values;
  for (int a = 0; a < 3; a++) {
    cells.n[a] = hg_box_extent(&box, a);
    if (p->sign[a] >= 0) continue;
    cells.first += (cells.n[a] - 1) * cells.stride[a];
    cells.stride[a] = -cells.stride[a];
  }
  HG_TRY(hg_allocate("a face", (size_t)(hg_box_cells(&box) * size), &values));
  const hg_status status = init(arg, &box, values);
  if (status == HG_OK) hg_halo_piece_unpack(&cells, (int)size, port, values);
  free(values);
  return status;
}

static hg_status load_tile(hg_relax *r, int number, hg_fill *init, void *arg)
{
  hg_stencil_tile *t = &r->st.tile[number];
  const hg_async_block *b = hg_async_block_at(r->async, number);
  r->tile[number].now = 0;
  r->tile[number].looks = 0;
  for (int i = 0; i < b->in_count; i++)
    HG_TRY(fill_port(&r->st, &t->in[i]->piece, init, arg, hg_link_preset(b->in[i].link)));
  return hg_tile_load(&r->st, t, init, arg);
}

static hg_status load(hg_graph *g, int64_t first, hg_fill *init, void *arg)
{
  hg_relax *r = (hg_relax *)g;
  hg_status status = HG_OK;
  (void)first;
  starpu_task_wait_for_all();
  r->st.base.ended = false;
  r->counted = hg_async_count(r->async);
  hg_async_forget(r->async);
  hg_async_begin(r->async);
  hg_session_pause(g->session);
  for (int i = 0; i < r->st.tiles && status == HG_OK; i++) status = load_tile(r, i, init, arg);
  hg_session_resume(g->session);
  return hg_session_agree(g->session, status);
}

/* Counts bytes sent between regions, whether or not they were read. */
static void count_bytes(hg_relax *r)
{
  for (int i = 0; i < r->st.tiles; i++) {
    const hg_async_block *b = hg_async_block_at(r->async, i);
    for (int k = 0; k < b->out_count; k++)
      if (hg_tile_region(r->st.base.tiling, r->st.tile[i].out[k]->piece.to) !=
          hg_tile_region(r->st.base.tiling, r->st.tile[i].id))
        r->st.base.exchanged += (double)b->out[k].bytes * (double)b->stats.sweeps;
  }
}

static hg_status advance(hg_graph *g, int64_t steps, bool measured, hg_steps_report *tell, void *arg)
{
  hg_relax *r = (hg_relax *)g;
  const int inner = r->options->inner;
  (void)measured;
  r->inner = steps < inner ? (int)steps : inner;
  r->report = tell;
  r->arg = arg;
  const hg_async_options options = {.detection = r->options->detection,
                                    .tolerance = r->options->tolerance,
                                    .sweeps = steps / r->inner,
                                    .eager = r->options->eager};
  hg_async_run(r->async, &options, &r->end);
  g->ended = true;
  count_bytes(r);
  if (tell) tell(arg, (int64_t)llround(hg_relax_count(g).mean));
  return HG_OK;
}

static hg_status wait(hg_graph *g)
{
  starpu_task_wait_for_all();
  return hg_session_agree(g->session, hg_failure_take(&((hg_relax *)g)->st.failure));
}

static void measured(hg_graph *g, hg_quantity_sink *take, void *arg)
{
  hg_quantity_stats m;
  hg_quantity_stats_clear(&m);
  hg_quantity_stats_take(&m, &((hg_relax *)g)->end.residual, 1);
  take(arg, &m);
}

static hg_status visit(hg_graph *g, hg_tile_sink *take, void *arg)
{
  hg_relax *r = (hg_relax *)g;
  hg_status status = HG_OK;
  for (int i = 0; i < r->st.tiles && status == HG_OK; i++) {
    starpu_data_handle_t state = g->ended ? r->tile[i].state[FROZEN] : r->st.tile[i].state[0];
    starpu_data_acquire(state, STARPU_R);
    const hg_tile_view view = hg_tile_view_of(&r->st, &r->st.tile[i], starpu_vector_get_local_ptr(state));
    status = take(arg, &view);
    starpu_data_release(state);
  }
  return status;
}

static hg_status changes(hg_graph *g, hg_change_sink *take, void *arg)
{
  hg_relax *r = (hg_relax *)g;
  hg_status status = HG_OK;
  for (int i = 0; i < r->st.tiles && status == HG_OK; i++) {
    const relax_tile *x = &r->tile[i];
    status = hg_tile_lend_both(&r->st, &r->st.tile[i], x->state[FROZEN], x->state[SPARE], take, arg);
  }
  return status;
}

static void ages(const hg_graph *g, hg_block_ages *block)
{
  const hg_relax *r = (const hg_relax *)g;
  for (int i = 0; i < r->st.tiles; i++) block[r->st.tile[i].id] = hg_async_block_at(r->async, i)->ages;
}

hg_relax_stats hg_relax_count(hg_graph *g)
{
  hg_relax *r = (hg_relax *)g;
  const hg_mailbox_counts now = hg_async_count(r->async);
  double largest[3] = {-INFINITY, 0, 0}; /* -fewest, most, staleness */
  double sum[3] = {0, (double)(now.published - r->counted.published), (double)(now.replaced - r->counted.replaced)};
  for (int i = 0; i < r->st.tiles; i++) {
    const hg_async_stats *t = &hg_async_block_at(r->async, i)->stats;
    const double steps = (double)(t->sweeps * r->inner);
    largest[0] = fmax(largest[0], -steps);
    largest[1] = fmax(largest[1], steps);
    largest[2] = fmax(largest[2], (double)t->staleness);
    sum[0] += steps * hg_tile_core_count(&r->st.tile[i].info);
  }
  for (int i = 0; i < 3; i++) hg_session_max(g->session, &largest[i]);
  hg_session_sum_all(g->session, sum, 3);
  return (hg_relax_stats){.fewest = (int64_t)-largest[0],
                          .most = (int64_t)largest[1],
                          .mean = sum[0] / r->cells,
                          .snapshots = r->end.rounds,
                          .published = sum[1],
                          .replaced = sum[2],
                          .staleness = (int64_t)largest[2]};
}

/* --- making one ------------------------------------------------------------------------------ */

static void release_tile(relax_tile *x)
{
  for (int i = 0; i < STATES; i++)
    if (x->state[i]) starpu_data_unregister_no_coherency(x->state[i]);
  if (x->frozen_result) starpu_data_unregister(x->frozen_result);
  free(x->frozen);
}

static void release(hg_graph *g)
{
  hg_relax *r = (hg_relax *)g;
  for (int i = 0; i < r->st.tiles && r->tile; i++) release_tile(&r->tile[i]);
  hg_async_free(r->async);
  hg_stencil_release(&r->st);
  for (int i = 0; i < STATES; i++) hg_pinned_drop(&r->memory[i]);
  free(r->tile);
  free(r);
}

/* These states of a tile have the same layout as its own. */
static hg_status add_states(hg_relax *r)
{
  const size_t size = (size_t)r->st.kernel->value_bytes;
  r->tile = calloc((size_t)r->st.tiles + 1, sizeof *r->tile);
  if (!r->tile) return hg_fail(HG_MEMORY, "no memory for %d tiles", r->st.tiles);
  HG_TRY(hg_stencil_check_memory(&r->st, 2 + STATES));
  HG_TRY(hg_stencil_open_states(&r->st));
  for (int s = 0; s < STATES; s++) {
    HG_TRY(hg_pinned_grow("the snapshots of the tiles", hg_stencil_bytes(&r->st) + 1, &r->memory[s]));
    for (int i = 0; i < r->st.tiles; i++) {
      const hg_stencil_tile *t = &r->st.tile[i];
      const char *place = (char *)t->memory[0] - (char *)r->st.memory[0].memory + (char *)r->memory[s].memory;
      starpu_vector_data_register(&r->tile[i].state[s], STARPU_MAIN_RAM, (uintptr_t)place,
                                  starpu_vector_get_nx(t->state[0]), size);
      starpu_data_set_name(r->tile[i].state[s], s == FROZEN ? "frozen" : "spare");
      hg_sched_set_owner(r->tile[i].state[s], hg_graph_worker(&r->st.base, t->id));
    }
  }
  return HG_OK;
}

static hg_status add_result(hg_relax *r, int number)
{
  relax_tile *x = &r->tile[number];
  hg_async_block *b = hg_async_block_at(r->async, number);
  HG_TRY(hg_allocate("a measured value", sizeof *x->frozen, (void **)&x->frozen));
  starpu_variable_data_register(&x->frozen_result, STARPU_MAIN_RAM, (uintptr_t)x->frozen, sizeof *x->frozen);
  b->worker = hg_graph_worker(&r->st.base, r->st.tile[number].id);
  b->result[HG_RUNNING] = r->st.tile[number].measured;
  b->result[HG_FROZEN] = x->frozen_result;
  return HG_OK;
}

/* In the order in which tiles list their pieces. */
static hg_status connect(hg_relax *r)
{
  for (int i = 0; i < r->st.tiles; i++) HG_TRY(add_result(r, i));
  for (int i = 0; i < r->st.exchanges; i++) {
    const hg_exchange *x = &r->st.exchange[i];
    const hg_stencil_tile *to = x->outgoing ? NULL : hg_local_tile(&r->st, x->piece.to);
    const hg_stencil_tile *from = hg_local_tile(&r->st, x->piece.from);
    const size_t bytes = (size_t)(hg_box_cells(&x->piece.box) * r->st.kernel->value_bytes);
    HG_TRY(hg_async_connect(r->async, from ? (int)(from - r->st.tile) : -1, to ? (int)(to - r->st.tile) : -1,
                            (hg_async_ends){x->piece.from, x->piece.to}, x->peer, x->tag, bytes));
  }
  return HG_OK;
}

/* Marks ghosts as held like the sides of the grid, including images. */
static void hold_margins(hg_stencil *st)
{
  for (int i = 0; i < st->tiles; i++) {
    hg_tile_shape *s = &st->tile[i].info.shape;
    for (int a = 0; a < 3; a++)
      for (int side = 0; side < 2; side++) {
        s->hold[a][side] = s->hold[a][side] || s->margin[a][side] > 0;
        s->images[a][side] = 0;
      }
  }
}

static hg_status build(hg_relax *r, hg_fill *source, void *arg)
{
  const int64_t *n = r->st.base.tiling->domain.n;
  r->cells = (double)n[0] * (double)n[1] * (double)n[2];
  HG_TRY(hg_session_agree(r->st.base.session, hg_stencil_build(&r->st, source, arg)));
  hold_margins(&r->st);
  HG_TRY(hg_session_agree(r->st.base.session, add_states(r)));
  HG_TRY(hg_async_make(r->st.base.session, r->st.tiles, &work, r, &r->async));
  HG_TRY(hg_session_agree(r->st.base.session, connect(r)));
  return hg_async_open(r->async);
}

static const hg_graph_operations operations = {.load = load,
                                               .advance = advance,
                                               .wait = wait,
                                               .measured = measured,
                                               .visit = visit,
                                               .changes = changes,
                                               .ages = ages,
                                               .release = release};

hg_status hg_relax_make(const hg_session *session, const hg_tiling *tiling, const hg_stencil_kernel *kernel,
                        hg_fill *source, void *arg, const hg_relax_options *options, hg_graph **out)
{
  hg_relax *r = calloc(1, sizeof *r);
  const hg_status room = r ? HG_OK : hg_fail(HG_MEMORY, "no memory");
  HG_TRY(hg_session_agree(session, room));
  *r = (hg_relax){.st = {.base = {&operations, session, tiling}, .kernel = kernel, .failure = HG_NO_FAILURE},
                  .options = options,
                  .end.residual = NAN};
  const hg_status status = build(r, source, arg);
  if (status != HG_OK)
    release(&r->st.base);
  else
    *out = &r->st.base;
  return status;
}
