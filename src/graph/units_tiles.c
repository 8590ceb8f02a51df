/* SPDX-License-Identifier: MIT */
#include "graph/units_tiles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/memory.h"
#include "codelets/simulated_costs.h"
#include "runtime/pinned.h"
#include "schedulers/hetgrid_sched.h"

static const int64_t MOST_BYTES = UINT32_MAX - 1; /* of a vector in StarPU */

static int by_id(const void *a, const void *b)
{
  const hg_unit_tile *s = a, *t = b;
  return (s->id > t->id) - (s->id < t->id);
}

hg_unit_tile *hg_unit_local(const hg_unit_graph *g, int id)
{
  const hg_unit_tile key = {.id = id};
  return bsearch(&key, g->tile, (size_t)g->tiles, sizeof key, by_id);
}

/* Grows both states of a tile to at least so many bytes (MOST_BYTES at most); existing values are kept. */
static hg_status grow_states(hg_unit_graph *g, hg_unit_tile *t, size_t bytes)
{
  const size_t own = (size_t)(t->info.elements * g->kernel->update->value_bytes), old = t->bytes;
  const bool had = t->memory[0] != NULL;
  if (had && bytes <= old) return HG_OK;
  if (had) bytes += (size_t)hg_min((int64_t)bytes / 2, MOST_BYTES - (int64_t)bytes);
  if (bytes == 0) bytes = 1;
  for (int i = 0; i < 2; i++) {
    void *memory;
    HG_TRY(hg_pinned_allocate("the values of a tile", bytes, &memory));
    if (had) {
      starpu_data_acquire(t->state[i], STARPU_R);
      memcpy(memory, t->memory[i], own);
      starpu_data_release(t->state[i]);
      starpu_data_unregister(t->state[i]);
      hg_pinned_free(t->memory[i], old);
    }
    t->memory[i] = memory;
    starpu_vector_data_register(&t->state[i], STARPU_MAIN_RAM, (uintptr_t)memory, (uint32_t)bytes, 1);
    starpu_data_set_coordinates(t->state[i], 3, (int)t->core.lo[0], (int)t->core.lo[1], (int)t->core.lo[2]);
    starpu_data_set_name(t->state[i], i ? "values B" : "values A");
    hg_sched_set_owner(t->state[i], hg_graph_worker(&g->base, t->id));
  }
  t->bytes = bytes;
  return HG_OK;
}

/* Identifier of a tile's own unit at a position. */
static int64_t own_id(const hg_unit_graph *g, const hg_unit_tile *t, int64_t position)
{
  const int64_t *n = g->base.tiling->domain.n, *lo = t->core.lo;
  const int64_t nx = hg_box_extent(&t->core, 0), ny = hg_box_extent(&t->core, 1);
  return lo[0] + position % nx + n[0] * (lo[1] + position / nx % ny + n[1] * (lo[2] + position / nx / ny));
}

static hg_status count_elements(const hg_unit_graph *g, hg_unit_tile *t)
{
  t->info.elements = t->info.own_count;
  if (!g->dependence->length) return HG_OK;
  t->own_offset = malloc(((size_t)t->info.own_count + 1) * sizeof *t->own_offset);
  if (!t->own_offset) return hg_fail(HG_MEMORY, "no memory for the sizes of %" PRId64 " values", t->info.own_count);
  t->own_offset[0] = 0;
  for (int64_t i = 0; i < t->info.own_count; i++) {
    const hg_cell c = hg_unit_cell(g, own_id(g, t, i), 0);
    if (c.length < 0 || c.length > INT32_MAX)
      return hg_fail(HG_INVALID,
                     "unit %" PRId64 " (%" PRId64 ", %" PRId64 ", %" PRId64 "): a value of %" PRId64
                     " elements, must be in 0..2^31-1",
                     c.id, c.x, c.y, c.z, c.length);
    t->own_offset[i + 1] = t->own_offset[i] + c.length;
  }
  t->info.elements = t->own_offset[t->info.own_count];
  return HG_OK;
}

static hg_status make_tile(hg_unit_graph *g, hg_unit_tile *t, int id)
{
  const hg_units_kernel *k = g->kernel;
  t->id = id;
  t->core = hg_tile_core(g->base.tiling, id);
  t->info = (hg_stored_tile){.kernel = k,
                             .update = k->update,
                             .quantity = k->quantity,
                             .own_count = hg_box_cells(&t->core),
                             .has_offsets = g->dependence->length};
  for (int a = 0; a < 3; a++) {
    t->info.units.n[a] = g->base.tiling->domain.n[a];
    t->info.units.lo[a] = t->core.lo[a];
    t->info.units.own[a] = hg_box_extent(&t->core, a);
  }
  t->out_changed = true;
  HG_TRY(count_elements(g, t));
  if ((double)t->info.elements * (double)k->update->value_bytes > (double)MOST_BYTES)
    return hg_fail(HG_INVALID, "tile: values of %.3g bytes, must be at most %" PRId64,
                   (double)t->info.elements * (double)k->update->value_bytes, MOST_BYTES);
  if (k->quantity)
    starpu_variable_data_register(&t->measured, STARPU_MAIN_RAM, (uintptr_t)&t->result, sizeof t->result);
  return grow_states(g, t, (size_t)(t->info.elements * k->update->value_bytes));
}

/* Checks the least memory that this rank will allocate: two states, and where each unit's neighbours begin. */
static hg_status check_memory(const hg_unit_graph *g)
{
  double cells = 0;
  for (int r = 0; r < g->base.tiling->regions; r++)
    if (g->base.tiling->region[r].rank == g->base.session->rank)
      cells += (double)hg_box_cells(&g->base.tiling->region[r].box);
  const double table = g->dependence->neighbours || g->dependence->length ? sizeof(int64_t) : 0;
  const double bytes = cells * (2 * (double)g->kernel->update->value_bytes + table),
               have = (double)hg_memory_available();
  if (bytes <= have || hg_simulated) return HG_OK;
  return hg_fail(HG_MEMORY, "the units of rank %d need %.2f GB, %.2f GB are available", g->base.session->rank,
                 bytes / 1e9, have / 1e9);
}

hg_status hg_unit_build(hg_unit_graph *g)
{
  const hg_tiling *tiling = g->base.tiling;
  for (int r = 0; r < tiling->regions; r++)
    if (tiling->region[r].rank == g->base.session->rank)
      g->tiles += tiling->region[r].mesh[0] * tiling->region[r].mesh[1] * tiling->region[r].mesh[2];
  g->tile = calloc((size_t)g->tiles + 1, sizeof *g->tile);
  hg_status status = g->tile ? check_memory(g) : hg_fail(HG_MEMORY, "no memory for %d tiles", g->tiles);
  for (int r = 0, i = 0; r < tiling->regions && status == HG_OK; r++) {
    const hg_region *region = &tiling->region[r];
    const int count = region->rank == g->base.session->rank ? region->mesh[0] * region->mesh[1] * region->mesh[2] : 0;
    for (int j = 0; j < count && status == HG_OK; j++) status = make_tile(g, &g->tile[i++], region->first_tile + j);
  }
  return status;
}

/* --- the index --------------------------------------------------------------------------------------------------- */

static void drop_index(hg_unit_tile *t)
{
  if (t->index) starpu_data_unregister_no_coherency(t->index);
  t->index = NULL;
  free(t->index_memory);
  t->index_memory = NULL;
}

static void drop_pieces_in(hg_unit_tile *t)
{
  for (int i = 0; i < t->ins; i++)
    for (int h = 0; h < 2 && t->in[i].peer >= 0; h++)
      if (t->in[i].handle[h]) starpu_data_unregister_no_coherency(t->in[i].handle[h]);
  free(t->in);
  free(t->info.in_bytes);
  t->in = NULL;
  t->info.in_bytes = NULL;
  t->ins = t->info.in_count = 0;
}

/* Lists the pieces of the ghost zone, one per providing tile. */
static hg_status list_pieces_in(const hg_unit_graph *g, hg_unit_tile *t)
{
  for (int64_t i = 0, end; i < t->ghosts; i = end) {
    const int from = t->ghost[i].tile, rank = hg_tile_region(g->base.tiling, from)->rank;
    int64_t elements = 0;
    for (end = i; end < t->ghosts && t->ghost[end].tile == from; end++) elements += hg_unit_length(g, t->ghost[end].id);
    HG_TRY(hg_grow("pieces", (void **)&t->in, t->ins, sizeof *t->in));
    hg_halo_piece_in *p = &t->in[t->ins++];
    *p = (hg_halo_piece_in){.from = from,
                            .peer = rank == g->base.session->rank ? -1 : rank,
                            .bytes = elements * g->kernel->update->value_bytes};
    for (int h = 0; h < 2 && p->peer >= 0; h++) {
      starpu_vector_data_register(&p->handle[h], -1, 0, (uint32_t)(p->bytes ? p->bytes : 1), 1);
      starpu_data_set_name(p->handle[h], "piece");
    }
  }
  t->info.in_bytes = malloc(((size_t)t->ins + 1) * sizeof *t->info.in_bytes);
  if (!t->info.in_bytes) return hg_fail(HG_MEMORY, "no memory for %d pieces", t->ins);
  for (int i = 0; i < t->ins; i++) t->info.in_bytes[i] = t->in[i].bytes;
  t->info.in_count = t->ins;
  return HG_OK;
}

/* Offsets of all values, own and received. */
static void write_offsets(const hg_unit_graph *g, const hg_unit_tile *t, int64_t *offset)
{
  const int64_t own = t->info.own_count;
  memcpy(offset, t->own_offset, ((size_t)own + 1) * sizeof *offset);
  for (int64_t i = 0; i < t->ghosts; i++) offset[own + i + 1] = offset[own + i] + hg_unit_length(g, t->ghost[i].id);
}

/* Writes all tables to one block of memory, so that a device gets them in one transfer. */
static hg_status write_index(const hg_unit_graph *g, hg_unit_tile *t, const hg_unit_index *index)
{
  hg_stored_tile *info = &t->info;
  const int64_t word = sizeof(int64_t), own = info->own_count;
  int64_t bytes = info->has_offsets ? (own + t->ghosts + 1) * word : 0;
  info->start_at = index->start ? bytes : -1;
  bytes += index->start ? (own + 1) * word : 0;
  info->ghost_at = bytes;
  bytes += t->ghosts * word;
  info->member_at = bytes;
  bytes += index->members * (int64_t)sizeof(int32_t) + 1;
  if (bytes > MOST_BYTES)
    return hg_fail(HG_INVALID, "tile: tables of %" PRId64 " bytes, must be at most %" PRId64, bytes, MOST_BYTES);
  HG_TRY(hg_allocate("the neighbours of a tile", (size_t)bytes, &t->index_memory));
  char *memory = t->index_memory;
  if (info->has_offsets) write_offsets(g, t, (int64_t *)(void *)memory);
  if (index->start) memcpy(memory + info->start_at, index->start, (size_t)(own + 1) * sizeof *index->start);
  for (int64_t i = 0; i < t->ghosts; i++) ((int64_t *)(void *)(memory + info->ghost_at))[i] = t->ghost[i].id;
  memcpy(memory + info->member_at, index->member, (size_t)index->members * sizeof *index->member);
  starpu_vector_data_register(&t->index, STARPU_MAIN_RAM, (uintptr_t)memory, (uint32_t)bytes, 1);
  starpu_data_set_name(t->index, "index");
  info->units.zones = index->zones;
  memcpy(info->units.zone, index->zone, sizeof index->zone);
  return HG_OK;
}

hg_status hg_unit_take_index(hg_unit_graph *g, hg_unit_tile *t, hg_unit_index *index)
{
  const bool same = t->index && hg_unit_same_ghosts(t, index);
  drop_index(t);
  if (!same) {
    free(t->ghost);
    t->ghost = index->ghost;
    t->ghosts = index->ghosts;
    index->ghost = NULL;
    drop_pieces_in(t);
    HG_TRY(list_pieces_in(g, t));
    int64_t bytes = t->info.elements * g->kernel->update->value_bytes;
    for (int i = 0; i < t->ins; i++) bytes += t->in[i].bytes;
    if (bytes > MOST_BYTES)
      return hg_fail(HG_INVALID, "tile: values of %" PRId64 " bytes with its neighbours', must be at most %" PRId64,
                     bytes, MOST_BYTES);
    HG_TRY(grow_states(g, t, (size_t)bytes));
  }
  return write_index(g, t, index);
}

static void free_tile(hg_unit_tile *t)
{
  drop_index(t);
  drop_pieces_in(t);
  for (int i = 0; i < t->outs; i++) {
    for (int h = 0; h < 2; h++)
      if (t->out[i].handle[h]) starpu_data_unregister_no_coherency(t->out[i].handle[h]);
    free(t->out[i].id);
  }
  free(t->out);
  free(t->info.out_first);
  if (t->sends) starpu_data_unregister_no_coherency(t->sends);
  free(t->sends_memory);
  if (t->measured) starpu_data_unregister(t->measured);
  for (int i = 0; i < 2; i++) {
    if (t->state[i]) starpu_data_unregister_no_coherency(t->state[i]);
    hg_pinned_free(t->memory[i], t->bytes);
  }
  free(t->own_offset);
  free(t->ghost);
}

void hg_unit_release(hg_unit_graph *g)
{
  for (int i = 0; i < g->tiles; i++) free_tile(&g->tile[i]);
  hg_sched_forget_tiles();
  free(g->tile);
  free(g->descr);
}
