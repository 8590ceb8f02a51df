/* SPDX-License-Identifier: MIT */
#include "adr/tiles.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "codelets/simulated_costs.h"
#include "schedulers/hetgrid_sched.h"

enum { PIECES_MAX = 1 << 16 }; /* pieces of one block, for tags */

static int rank_of(const hg_adr_graph *g, int tile)
{
  return hg_tile_region(g->base.tiling, tile)->rank;
}

hg_adr_tile *hg_adr_local(const hg_adr_graph *g, int id)
{
  for (int i = 0; i < g->tiles; i++)
    if (g->tile[i].id == id) return &g->tile[i];
  return NULL;
}

double hg_adr_tile_bytes(const hg_adr_tile *t)
{
  double bytes = 0;
  for (int i = 0; i < t->info.out_count; i++) bytes += 2 * sizeof(double) * (double)hg_box_cells(&t->out[i]->piece.box);
  return bytes;
}

void hg_adr_fill_outside(const hg_adr_graph *g, hg_adr_tile *t, int state)
{
  const int64_t field = t->info.block.field;
  for (int64_t i = 0; i < 2 * field; i++) t->memory[state][i] = g->problem->outside[i / field];
}

double hg_adr_most_iterations(const hg_adr_graph *g)
{
  double most = 0;
  for (int i = 0; i < g->tiles; i++) {
    starpu_data_acquire(g->tile[i].outcome, STARPU_R);
    most = fmax(most, g->tile[i].stats[0].iterations);
    starpu_data_release(g->tile[i].outcome);
  }
  return most;
}

/* --- blocks --- */

static hg_status set_tile(hg_adr_graph *g, hg_adr_tile *t, int id)
{
  const size_t real = g->settings->in_double ? sizeof(double) : sizeof(float);
  t->id = id;
  t->info = (hg_adr_info){.kernel = g->kernel, .real = !g->settings->in_double, .times = g->base.times};
  t->info.iterations = 5;
  hg_adr_block *b = &t->info.block;
  hg_adr_block_make(g->problem, g->base.tiling, id, g->settings->overlap, &t->place, b);
  if (b->field > INT32_MAX / HG_ADR_FIELDS)
    return hg_fail(HG_INVALID, "a block of %" PRId64 " x %" PRId64 " x %" PRId64 " nodes, must be < 2^31 / %d", b->n[0],
                   b->n[1], b->n[2], HG_ADR_FIELDS);
  t->state_bytes = 2 * (size_t)b->field * sizeof(double);
  t->table_bytes = (size_t)hg_adr_table_at(b, 3, 0) * sizeof(double);
  t->work_bytes = HG_ADR_FIELDS * (size_t)b->field * real;
  return HG_OK;
}

static hg_status list_tiles(hg_adr_graph *g)
{
  const hg_tiling *t = g->base.tiling;
  g->tile = calloc((size_t)t->tiles + 1, sizeof *g->tile);
  if (!g->tile) return hg_fail(HG_MEMORY, "no memory for %d blocks", t->tiles);
  for (int i = 0; i < t->tiles; i++)
    if (rank_of(g, i) == g->base.session->rank) HG_TRY(set_tile(g, &g->tile[g->tiles++], i));
  return HG_OK;
}

static hg_status check_memory(const hg_adr_graph *g)
{
  const double have = (double)hg_memory_available();
  double bytes = 0;
  for (int i = 0; i < g->tiles; i++) bytes += (double)(HG_ADR_STATES * g->tile[i].state_bytes + g->tile[i].work_bytes);
  if (bytes <= have || hg_simulated) return HG_OK;
  return hg_fail(HG_MEMORY, "the blocks of rank %d need %.2f GB, %.2f GB are available", g->base.session->rank,
                 bytes / 1e9, have / 1e9);
}

/* --- exchanges --- */

static hg_status add_exchange(hg_adr_graph *g, const hg_adr_patch *piece, int peer, bool outgoing)
{
  HG_TRY(hg_grow("the pieces", (void **)&g->exchange, g->exchanges, sizeof *g->exchange));
  g->exchange[g->exchanges++] = (hg_adr_exchange){
      .piece = *piece, .peer = peer, .outgoing = outgoing, .tag = (int64_t)piece->to * PIECES_MAX + piece->index};
  return HG_OK;
}

/* Adds the pieces that a block, here or on another rank, receives, as far as they involve this rank. */
static hg_status add_pieces_to(hg_adr_graph *g, int to)
{
  const int here = g->base.session->rank, owner = rank_of(g, to);
  hg_adr_patch *list;
  int count;
  HG_TRY(hg_adr_pieces(g->problem, g->base.tiling, to, g->settings->overlap, &list, &count));
  hg_status status = count <= PIECES_MAX ? HG_OK : hg_fail(HG_INVALID, "%d pieces for one block", count);
  for (int i = 0; i < count && status == HG_OK; i++) {
    const int from = rank_of(g, list[i].from);
    if (owner == here)
      status = add_exchange(g, &list[i], from == here ? -1 : from, false);
    else if (from == here)
      status = add_exchange(g, &list[i], owner, true);
  }
  free(list);
  return status;
}

static hg_status make_lists(hg_adr_tile *t)
{
  const size_t in = (size_t)t->info.in_count + 1, out = (size_t)t->info.out_count + 1;
  t->in = calloc(in, sizeof *t->in);
  t->out = calloc(out, sizeof *t->out);
  t->in_cells = calloc(in, sizeof *t->in_cells);
  t->out_cells = calloc(out, sizeof *t->out_cells);
  if (!t->in || !t->out || !t->in_cells || !t->out_cells)
    return hg_fail(HG_MEMORY, "no memory for the pieces of a block");
  t->info.in = t->in_cells;
  t->info.out = t->out_cells;
  t->info.in_count = t->info.out_count = 0;
  return HG_OK;
}

static void link_exchange(hg_adr_graph *g, hg_adr_exchange *x, bool fill)
{
  hg_adr_tile *to = x->outgoing ? NULL : hg_adr_local(g, x->piece.to);
  hg_adr_tile *from = x->outgoing || x->peer < 0 ? hg_adr_local(g, x->piece.from) : NULL;
  hg_box source = x->piece.box;
  for (int a = 0; a < 3; a++) source.lo[a] -= x->piece.shift[a], source.hi[a] -= x->piece.shift[a];
  if (to && fill) {
    to->in_cells[to->info.in_count] = hg_adr_cells(&to->info.block, &to->place, &x->piece.box);
    to->in[to->info.in_count] = x;
  }
  if (from && fill) {
    from->out_cells[from->info.out_count] = hg_adr_cells(&from->info.block, &from->place, &source);
    from->out[from->info.out_count] = x;
  }
  if (to) to->info.in_count++;
  if (from) from->info.out_count++;
}

/* Assigns all blocks their pieces: counts them, then fills the lists. */
static hg_status list_exchanges(hg_adr_graph *g)
{
  for (int i = 0; i < g->base.tiling->tiles; i++) HG_TRY(add_pieces_to(g, i));
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < g->exchanges; i++) link_exchange(g, &g->exchange[i], pass == 1);
    for (int i = 0; i < g->tiles && pass == 0; i++) HG_TRY(make_lists(&g->tile[i]));
  }
  return HG_OK;
}

/* --- handles --- */

static void own(const hg_adr_graph *g, const hg_adr_tile *t, starpu_data_handle_t handle, const char *name)
{
  const int64_t *lo = t->place.core.lo;
  starpu_data_set_coordinates(handle, 3, (int)lo[0], (int)lo[1], (int)lo[2]);
  starpu_data_set_name(handle, name);
  hg_sched_set_owner(handle, hg_graph_worker(&g->base, t->id));
}

static hg_status register_tile(const hg_adr_graph *g, hg_adr_tile *t)
{
  static const char *const name[] = {"state", "old", "before"};
  for (int i = 0; i < HG_ADR_STATES; i++) {
    HG_TRY(hg_pinned_allocate("a state", t->state_bytes, (void **)&t->memory[i]));
    starpu_vector_data_register(&t->state[i], STARPU_MAIN_RAM, (uintptr_t)t->memory[i],
                                (uint32_t)(t->state_bytes / sizeof(double)), sizeof(double));
    own(g, t, t->state[i], name[i]);
  }
  HG_TRY(hg_pinned_allocate("tables", t->table_bytes, (void **)&t->tables));
  if (!hg_simulated) hg_adr_fill_tables(g->problem, &t->info.block, t->place.unknowns.lo, t->tables);
  starpu_vector_data_register(&t->table, STARPU_MAIN_RAM, (uintptr_t)t->tables,
                              (uint32_t)(t->table_bytes / sizeof(double)), sizeof(double));
  HG_TRY(hg_pinned_allocate("the inner solver", t->work_bytes, &t->work_memory));
  starpu_vector_data_register(&t->work, STARPU_MAIN_RAM, (uintptr_t)t->work_memory,
                              (uint32_t)(t->work_bytes / sizeof(float)), sizeof(float));
  HG_TRY(hg_allocate("outcome", 3 * sizeof *t->stats, (void **)&t->stats));
  starpu_data_handle_t *const handle[] = {&t->outcome, &t->norm[0], &t->norm[1]};
  for (int i = 0; i < 3; i++)
    starpu_variable_data_register(handle[i], STARPU_MAIN_RAM, (uintptr_t)&t->stats[i], sizeof *t->stats);
  HG_TRY(hg_allocate("sums", 2 * sizeof *t->dots, (void **)&t->dots));
  starpu_variable_data_register(&t->sums, STARPU_MAIN_RAM, (uintptr_t)t->dots, 2 * sizeof *t->dots);
  return HG_OK;
}

static hg_status register_all(hg_adr_graph *g)
{
  int most = 0;
  for (int i = 0; i < g->exchanges; i++)
    for (int k = 0; k < 2; k++) {
      hg_adr_exchange *x = &g->exchange[i];
      starpu_vector_data_register(&x->handle[k], -1, 0, (uint32_t)(2 * hg_box_cells(&x->piece.box)), sizeof(double));
      starpu_data_set_name(x->handle[k], "piece");
    }
  for (int i = 0; i < g->tiles; i++) {
    const hg_adr_info *info = &g->tile[i].info;
    HG_TRY(register_tile(g, &g->tile[i]));
    if (info->in_count > most) most = info->in_count;
    if (info->out_count > most) most = info->out_count;
  }
  HG_TRY(hg_allocate("sums", 2 * (size_t)g->base.tiling->tiles * sizeof *g->sums, (void **)&g->sums));
  g->descr = malloc((size_t)(most + 8) * sizeof *g->descr);
  return g->descr ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d handles", most);
}

hg_status hg_adr_tiles_make(hg_adr_graph *g)
{
  const int workers = g->base.session->workers;
  g->base.times = calloc((size_t)workers + 1, sizeof *g->base.times);
  if (!g->base.times) return hg_fail(HG_MEMORY, "no memory for %d workers", workers);
  HG_TRY(hg_adr_check_overlap(g->base.tiling, g->settings->overlap));
  HG_TRY(list_tiles(g));
  HG_TRY(check_memory(g));
  HG_TRY(list_exchanges(g));
  return register_all(g);
}

static void drop(starpu_data_handle_t handle)
{
  if (handle) starpu_data_unregister_no_coherency(handle);
}

static void release_tile(hg_adr_tile *t)
{
  for (int i = 0; i < HG_ADR_STATES; i++) {
    drop(t->state[i]);
    hg_pinned_free(t->memory[i], t->state_bytes);
  }
  drop(t->table);
  hg_pinned_free(t->tables, t->table_bytes);
  drop(t->work);
  hg_pinned_free(t->work_memory, t->work_bytes);
  drop(t->outcome);
  drop(t->norm[0]);
  drop(t->norm[1]);
  drop(t->sums);
  free(t->dots);
  free(t->stats);
  free(t->in);
  free(t->out);
  free(t->in_cells);
  free(t->out_cells);
}

void hg_adr_tiles_release(hg_adr_graph *g)
{
  for (int i = 0; i < g->tiles; i++) release_tile(&g->tile[i]);
  hg_sched_forget_tiles();
  for (int i = 0; i < g->exchanges; i++)
    for (int k = 0; k < 2; k++) drop(g->exchange[i].handle[k]);
  free(g->tile);
  free(g->exchange);
  free(g->descr);
  free(g->sums);
  free(g->base.times);
}
