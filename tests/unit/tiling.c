/* SPDX-License-Identifier: MIT */
/* Property tests of tiles and pieces on random grids, partitions, boundaries and depths. */
#include "placement/choose.h"
#include "placement/halo.h"

#include <stdlib.h>

#include "input/domain.h"
#include "partition/partition.h"
#include "partition/points.h"
#include "tap.h"

enum { PARTS = 6 };

typedef struct sample {
  hg_domain domain;
  hg_box box[PARTS];
  hg_tiling tiling;
} sample;

static void random_sample(uint64_t *state, sample *s)
{
  hg_domain *p = &s->domain;
  *p = (hg_domain){.dims = (int)tap_between(state, 1, 3)};
  for (int a = 0; a < 3; a++) p->n[a] = a < p->dims ? tap_between(state, 1, p->dims == 3 ? 9 : 25) : 1;
  for (int a = 0; a < p->dims; a++) {
    bool periodic = tap_between(state, 0, 3) == 0;
    for (int h = 0; h < 2; h++)
      p->side[a][h] = periodic ? HG_PERIODIC : tap_between(state, 0, 1) ? HG_FIXED : HG_INSULATED;
  }
  double speed[PARTS];
  int rank[PARTS];
  int64_t tile[PARTS][3];
  for (int i = 0; i < PARTS; i++) {
    speed[i] = (double)tap_between(state, 0, 5);
    rank[i] = i / 2;
    for (int a = 0; a < 3; a++) tile[i][a] = tap_between(state, 1, 9);
  }
  speed[2] = 1;
  const hg_partition_request r = {.dims = p->dims, .parts = PARTS, .speed = speed};
  static const char *const names[] = {"rows", "columns", "two-factor", "auto", "nphp", "recursive"};
  hg_partition(names[tap_between(state, 0, 5)], &r, p->n, s->box);
  p->radius = (int)tap_between(state, 1, 2);
  int64_t most = hg_tiling_max_depth(p);
  if (most < 1) p->radius = 1, most = hg_tiling_max_depth(p);
  int depth = (int)tap_between(state, 1, most < 7 ? most : 7);
  hg_tiling_make(p, PARTS, s->box, rank, depth, (const int64_t(*)[3])tile, &s->tiling);
}

/* The grid cell behind cell e of the extended grid, found by folding, not by images. */
static int64_t fold(const hg_domain *p, int axis, int64_t e)
{
  int64_t n = p->n[axis];
  if (e < 0) return p->side[axis][0] == HG_PERIODIC ? e + n : -1 - e;
  if (e >= n) return p->side[axis][1] == HG_PERIODIC ? e - n : 2 * n - 1 - e;
  return e;
}

static bool inside(const hg_box *b, const int64_t at[3])
{
  bool in = true;
  for (int a = 0; a < 3; a++) in = in && at[a] >= b->lo[a] && at[a] < b->hi[a];
  return in;
}

/* Every cell of the margin is in exactly one piece, which maps it to the folded cell, owned by the piece's tile. */
static int margin_faults(const sample *s, int tile, const hg_halo_piece *list, int count)
{
  hg_box core = hg_tile_core(&s->tiling, tile), padded = hg_tile_padded(&s->tiling, &core);
  int faults = 0;
  int64_t e[3];
  for (e[2] = padded.lo[2]; e[2] < padded.hi[2]; e[2]++)
    for (e[1] = padded.lo[1]; e[1] < padded.hi[1]; e[1]++)
      for (e[0] = padded.lo[0]; e[0] < padded.hi[0]; e[0]++) {
        int hits = 0;
        for (int i = 0; i < count; i++) {
          if (!inside(&list[i].box, e)) continue;
          hits++;
          hg_box owner = hg_tile_core(&s->tiling, list[i].from);
          int64_t cell[3];
          for (int a = 0; a < 3; a++) {
            cell[a] = list[i].sign[a] * e[a] + list[i].offset[a];
            faults += cell[a] != fold(&s->domain, a, e[a]);
          }
          faults += !inside(&owner, cell);
        }
        faults += hits != !inside(&core, e);
      }
  return faults;
}

static bool lists(const hg_tiling *t, int tile, int other)
{
  hg_halo_piece *list;
  int count;
  bool found = false;
  hg_tile_halo_pieces(t, tile, &list, &count);
  for (int i = 0; i < count; i++) found = found || list[i].from == other;
  free(list);
  return found;
}

/* Cells that a region receives from other regions, and from how many, by listing all pieces. */
static hg_halo listed_halo(const hg_tiling *t, const hg_region *region)
{
  hg_halo halo = {0};
  bool seen[PARTS] = {false};
  for (int i = 0; i < t->tiles; i++) {
    hg_halo_piece *list = NULL;
    int count = 0;
    if (hg_tile_region(t, i) != region) continue;
    hg_tile_halo_pieces(t, i, &list, &count);
    for (int k = 0; k < count; k++) {
      const hg_region *from = hg_tile_region(t, list[k].from);
      if (from == region) continue;
      halo.cells += hg_box_cells(&list[k].box);
      halo.messages += !seen[from - t->region];
      seen[from - t->region] = true;
    }
    free(list);
  }
  return halo;
}

static void halos_are_those_of_the_pieces(void)
{
  uint64_t state = 21;
  int failed = 0, unlike = 0;
  int64_t all = 0;
  for (int round = 0; round < 1500; round++) {
    sample s;
    hg_halo halo[PARTS];
    random_sample(&state, &s);
    failed += hg_tiling_halos(&s.tiling, halo) != HG_OK;
    for (int i = 0; i < PARTS; i++) {
      const hg_halo listed = listed_halo(&s.tiling, &s.tiling.region[i]);
      unlike += listed.cells != halo[i].cells || listed.messages != halo[i].messages;
      all += halo[i].cells;
    }
    hg_tiling_free(&s.tiling);
  }
  tap_ok(failed == 0 && unlike == 0 && all > 0, "halos by sweeping are those of the pieces (%d not, %lld cells in all)",
         unlike, (long long)all);
}

/* A square with fixed sides, and the depth for a kernel that prefers blocks of 32 steps. */
static bool alone(int64_t n, int64_t steps, int workers, int depth)
{
  const hg_domain domain = {.dims = 2, .n = {n, n, 1}, .radius = 1};
  const hg_choice choice = {&domain, sizeof(double), steps, false, {depth, 24}, 0};
  return hg_choose_alone(&choice, workers);
}

static int depth_of(int64_t n, int regions, int likes)
{
  const hg_domain domain = {.dims = 2, .n = {n, n, 1}, .radius = 1};
  const hg_choice choice = {&domain, sizeof(double), 20000, false, {likes, 24}, 0};
  const hg_box box[2] = {{{0, 0, 0}, {n, n / regions, 1}}, {{0, n / 2, 0}, {n, regions > 1 ? n : n / 2, 1}}};
  return hg_choose_depth(&choice, false, regions, box);
}

/* Messages take 1 ms whatever their length, and a layer of 1000 cells takes 8 us to move through memory, by the last
 * point of a node's table: 2 ms / k + (k - 1) / 2 * 8 us is least at k = 22. */
static int depth_by_network(int64_t steps)
{
  const hg_domain domain = {.dims = 2, .n = {1000, 1000, 1}, .radius = 1};
  const hg_choice choice = {&domain, sizeof(double), steps, false, {32, 24}, 0};
  const hg_box box[2] = {{{0, 0, 0}, {1000, 500, 1}}, {{0, 500, 0}, {1000, 1000, 1}}};
  hg_network_point slow[2] = {{.bytes = 0, .seconds = 1e-3}, {.bytes = 1e6, .seconds = 1e-3}},
                   memory[3] = {{.bytes = 0, .seconds = 1e-6}, {.bytes = 1e6, .seconds = 1e-3}, {.bytes = 0}};
  const hg_network_level wire = {.points = 2, .point = slow}, node = {.points = 2, .point = memory};
  return hg_choose_depth_by_network(&choice, &wire, &node, 2, box);
}

static int depth_of_cubes(int64_t n, int likes)
{
  const hg_domain domain = {.dims = 3, .n = {n, n, 2 * n}, .radius = 1};
  const hg_choice choice = {&domain, sizeof(double), 20000, false, {likes, 4}, 0};
  const hg_box box[2] = {{{0, 0, 0}, {n, n, n}}, {{0, 0, n}, {n, n, 2 * n}}};
  return hg_choose_depth(&choice, false, 2, box);
}

/* A worker without cells does not prevent deep blocks of the others. */
static int depth_beside_nobody(void)
{
  const hg_domain domain = {.dims = 2, .n = {4000, 4000, 1}, .radius = 1};
  const hg_choice choice = {&domain, sizeof(double), 20000, false, {32, 24}, 0};
  const hg_box box[2] = {{{0, 0, 0}, {4000, 4000, 1}}, {{4000, 4000, 1}, {4000, 4000, 1}}};
  return hg_choose_depth(&choice, false, 2, box);
}

static int depth_by_bus(int64_t n, int64_t steps, int radius, double memory)
{
  const hg_domain domain = {.dims = 2, .n = {n, n, 1}, .radius = radius};
  const hg_choice choice = {&domain, sizeof(double), steps, false, {32, 24}, memory};
  const hg_box box = {{0, 0, 0}, {n, n, 1}};
  return hg_choose_depth_by_bus(&choice, 1, &box);
}

static void deep_where_memory_is_short(void)
{
  const int large = depth_by_bus(32000, 19200, 1, 12e9), few = depth_by_bus(32000, 200, 1, 12e9),
            wide = depth_by_bus(32000, 12800, 8, 12e9), small = depth_by_bus(1000, 6200, 1, 12e9);
  tap_ok(large == 192, "a grid that is copied to the GPU and back is done in tasks of 192 steps (%d)", large);
  tap_ok(few == 100, "200 steps are done in two tasks of 100, which copy it as often as 192 and 8 would (%d)", few);
  tap_ok(wide == 102 && small == 100, "margins are a tenth of a tile at most (%d of radius 8, %d)", wide, small);
  tap_int(depth_by_bus(8000, 16000, 1, 2e8), 160, "... which is as small as its GPU's memory requires");
}

/* A tile of a whole grid on a GPU of so many bytes. */
static void gpu_tile_is(int dims, int64_t n, double memory, int64_t x, int64_t y, int64_t z, const char *name)
{
  const hg_domain domain = {.dims = dims, .n = {n, dims > 1 ? n : 1, dims > 2 ? n : 1}, .radius = 1};
  const hg_choice choice = {&domain, sizeof(double), 100, false, {32, 24}, memory};
  int64_t tile[3];
  hg_choose_tile(&choice, &(hg_box){{0, 0, 0}, {domain.n[0], domain.n[1], domain.n[2]}}, true, 24, tile);
  tap_ok(tile[0] == x && tile[1] == y && tile[2] == z, "%s (%lld x %lld x %lld)", name, (long long)tile[0],
         (long long)tile[1], (long long)tile[2]);
}

static void slabs_lie_along_borders(void)
{
  const hg_domain domain = {.dims = 2, .radius = 1, .n = {16000, 16000, 1}};
  const hg_choice choice = {&domain, sizeof(double), 100, false, {32, 24}, 0};
  int64_t half[3], corner[3], small[3];
  hg_choose_tile(&choice, &(hg_box){{0, 8000, 0}, {16000, 16000, 1}}, true, 24, half);
  hg_choose_tile(&choice, &(hg_box){{0, 0, 0}, {8000, 16000, 1}}, true, 24, corner);
  hg_choose_tile(&choice, &(hg_box){{0, 0, 0}, {4000, 4000, 1}}, true, 24, small);
  tap_ok(half[0] == 16000 && half[1] == 2667, "half a grid on a GPU: three slabs along the border");
  tap_ok(corner[0] == 2667 && corner[1] == 16000, "... along whichever axis it is cut");
  tap_ok(small[0] == 4000 && small[1] == 4000, "slabs that do not fill the GPU: one tile");
}

static void tiles_have_room_on_gpus(void)
{
  gpu_tile_is(2, 32000, 0, 8192, 8192, 1, "a GPU's tile fills it");
  gpu_tile_is(2, 32000, 12e9, 8192, 8192, 1, "... also where the grid has not room, but four tiles have");
  gpu_tile_is(2, 8000, 6e8, 2667, 2667, 1, "in less memory tiles are smaller squares: both states of four are 455 MB");
  gpu_tile_is(3, 1000, 4e9, 1000, 250, 250, "in space they keep whole lines");
  gpu_tile_is(1, 1000000, 8e6, 125000, 1, 1, "a line is cut in pieces");
}

static void small_grids_stay_whole(void)
{
  tap_ok(alone(100, 20000, 2, 32), "100 x 100 cells are not worth dividing");
  tap_ok(alone(140, 20000, 2, 32), "nor are 140 x 140: 20225 by one worker, 20331 by two in blocks of 17 steps");
  tap_ok(!alone(150, 20000, 2, 32), "150 x 150 are: 23125 by one worker, 21413 by two in blocks of 18");
  tap_ok(!alone(1000, 20000, 2, 32), "1000 x 1000 cells are");
  tap_ok(!alone(400, 20000, 30, 32), "400 x 400 are among 30 workers");
  tap_ok(!alone(100, 10, 2, 32), "few steps are divided for all sizes");
  tap_ok(!alone(100, 20000, 1, 32), "a single worker has no other to divide with");
  tap_ok(!alone(100, 20000, 2, 0), "grids are divided for kernels without a preferred depth");
  tap_int(depth_of(100, 1, 32), 256, "steps of a task on a small grid");
  tap_int(depth_of(100, 2, 32), 12, "steps of a task on half of it: a quarter of its height");
  tap_int(depth_of(4000, 1, 32), 32, "steps of a task on a large one");
  tap_int(depth_beside_nobody(), 32, "... if one of two workers has no part of it");
  tap_int(depth_of_cubes(128, 12), 12, "steps of a task on a large cube");
  tap_int(depth_of_cubes(60, 12), 10, "steps of a task on a cube: a sixth of its height");
  tap_int(depth_by_network(1000), 22, "steps of a task between ranks whose messages are slow");
  tap_int(depth_by_network(9), 9, "... but not more than the run has");
  tap_int(depth_of(40000, 1, 0), 32, "steps of an update by points, for all lengths of rows");
}

/* Cells of the tiles of a large region. */
static int64_t tile_cells(int dims, int64_t x, int64_t y, int64_t z)
{
  const hg_domain domain = {.dims = dims, .n = {x, y, z}, .radius = 1};
  const hg_choice choice = {&domain, sizeof(double), 100, false, {32, 24}, 0};
  int64_t tile[3];
  hg_choose_tile(&choice, &(hg_box){{0, 0, 0}, {x, y, z}}, false, 8, tile);
  return tile[0] * tile[1] * tile[2];
}

static void large_regions_are_cut(void)
{
  tap_int(tile_cells(2, 1 << 16, 1 << 16, 1), 1 << 28, "a tile of 2^32 cells in rows");
  tap_int(tile_cells(3, 1 << 10, 1 << 12, 1 << 10), 1 << 28, "... in layers");
  tap_int(tile_cells(3, 1 << 4, 1 << 20, 1 << 5), 1 << 28, "... in layers of long columns");
  tap_int(tile_cells(2, 1 << 13, 1 << 13, 1), 1 << 25, "half of a region of 2^26 cells");
}

/* Regions may be in any order: here the second one holds the first cells. */
static void cells_are_found_in_their_regions(void)
{
  const hg_domain domain = {.dims = 2, .n = {8, 6, 1}, .radius = 1};
  const hg_box box[2] = {{{4, 0, 0}, {8, 6, 1}}, {{0, 0, 0}, {4, 6, 1}}};
  const int64_t size[2][3] = {{2, 3, 1}, {2, 3, 1}};
  hg_tiling t;
  int64_t at[3] = {0};
  int wrong = 0;
  if (hg_tiling_make(&domain, 2, box, (const int[]){0, 0}, 1, size, &t) != HG_OK) return;
  for (at[1] = 0; at[1] < 6; at[1]++)
    for (at[0] = 0; at[0] < 8; at[0]++) {
      const hg_box core = hg_tile_core(&t, hg_tile_at(&t, at));
      wrong += !inside(&core, at);
    }
  tap_int(wrong, 0, "the tile at a cell contains it, wherever its region is");
  hg_tiling_free(&t);
}

static int dealt_to(const int64_t *start, int64_t cell)
{
  int own = 0;
  while (start[own + 1] <= cell) own++;
  return own;
}

/* Checks all pairs of cells: neighbours are those whose places differ by one along one axis. */
static void points_are_measured(void)
{
  const int64_t n[3] = {3, 4, 5}, start[] = {0, 13, 30, 31, 60}, cells = n[0] * n[1] * n[2];
  int64_t edges = 0, halo = 0;
  for (int64_t i = 0; i < cells; i++) {
    bool seen[4] = {false};
    for (int64_t j = 0; j < cells; j++) {
      const int64_t away = llabs(i % n[0] - j % n[0]) + llabs(i / n[0] % n[1] - j / n[0] % n[1]) +
                           llabs(i / (n[0] * n[1]) - j / (n[0] * n[1]));
      const int other = dealt_to(start, j);
      if (away != 1 || other == dealt_to(start, i)) continue;
      edges++;
      halo += !seen[other];
      seen[other] = true;
    }
  }
  hg_points_metrics m;
  tap_int(hg_points_measure(n, NULL, 4, start, &m), HG_OK, "cells that are dealt out in row order are measured");
  tap_int(m.items_edges, edges, "neighbours in other parts");
  tap_int(m.items_cells, halo, "values that they need");
  tap_ok(m.pairs == 4 && m.max_neighbours == 3, "%d pairs of parts, at most %d next to one", m.pairs, m.max_neighbours);
}

/* A region of 2000 x 4000 cells in tiles of 64 x 64 with 16 steps per task; tiles that are few or large are kept. */
static void many_small_tiles_become_wider(void)
{
  const hg_box region = {{0, 0, 0}, {2000, 4000, 1}}, small = {{0, 0, 0}, {300, 200, 1}};
  int64_t tile[3] = {64, 64, 1}, few[3] = {16, 16, 100}, large[3] = {300, 300, 1};
  tap_ok(hg_choose_wider(&region, 16, tile) && tile[0] * tile[1] * 16 >= 1000000 && tile[0] % 64 == 0 && tile[2] == 1,
         "tiles of 64 x 64 grow until their tasks are worth it: %d x %d", (int)tile[0], (int)tile[1]);
  tap_ok(!hg_choose_wider(&region, 16, large) && large[0] == 300, "tiles of 300 x 300 stay");
  few[0] = 64, few[1] = 64;
  tap_ok(!hg_choose_wider(&small, 16, few) && few[0] == 64, "tiles of 64 x 64 that are few stay");
}

int main(void)
{
  cells_are_found_in_their_regions();
  points_are_measured();
  halos_are_those_of_the_pieces();
  uint64_t state = 7;
  int64_t faults = 0, cells_off = 0, one_sided = 0, pieces = 0, wrong_region = 0;
  for (int round = 0; round < 400; round++) {
    sample s;
    random_sample(&state, &s);
    int64_t cells = 0;
    for (int tile = 0; tile < s.tiling.tiles; tile++) {
      hg_halo_piece *list;
      int count;
      hg_box core = hg_tile_core(&s.tiling, tile);
      const hg_region *region = hg_tile_region(&s.tiling, tile);
      hg_box common = hg_box_meet(&region->box, &core);
      wrong_region += !hg_box_equal(&common, &core);
      cells += hg_box_cells(&core);
      hg_tile_halo_pieces(&s.tiling, tile, &list, &count);
      faults += margin_faults(&s, tile, list, count);
      for (int i = 0; i < count && s.tiling.tiles < 60; i++) one_sided += !lists(&s.tiling, list[i].from, tile);
      pieces += count;
      free(list);
    }
    cells_off += cells != s.domain.n[0] * s.domain.n[1] * s.domain.n[2];
    hg_tiling_free(&s.tiling);
  }
  tap_ok(pieces > 10000, "the samples have many pieces (%lld)", (long long)pieces);
  tap_int(cells_off, 0, "tiles own every cell of the grid");
  tap_int(wrong_region, 0, "a tile is inside its region");
  tap_int(faults, 0, "every margin cell comes from exactly one piece, from the cell that folding gives");
  tap_int(one_sided, 0, "being neighbours is mutual");

  hg_domain sides = {
      .dims = 2, .n = {5, 9, 1}, .side = {{HG_FIXED, HG_FIXED}, {HG_PERIODIC, HG_PERIODIC}}, .radius = 1};
  tap_int(hg_tiling_max_depth(&sides), 9,
          "along a periodic axis a block has at most as many steps as the grid is wide");
  sides.side[0][1] = HG_INSULATED;
  tap_int(hg_tiling_max_depth(&sides), 5, "... or one that mirrors");
  const hg_domain domain = {.dims = 2, .n = {8, 8, 1}, .side = {{HG_INSULATED, HG_INSULATED}}, .radius = 1};
  const hg_box box = {{0, 0, 0}, {8, 8, 1}};
  const int rank = 0;
  const int64_t tile[1][3] = {{8, 8, 1}};
  hg_tiling t;
  tap_ok(hg_tiling_make(&domain, 1, &box, &rank, 9, tile, &t) == HG_INVALID,
         "margins wider than the grid are refused (%s)", hg_message());
  tap_ok(hg_tiling_make(&domain, 1, &box, &rank, 0, tile, &t) == HG_INVALID, "blocks of no steps are refused (%s)",
         hg_message());
  deep_where_memory_is_short();
  slabs_lie_along_borders();
  tiles_have_room_on_gpus();
  small_grids_stay_whole();
  large_regions_are_cut();
  many_small_tiles_become_wider();
  return tap_done();
}
