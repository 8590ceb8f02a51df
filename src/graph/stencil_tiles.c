/* SPDX-License-Identifier: MIT */
#include "graph/stencil_tiles.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/integers.h"
#include "codelets/simulated_costs.h"
#include "runtime/pinned.h"
#include "runtime/worker_usage.h"
#include "schedulers/hetgrid_sched.h"

enum { PIECES_MAX = 1 << 20 }; /* pieces of one tile, for tags */

/* If this rank's grid is larger than this, results bypass the caches (streaming stores). */
#define STREAM_BYTES (32 << 20)

static size_t state_bytes(const hg_stencil *st, const hg_stencil_tile *t)
{
  return (size_t)(t->info.shape.stride[2] * t->info.shape.n[2] * st->kernel->value_bytes);
}

/* Margins, held layers and strides of a tile from its boxes. Rows start on cache lines. */
static void set_shape(const hg_stencil *st, hg_stencil_tile *t)
{
  const hg_domain *g = &st->base.tiling->domain;
  hg_tile_shape *s = &t->info.shape;
  s->dims = g->dims;
  for (int a = 0; a < 3; a++) {
    s->n[a] = hg_box_extent(&t->padded, a);
    s->margin[a][HG_LO] = (int)(t->core.lo[a] - t->padded.lo[a]);
    s->margin[a][HG_HI] = (int)(t->padded.hi[a] - t->core.hi[a]);
    s->hold[a][HG_LO] = a < g->dims && g->side[a][0] == HG_FIXED && t->padded.lo[a] == 0;
    s->hold[a][HG_HI] = a < g->dims && g->side[a][1] == HG_FIXED && t->padded.hi[a] == g->n[a];
    if (g->side[a][0] == HG_INSULATED) s->images[a][HG_LO] = (int)hg_max(0, -t->padded.lo[a]);
    if (g->side[a][1] == HG_INSULATED) s->images[a][HG_HI] = (int)hg_max(0, t->padded.hi[a] - g->n[a]);
  }
  const int64_t line = st->kernel->value_bytes < 64 ? 64 / st->kernel->value_bytes : 1;
  s->stride[0] = 1;
  s->stride[1] = g->dims > 1 ? (s->n[0] + line - 1) / line * line : s->n[0];
  s->stride[2] = s->stride[1] * s->n[1];
}

static hg_status set_tile(hg_stencil *st, hg_stencil_tile *t, int id)
{
  t->id = id;
  t->core = hg_tile_core(st->base.tiling, id);
  t->padded = hg_tile_padded(st->base.tiling, &t->core);
  t->info = (hg_tile_info){.lo = {t->padded.lo[0], t->padded.lo[1], t->padded.lo[2]},
                           .kernel = st->kernel,
                           .times = st->base.times,
                           .failure = &st->failure};
  set_shape(st, t);
  if (t->info.shape.stride[2] * t->info.shape.n[2] > INT32_MAX)
    return hg_fail(HG_INVALID, "tile: %" PRId64 " cells with its margins, must be < 2^31", hg_box_cells(&t->padded));
  return HG_OK;
}

/* Tiles of this rank, in ascending order. */
static hg_status list_tiles(hg_stencil *st)
{
  const hg_tiling *g = st->base.tiling;
  int count = 0;
  for (int r = 0; r < g->regions; r++)
    if (g->region[r].rank == st->base.session->rank)
      count += g->region[r].mesh[0] * g->region[r].mesh[1] * g->region[r].mesh[2];
  st->tile = calloc((size_t)count + 1, sizeof *st->tile);
  if (!st->tile) return hg_fail(HG_MEMORY, "no memory for %d tiles", count);
  for (int r = 0; r < g->regions; r++) {
    const hg_region *region = &g->region[r];
    int tiles = region->mesh[0] * region->mesh[1] * region->mesh[2];
    if (region->rank != st->base.session->rank) continue;
    for (int i = 0; i < tiles; i++) HG_TRY(set_tile(st, &st->tile[st->tiles++], region->first_tile + i));
  }
  return HG_OK;
}

static int by_id(const void *a, const void *b)
{
  const hg_stencil_tile *s = a, *t = b;
  return (s->id > t->id) - (s->id < t->id);
}

hg_stencil_tile *hg_local_tile(const hg_stencil *st, int id)
{
  hg_stencil_tile key = {.id = id};
  return bsearch(&key, st->tile, (size_t)st->tiles, sizeof key, by_id);
}

static hg_status add_exchange(hg_stencil *st, const hg_halo_piece *piece, int peer, bool outgoing)
{
  HG_TRY(hg_grow("the pieces", (void **)&st->exchange, st->exchanges, sizeof *st->exchange));
  st->exchange[st->exchanges++] = (hg_exchange){
      .piece = *piece, .peer = peer, .outgoing = outgoing, .tag = (int64_t)piece->to * PIECES_MAX + piece->index};
  return HG_OK;
}

static int rank_of(const hg_stencil *st, int tile)
{
  return hg_tile_region(st->base.tiling, tile)->rank;
}

/* Adds the pieces that tile `to` (on this or another rank) receives, as far as they concern this rank. */
static hg_status add_pieces_to(hg_stencil *st, int to)
{
  hg_halo_piece *list = NULL;
  int count = 0, owner = rank_of(st, to);
  HG_TRY(hg_tile_halo_pieces(st->base.tiling, to, &list, &count));
  hg_status status = count <= PIECES_MAX ? HG_OK : hg_fail(HG_INVALID, "tile: %d pieces for one tile", count);
  for (int i = 0; i < count && status == HG_OK; i++) {
    int from = rank_of(st, list[i].from), here = st->base.session->rank;
    if (owner == here)
      status = add_exchange(st, &list[i], from == here ? -1 : from, false);
    else if (from == here)
      status = add_exchange(st, &list[i], owner, true);
  }
  free(list);
  return status;
}

static int by_number(const void *a, const void *b)
{
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Lists pieces into this rank's tiles. Since neighbourhood is mutual, it then lists pieces from these tiles into those
 * of other ranks that provide the former. */
static hg_status list_exchanges(hg_stencil *st)
{
  for (int i = 0; i < st->tiles; i++) HG_TRY(add_pieces_to(st, st->tile[i].id));
  int count = 0, *others = malloc(((size_t)st->exchanges + 1) * sizeof *others);
  if (!others) return hg_fail(HG_MEMORY, "no memory for %d pieces", st->exchanges);
  for (int i = 0; i < st->exchanges; i++)
    if (st->exchange[i].peer >= 0) others[count++] = st->exchange[i].piece.from;
  qsort(others, (size_t)count, sizeof *others, by_number);
  hg_status status = HG_OK;
  for (int i = 0; i < count && status == HG_OK; i++)
    if (i == 0 || others[i] != others[i - 1]) status = add_pieces_to(st, others[i]);
  free(others);
  return status;
}

/* Location of a piece's cells in the tile that provides it. */
static hg_halo_piece_cells cells_out(const hg_stencil_tile *t, const hg_halo_piece *p)
{
  hg_halo_piece_cells c = {0};
  for (int a = 0; a < 3; a++) {
    int64_t first = p->sign[a] * p->box.lo[a] + p->offset[a];
    c.n[a] = hg_box_extent(&p->box, a);
    c.stride[a] = p->sign[a] * t->info.shape.stride[a];
    c.first += (first - t->padded.lo[a]) * t->info.shape.stride[a];
  }
  return c;
}

hg_tile_view hg_tile_view_of(const hg_stencil *st, const hg_stencil_tile *t, uintptr_t state)
{
  const int64_t size = st->kernel->value_bytes;
  const hg_halo_piece_cells core = hg_tile_core_cells(t);
  return (hg_tile_view){.tile = t->id,
                        .core = t->core,
                        .values = (const char *)state + core.first * size,
                        .row = core.stride[1] * size,
                        .layer = core.stride[2] * size};
}

hg_status hg_tile_lend_both(const hg_stencil *st, const hg_stencil_tile *t, starpu_data_handle_t before,
                            starpu_data_handle_t after, hg_change_sink *take, void *arg)
{
  starpu_data_acquire(before, STARPU_R);
  starpu_data_acquire(after, STARPU_R);
  const hg_tile_view old = hg_tile_view_of(st, t, starpu_vector_get_local_ptr(before)),
                     new = hg_tile_view_of(st, t, starpu_vector_get_local_ptr(after));
  const hg_status status = take(arg, &old, &new);
  starpu_data_release(after);
  starpu_data_release(before);
  return status;
}

static hg_status make_lists(hg_stencil_tile *t)
{
  size_t in = (size_t)t->info.in_count + 1, out = (size_t)t->info.out_count + 1;
  t->in = calloc(in, sizeof *t->in);
  t->out = calloc(out, sizeof *t->out);
  t->in_cells = calloc(in, sizeof *t->in_cells);
  t->out_cells = calloc(out, sizeof *t->out_cells);
  if (!t->in || !t->out || !t->in_cells || !t->out_cells)
    return hg_fail(HG_MEMORY, "no memory for the pieces of a tile");
  t->info.in = t->in_cells;
  t->info.out = t->out_cells;
  t->info.in_count = t->info.out_count = 0;
  return HG_OK;
}

static void link_in(hg_stencil_tile *t, hg_exchange *x, bool fill)
{
  const int at = t->info.in_count++;
  if (x->peer >= 0) t->on_rank_border = true;
  if (!fill) return;
  t->in_cells[at] = hg_tile_cells(t, &x->piece.box);
  t->in[at] = x;
}

static void link_out(hg_stencil_tile *t, hg_exchange *x, bool fill)
{
  const int at = t->info.out_count++;
  if (x->peer >= 0) t->on_rank_border = true;
  if (!fill) return;
  t->out_cells[at] = cells_out(t, &x->piece);
  t->out[at] = x;
}

/* Links every tile to its pieces: counts them, then fills the lists. */
static hg_status link_exchanges(hg_stencil *st)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < st->exchanges; i++) {
      hg_exchange *x = &st->exchange[i];
      hg_stencil_tile *to = x->outgoing ? NULL : hg_local_tile(st, x->piece.to),
                      *from = hg_local_tile(st, x->piece.from);
      if (to) link_in(to, x, pass == 1);
      if (from) link_out(from, x, pass == 1);
    }
    for (int i = 0; i < st->tiles && pass == 0; i++) HG_TRY(make_lists(&st->tile[i]));
  }
  return HG_OK;
}

/* Tiles begin on cache lines. */
static size_t place_bytes(const hg_stencil *st, const hg_stencil_tile *t)
{
  return (state_bytes(st, t) + 63) / 64 * 64;
}

size_t hg_stencil_bytes(const hg_stencil *st)
{
  size_t bytes = 0;
  for (int i = 0; i < st->tiles; i++) bytes += place_bytes(st, &st->tile[i]);
  return bytes;
}

static size_t gpu_bytes(const hg_stencil *st, const hg_stencil_tile *t)
{
  const size_t bytes = state_bytes(st, t);
  return bytes > st->least_bytes ? bytes : st->least_bytes;
}

void hg_stencil_register(hg_stencil *st, int parity)
{
  const size_t size = (size_t)st->kernel->value_bytes;
  char *memory = st->memory[parity].memory;
  for (int i = 0; i < st->tiles; i++) {
    hg_stencil_tile *t = &st->tile[i];
    starpu_data_handle_t *state = &t->state[parity];
    t->memory[parity] = memory;
    starpu_vector_data_register_allocsize(state, STARPU_MAIN_RAM, (uintptr_t)memory,
                                          (uint32_t)(state_bytes(st, t) / size), size, gpu_bytes(st, t));
    starpu_data_set_coordinates(*state, 3, (int)t->core.lo[0], (int)t->core.lo[1], (int)t->core.lo[2]);
    starpu_data_set_name(*state, parity ? "state B" : "state A");
    hg_sched_set_owner(*state, hg_graph_worker(&st->base, t->id));
    memory += place_bytes(st, t);
  }
}

void hg_stencil_unregister(hg_stencil *st, int parity)
{
  for (int i = 0; i < st->tiles; i++) {
    if (st->tile[i].state[parity]) starpu_data_unregister_no_coherency(st->tile[i].state[parity]);
    st->tile[i].state[parity] = NULL;
  }
  hg_sched_forget_tiles();
}

static hg_status register_tile(hg_stencil *st, hg_stencil_tile *t)
{
  const size_t bytes = state_bytes(st, t), size = (size_t)st->kernel->value_bytes;
  if (st->kernel->has_source) {
    HG_TRY(hg_pinned_allocate("the source of a tile", bytes, &t->source_memory));
    starpu_vector_data_register_allocsize(&t->source, STARPU_MAIN_RAM, (uintptr_t)t->source_memory,
                                          (uint32_t)(bytes / size), size, gpu_bytes(st, t));
  }
  if (st->kernel->result_bytes == 0) return HG_OK;
  HG_TRY(hg_allocate("a measured value", st->kernel->result_bytes, &t->result));
  starpu_variable_data_register(&t->measured, STARPU_MAIN_RAM, (uintptr_t)t->result, st->kernel->result_bytes);
  return HG_OK;
}

static double piece_bytes(const hg_stencil *st, const hg_exchange *x)
{
  return (double)hg_box_cells(&x->piece.box) * (double)st->kernel->value_bytes;
}

static void register_exchange(hg_stencil *st, hg_exchange *x)
{
  const size_t size = (size_t)st->kernel->value_bytes;
  const int64_t cells = hg_box_cells(&x->piece.box);
  for (int i = 0; i < 2; i++) {
    starpu_vector_data_register(&x->handle[i], -1, 0, (uint32_t)cells, size);
    starpu_data_set_name(x->handle[i], "piece");
  }
  if (hg_tile_region(st->base.tiling, x->piece.from) != hg_tile_region(st->base.tiling, x->piece.to) &&
      (x->peer < 0 || x->outgoing))
    st->bytes_per_block += piece_bytes(st, x);
}

static hg_status lacks(const hg_stencil *st, double bytes, double have)
{
  return hg_fail(HG_MEMORY, "the tiles of rank %d need %.2f GB, %.2f GB are available", st->base.session->rank,
                 bytes / 1e9, have / 1e9);
}

/* Refuses absurd sizes before they are cut into tiles; margins and other data are checked when memory is allocated. */
static hg_status check_size(const hg_stencil *st)
{
  const double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  double bytes = 0;
  for (int r = 0; r < st->base.tiling->regions; r++)
    if (st->base.tiling->region[r].rank == st->base.session->rank)
      bytes += 2 * (double)hg_box_cells(&st->base.tiling->region[r].box) * (double)st->kernel->value_bytes;
  return bytes <= have || hg_simulated ? HG_OK : lacks(st, bytes, have);
}

/* The source term, and twice the pieces, with StarPU's record for each. */
static double bytes_besides(const hg_stencil *st)
{
  const double RECORD = 7000;
  double bytes = st->kernel->has_source ? (double)hg_stencil_bytes(st) : 0;
  for (int i = 0; i < st->exchanges; i++) bytes += 2 * (piece_bytes(st, &st->exchange[i]) + RECORD);
  return bytes;
}

/* Bytes. StarPU writes back what does not fit on a GPU, but would wait for ever once the main memory that it may use
 * is full. */
static double memory_available(const hg_stencil *st)
{
  const double have = (double)hg_memory_available();
  const starpu_ssize_t left = starpu_memory_get_available(STARPU_MAIN_RAM);
  return st->crowded && left >= 0 ? fmin(have, (double)left) : have;
}

hg_status hg_stencil_check_memory(const hg_stencil *st, int states)
{
  const double have = memory_available(st), bytes = states * (double)hg_stencil_bytes(st) + bytes_besides(st);
  return bytes <= have || hg_simulated ? HG_OK : lacks(st, bytes, have);
}

/* Marks the tiles of a GPU that may be evicted after a visit: blocks visit tiles in this order and backwards in turn,
 * so the `stay` last ones are soon visited again. */
static void note_far_tiles(hg_stencil *st, int worker, int tiles, int stay)
{
  for (int i = 0, at = 0; i < st->tiles; i++) {
    hg_stencil_tile *t = &st->tile[i];
    if (hg_graph_worker(&st->base, t->id) != worker) continue;
    t->far[0] = tiles - at > stay;
    t->far[1] = at + 1 > stay;
    at++;
  }
}

static bool is_of(const hg_stencil *st, const hg_exchange *x, int worker)
{
  return x->peer < 0 && hg_graph_worker(&st->base, x->piece.from) == worker &&
         hg_graph_worker(&st->base, x->piece.to) == worker;
}

/* Places pieces between tiles of a crowded GPU. If they fit beside `states`, they stay on the GPU: StarPU does not
 * evict data whose write-through target is where they are. Otherwise they are written through to main memory, so that
 * StarPU need not do so when it lacks room. Returns the bytes that stay. */
static double place_pieces(hg_stencil *st, int worker, double room, double states)
{
  const unsigned here = starpu_worker_get_memory_node((unsigned)worker);
  double bytes = 0;
  for (int i = 0; i < st->exchanges; i++)
    if (is_of(st, &st->exchange[i], worker)) bytes += 2 * piece_bytes(st, &st->exchange[i]);
  const bool stay = bytes + states <= room && here < HG_SCHED_MASK;
  const uint32_t mask = 1U << (stay ? here : STARPU_MAIN_RAM);
  for (int i = 0; i < st->exchanges; i++) {
    if (!is_of(st, &st->exchange[i], worker)) continue;
    for (int parity = 0; parity < 2; parity++) starpu_data_set_wt_mask(st->exchange[i].handle[parity], mask);
  }
  return stay ? bytes : 0;
}

/* Bytes of one state of a worker's tiles, the number of tiles, and the bytes of the largest. */
static double bytes_of_worker(const hg_stencil *st, int worker, int *tiles, size_t *largest)
{
  double bytes = 0;
  *tiles = 0, *largest = 0;
  for (int i = 0; i < st->tiles; i++) {
    const size_t state = place_bytes(st, &st->tile[i]);
    if (hg_graph_worker(&st->base, st->tile[i].id) != worker) continue;
    bytes += (double)state;
    *tiles += 1;
    *largest = state > *largest ? state : *largest;
  }
  return bytes;
}

/* Finds GPUs of this rank without room for both states of their tiles. There all states have the same size, so that
 * one can reuse the memory of another: otherwise StarPU frees memory, which waits until the GPU is idle. */
static void find_crowded(hg_stencil *st)
{
  /* MOVING states: two of a task, two arriving for the next one, one leaving. AT_WORK: the fewest for which pieces may
   * stay */
  enum { MOVING = 5, AT_WORK = 3 };
  const hg_session *s = st->base.session;
  for (int w = 0; w < s->workers; w++) {
    const double room = hg_use_gpu_room(w);
    int tiles;
    size_t largest;
    const double bytes = bytes_of_worker(st, w, &tiles, &largest);
    if (room == 0 || 2 * bytes <= room) continue;
    st->crowded = true;
    st->least_bytes = largest > st->least_bytes ? largest : st->least_bytes;
    const double states = (AT_WORK + (st->kernel->has_source ? 2 : 0)) * (double)largest,
                 pieces = place_pieces(st, w, room, states);
    note_far_tiles(st, w, tiles, (int)((room - pieces) / (double)largest) - MOVING);
  }
}

hg_status hg_stencil_build(hg_stencil *st, hg_fill *source, void *arg)
{
  st->base.times = calloc((size_t)st->base.session->workers, sizeof *st->base.times);
  if (!st->base.times) return hg_fail(HG_MEMORY, "no memory for %d workers", st->base.session->workers);
  HG_TRY(check_size(st));
  HG_TRY(list_tiles(st));
  HG_TRY(list_exchanges(st));
  HG_TRY(hg_stencil_check_memory(st, 0));
  HG_TRY(link_exchanges(st));
  size_t largest = 0, total = 0;
  for (int i = 0; i < st->tiles; i++) {
    const hg_tile_info *info = &st->tile[i].info;
    size_t handles = (size_t)info->in_count + (size_t)info->out_count + 4;
    largest = handles > largest ? handles : largest;
    total += state_bytes(st, &st->tile[i]);
  }
  st->descr = malloc((largest + 1) * sizeof *st->descr);
  if (!st->descr) return hg_fail(HG_MEMORY, "no memory for %zu handles", largest);
  for (int i = 0; i < st->exchanges; i++) register_exchange(st, &st->exchange[i]);
  find_crowded(st);
  for (int i = 0; i < st->tiles; i++) {
    st->tile[i].info.shape.stream = total > STREAM_BYTES;
    HG_TRY(register_tile(st, &st->tile[i]));
    if (st->kernel->has_source) HG_TRY(hg_tile_load_source(st, &st->tile[i], source, arg));
  }
  return HG_OK;
}

hg_status hg_stencil_hold(hg_stencil *st, int parity)
{
  const size_t bytes = hg_stencil_bytes(st);
  if (st->memory[parity].memory && st->memory[parity].bytes >= bytes) return HG_OK;
  return hg_pinned_grow("the states of the tiles", bytes > 0 ? bytes : 1, &st->memory[parity]);
}

hg_status hg_stencil_open_states(hg_stencil *st)
{
  if (st->memory[0].memory) return HG_OK;
  HG_TRY(hg_stencil_check_memory(st, 2));
  for (int i = 0; i < 2; i++) {
    HG_TRY(hg_stencil_hold(st, i));
    hg_stencil_register(st, i);
  }
  return HG_OK;
}

static void free_tile(const hg_stencil *st, hg_stencil_tile *t)
{
  const size_t bytes = state_bytes(st, t);
  if (t->source) starpu_data_unregister_no_coherency(t->source);
  hg_pinned_free(t->source_memory, bytes);
  if (t->measured) starpu_data_unregister(t->measured);
  free(t->result);
  free(t->in);
  free(t->out);
  free(t->in_cells);
  free(t->out_cells);
}

void hg_stencil_release(hg_stencil *st)
{
  for (int i = 0; i < 2; i++) {
    hg_stencil_unregister(st, i);
    hg_pinned_drop(&st->memory[i]);
  }
  for (int i = 0; i < st->tiles; i++) free_tile(st, &st->tile[i]);
  for (int i = 0; i < st->exchanges; i++)
    for (int j = 0; j < 2; j++)
      if (st->exchange[i].handle[j]) starpu_data_unregister_no_coherency(st->exchange[i].handle[j]);
  free(st->tile);
  free(st->exchange);
  free(st->base.times);
  free(st->descr);
}
