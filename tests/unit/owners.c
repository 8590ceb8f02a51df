/* SPDX-License-Identifier: MIT */
/* Tiles and their owners: balanced counts, exact regions. */
#include "schedulers/owners.h"

#include <stdlib.h>

#include "tap.h"

/* Smallest possible count * seconds of the slowest worker, by brute force. */
static double best_makespan(int tiles, int workers, const double *seconds)
{
  if (workers == 1) return tiles * seconds[0];
  double best = INFINITY;
  for (int mine = 0; mine <= tiles; mine++)
    best = fmin(best, fmax(mine * seconds[0], best_makespan(tiles - mine, workers - 1, seconds + 1)));
  return best;
}

static void counts_are_the_best_there_are(void)
{
  uint64_t state = 11;
  int wrong = 0;
  for (int trial = 0; trial < 300; trial++) {
    int tiles = (int)tap_between(&state, 1, 24), count[4], sum = 0;
    const int none[4] = {0};
    double seconds[4], makespan = 0;
    for (int w = 0; w < 4; w++) seconds[w] = 1 + (double)tap_between(&state, 0, 400) * .1;
    hg_owners_counts(tiles, 4, seconds, none, count);
    for (int w = 0; w < 4; w++) {
      sum += count[w];
      makespan = fmax(makespan, count[w] * seconds[w]);
    }
    wrong += sum != tiles || makespan > best_makespan(tiles, 4, seconds) * (1 + 1e-12);
  }
  tap_int(wrong, 0, "of 300 random sets of 4 workers, counts that are not the best");
}

static char keys[4096]; /* whose addresses stand for the tiles' data */

static int tile(hg_owners *o, int x, int y)
{
  return hg_owners_tile(o, &keys[64 * y + x], 2, (int[]){x, y});
}

/* The next tile along an axis, or -1. */
static int beside(const hg_owners *o, int i, int axis)
{
  int64_t at[3];
  memcpy(at, o->tile[i].at, sizeof at);
  at[axis]++;
  for (int j = 0; j < o->tiles; j++)
    if (memcmp(o->tile[j].at, at, sizeof at) == 0) return j;
  return -1;
}

static void every_tile_gets_an_owner(const char *partitioner)
{
  hg_owners o = {.tile = NULL};
  const double seconds[] = {.5, 1.25, INFINITY, 20, 20};
  int count[5] = {0}, cut = 0;
  for (int y = 0; y < 7; y++)
    for (int x = 0; x < 10; x++) tile(&o, x, y);
  tap_int(tile(&o, 3, 2), 23, "a tile that is known keeps its number");
  tap_ok(hg_owners_assign(&o, partitioner, 5, seconds) == HG_OK, "%s: tiles are shared out", partitioner);
  for (int i = 0; i < o.tiles; i++) {
    count[o.tile[i].worker]++;
    for (int axis = 0; axis < 2; axis++) {
      int other = beside(&o, i, axis);
      cut += other >= 0 && o.tile[other].worker != o.tile[i].worker;
    }
  }
  tap_ok(count[0] == 49 && count[1] == 19 && count[2] == 0 && count[3] == 1 && count[4] == 1,
         "%s: counts by speed (%d %d %d %d %d)", partitioner, count[0], count[1], count[2], count[3], count[4]);
  tap_ok(cut < 50, "%s: %d of 123 borders are between owners", partitioner, cut);
  hg_owners_free(&o);
}

/* Of four equal workers each gets a quarter, cut along both axes. */
static void quarters_are_squares(void)
{
  const double seconds[] = {1, 1, 1, 1};
  hg_owners o = {.tile = NULL};
  int cut = 0;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++) tile(&o, x, y);
  hg_owners_assign(&o, "nphp", 4, seconds);
  for (int i = 0; i < o.tiles; i++)
    for (int axis = 0; axis < 2; axis++) {
      const int other = beside(&o, i, axis);
      cut += other >= 0 && o.tile[other].worker != o.tile[i].worker;
    }
  tap_int(cut, 16, "borders between four quarters of 8 x 8 tiles");
  hg_owners_free(&o);
}

static void settled_tiles_stay(void)
{
  hg_owners o = {.tile = NULL};
  const double equal[] = {1, 1};
  int count[2] = {0}, moved = 0;
  for (int x = 0; x < 20; x++) hg_owners_tile(&o, &keys[x], 1, &x);
  for (int i = 0; i < 8; i++) {
    o.tile[2 * i].worker = 1;
    o.tile[2 * i].settled = true;
  }
  hg_owners_assign(&o, "nphp", 2, equal);
  for (int i = 0; i < 20; i++) count[o.tile[i].worker]++;
  for (int i = 0; i < 8; i++) moved += o.tile[2 * i].worker != 1;
  tap_ok(moved == 0 && count[0] == 10 && count[1] == 10, "settled tiles stay and the rest balances (%d and %d)",
         count[0], count[1]);
  hg_owners_free(&o);
}

/* Writes the tiles for which `wanted` is true. */
static void write_tiles(hg_owners *o, int step, bool (*wanted)(int x, int y, int step))
{
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      if (wanted(x, y, step)) hg_owners_submitted(o, tile(o, x, y));
}

static bool always(int x, int y, int step)
{
  (void)x;
  (void)y;
  (void)step;
  return true;
}

static bool is_left(int x, int y, int step)
{
  return x >= step && y >= step;
}

static void stencils_are_told_from_factorisations(void)
{
  hg_owners stencil = {0}, elimination = {0};
  for (int i = 0; i < 4; i++) write_tiles(&stencil, i, always);
  tap_ok(hg_owners_uniform(&stencil), "tiles that are written in turns are written equally often");
  for (int step = 0; step < 8; step++) write_tiles(&elimination, step, is_left);
  tap_ok(!hg_owners_uniform(&elimination), "those of a factorisation are not");
  hg_owners_free(&stencil);
  hg_owners_free(&elimination);
}

static void tiles_are_known_by_their_data(void)
{
  hg_owners o = {0};
  const int at[] = {3, 5}, a = hg_owners_tile(&o, &keys[0], 2, at), b = hg_owners_tile(&o, &keys[1], 2, at);
  tap_ok(a != b, "tiles of two matrices with the same coordinates are different");
  tap_int(hg_owners_tile(&o, &keys[1], 2, at), b, "... and each keeps its number");
  o.tile[a].worker = 1;
  const int moved = hg_owners_tile(&o, &keys[0], 2, (int[]){4, 5});
  tap_ok(o.tile[moved].worker == -1 && o.known == 2, "data that now represent another tile have no owner yet");
  o.tile[b].live = 1;
  tap_int(hg_owners_tile(&o, &keys[1], 2, (int[]){4, 5}), b, "... unless a task waits that writes them");
  hg_owners_free(&o);
}

static void tiles_that_are_gone_make_room(void)
{
  hg_owners o = {0};
  for (int i = 0; i < 100000; i++) {
    const int t = hg_owners_tile(&o, (const char *)NULL + i + 1, 2, (int[]){i / 100, i % 100});
    hg_owners_submitted(&o, t);
    o.tile[t].live--;
  }
  tap_ok(o.room <= 16384, "of 100000 tiles written once the table keeps the last ones: it has room for %d", o.room);
  tap_ok(hg_map_find(&o.of_key, (const char *)NULL + 100000) >= 0 && hg_map_find(&o.of_key, (const char *)NULL + 1) < 0,
         "... not the first");
  hg_owners_free(&o);
}

int main(void)
{
  counts_are_the_best_there_are();
  every_tile_gets_an_owner("nphp");
  every_tile_gets_an_owner("rows");
  quarters_are_squares();
  settled_tiles_stay();
  stencils_are_told_from_factorisations();
  tiles_are_known_by_their_data();
  tiles_that_are_gone_make_room();
  return tap_done();
}
