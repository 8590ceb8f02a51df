/* SPDX-License-Identifier: MIT */
/* Blocks of several steps at insulated sides, by an update that distinguishes an image from its original: the bits of
 * single steps, before each of which everything around the grid is filled in again. Compiled for each number of
 * dimensions. */
#include <stdlib.h>
#include <string.h>

#include "../gpu/units_updates.h"
#include "base/memory.h"
#include "codelets/units/units_cpu.h"
#include "codelets/units/units_lanes.h"
#include "tap.h"

enum { REACH = HG_RADIUS, HELD, MIRRORED, WRAPPED };

typedef struct grid {
  int64_t n[3];
  int side[3][2];
  int64_t wide[3], cells; /* including REACH cells around the grid, which are unused at held sides */
  double *value, *next;
} grid;

static const double parameters[2] = {.25, .125};

/* The grid's cell of which a cell around the grid is an image. */
static int64_t original(const grid *g, int axis, int64_t i)
{
  const int64_t n = g->n[axis];
  if (i >= 0 && i < n) return i;
  if (g->side[axis][i >= 0] == MIRRORED) return i < 0 ? -1 - i : 2 * n - 1 - i;
  return (i + 2 * n) % n;
}

static int64_t place(const grid *g, const int64_t at[3])
{
  int64_t p = 0;
  for (int a = 2; a >= 0; a--) p = p * g->wide[a] + at[a] + (a < HG_DIMS ? REACH : 0);
  return p;
}

static double value_at(const grid *g, const int64_t at[3])
{
  const int64_t from[3] = {original(g, 0, at[0]), original(g, 1, at[1]), original(g, 2, at[2])};
  return g->value[place(g, from)];
}

static grid make_grid(uint64_t *state)
{
  const int64_t most[3] = {HG_DIMS == 2 ? 400 : 60, HG_DIMS == 2 ? 40 : 20, 12};
  grid g = {.cells = 1};
  for (int a = 0; a < 3; a++) {
    const bool wrapped = tap_between(state, 0, 4) == 0;
    g.n[a] = a < HG_DIMS ? tap_between(state, 2 * REACH, most[a]) : 1;
    g.wide[a] = g.n[a] + (a < HG_DIMS ? 2 * REACH : 0);
    for (int h = 0; h < 2; h++) g.side[a][h] = wrapped ? WRAPPED : tap_between(state, 0, 2) ? MIRRORED : HELD;
    g.cells *= g.wide[a];
  }
  g.value = calloc((size_t)g.cells, sizeof *g.value);
  g.next = calloc((size_t)g.cells, sizeof *g.next);
  for (int64_t i = 0; i < g.cells; i++) g.value[i] = (double)tap_between(state, -1000, 1000) / 16;
  return g;
}

/* Calls `visit` for each cell of a box. */
static void each(const int64_t lo[3], const int64_t hi[3], void (*visit)(void *arg, const int64_t at[3]), void *arg)
{
  int64_t at[3];
  for (at[2] = lo[2]; at[2] < hi[2]; at[2]++)
    for (at[1] = lo[1]; at[1] < hi[1]; at[1]++)
      for (at[0] = lo[0]; at[0] < hi[0]; at[0]++) visit(arg, at);
}

static void advance(const hg_tile_shape *s, const int64_t lo[3], const int64_t n[3], int64_t first, int steps,
                    const double *before, double *after, bool lanes)
{
  hg_fault fault = {HG_FAULT_NONE};
  hg_update update = tested;
  if (!lanes) update.lanes[HG_LANES_BASELINE] = NULL;
  const hg_units_tile t = {.shape = s,
                           .lo = {lo[0], lo[1], lo[2]},
                           .update = &update,
                           .units = {.n = {n[0], n[1], n[2]}, .parameters = parameters, .fault = &fault}};
  void *work = NULL;
  if (hg_allocate("work", hg_units_workspace(&t, steps), &work) != HG_OK) exit(1);
  hg_units_advance(&t, first, steps, before, after, work);
  free(work);
}

static void fill_in(void *arg, const int64_t at[3])
{
  const grid *g = arg;
  g->value[place(g, at)] = value_at(g, at);
}

/* A single step of the whole grid. */
static void step(grid *g, int64_t number)
{
  hg_tile_shape s = {.dims = HG_DIMS, .stride = {1, g->wide[0], g->wide[0] * g->wide[1]}};
  int64_t lo[3], hi[3], from[3];
  for (int a = 0; a < 3; a++) {
    const int wide = a < HG_DIMS ? REACH : 0;
    const bool held[2] = {wide && g->side[a][0] == HELD, wide && g->side[a][1] == HELD};
    for (int h = 0; h < 2; h++) {
      s.hold[a][h] = held[h];
      s.margin[a][h] = held[h] ? 0 : wide;
    }
    lo[a] = held[0] ? 0 : -wide;
    hi[a] = g->n[a] + (held[1] ? 0 : wide);
    s.n[a] = hi[a] - lo[a];
    from[a] = lo[a];
  }
  each(lo, hi, fill_in, g);
  const int64_t first = place(g, from);
  advance(&s, lo, g->n, number, 1, g->value + first, g->next + first, false);
  double *now = g->next;
  g->next = g->value;
  g->value = now;
}

/* A tile of a grid. */
typedef struct tile {
  const grid *g;
  hg_tile_shape shape;
  int64_t lo[3], core_lo[3], core_hi[3];
  double *before, *after;
  int wrong;
} tile;

static int64_t index_in(const tile *t, const int64_t at[3])
{
  int64_t i = 0;
  for (int a = 0; a < 3; a++) i += (at[a] - t->lo[a]) * t->shape.stride[a];
  return i;
}

static void load(void *arg, const int64_t at[3])
{
  tile *t = arg;
  t->before[index_in(t, at)] = value_at(t->g, at);
}

static void compare(void *arg, const int64_t at[3])
{
  tile *t = arg;
  const double expected = value_at(t->g, at);
  t->wrong += memcmp(&t->after[index_in(t, at)], &expected, sizeof expected) != 0;
}

static tile make_tile(const grid *g, uint64_t *state, int steps)
{
  tile t = {.g = g, .shape = {.dims = HG_DIMS, .stream = tap_between(state, 0, 1)}};
  int64_t hi[3];
  for (int a = 0; a < 3; a++) {
    const int64_t deep = a < HG_DIMS ? steps * REACH : 0;
    t.core_lo[a] = tap_between(state, 0, 1) ? 0 : tap_between(state, 0, g->n[a] - 1);
    t.core_hi[a] = tap_between(state, 0, 1) ? g->n[a] : tap_between(state, t.core_lo[a] + 1, g->n[a]);
    t.lo[a] = t.core_lo[a] - deep;
    hi[a] = t.core_hi[a] + deep;
    if (g->side[a][0] == HELD && t.lo[a] < 0) t.lo[a] = 0;
    if (g->side[a][1] == HELD && hi[a] > g->n[a]) hi[a] = g->n[a];
    t.shape.n[a] = hi[a] - t.lo[a];
    t.shape.margin[a][HG_LO] = (int)(t.core_lo[a] - t.lo[a]);
    t.shape.margin[a][HG_HI] = (int)(hi[a] - t.core_hi[a]);
    t.shape.hold[a][HG_LO] = a < HG_DIMS && g->side[a][0] == HELD && t.lo[a] == 0;
    t.shape.hold[a][HG_HI] = a < HG_DIMS && g->side[a][1] == HELD && hi[a] == g->n[a];
    if (g->side[a][0] == MIRRORED && t.lo[a] < 0) t.shape.images[a][HG_LO] = (int)-t.lo[a];
    if (g->side[a][1] == MIRRORED && hi[a] > g->n[a]) t.shape.images[a][HG_HI] = (int)(hi[a] - g->n[a]);
  }
  t.shape.stride[0] = 1;
  t.shape.stride[1] = t.shape.n[0] + tap_between(state, 0, 9);
  t.shape.stride[2] = t.shape.stride[1] * t.shape.n[1];
  const int64_t cells = t.shape.stride[2] * t.shape.n[2];
  t.before = calloc((size_t)cells, sizeof *t.before);
  t.after = calloc((size_t)cells, sizeof *t.after);
  each(t.lo, hi, load, &t);
  return t;
}

/* @return whether it was computed in lanes */
static bool same_bits(uint64_t *state, int *wrong)
{
  grid g = make_grid(state);
  int64_t least = INT64_MAX;
  for (int a = 0; a < HG_DIMS; a++)
    if (g.side[a][0] != HELD || g.side[a][1] != HELD) least = g.n[a] < least ? g.n[a] : least;
  const int64_t deepest = least / REACH < 12 ? least / REACH : 12;
  const int steps = (int)tap_between(state, 1, deepest);
  tile t = make_tile(&g, state, steps);
  const hg_units_tile suits = {.shape = &t.shape, .update = &tested};
  advance(&t.shape, t.lo, g.n, 5, steps, t.before, t.after, true);
  for (int i = 0; i < steps; i++) step(&g, 5 + i);
  each(t.core_lo, t.core_hi, compare, &t);
  *wrong += t.wrong > 0;
  free(t.before);
  free(t.after);
  free(g.value);
  free(g.next);
  return hg_lanes_suit(&suits, steps);
}

int main(void)
{
  enum { CASES = 400 };
  uint64_t state = 7;
  int wrong = 0, in_lanes = 0;
  for (int i = 0; i < CASES; i++) in_lanes += same_bits(&state, &wrong);
  tap_ok(wrong == 0, "%d of %d tiles have other bits than single steps, %d dimensions", wrong, CASES, HG_DIMS);
  if (HG_DIMS == 2) tap_ok(in_lanes > 40, "%d of them ran in lanes", in_lanes);
  return tap_done();
}
