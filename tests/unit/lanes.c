/* SPDX-License-Identifier: MIT */
/* Updates in lanes and unit by unit give the same bits and the same faults. Compiled for several numbers of dimensions,
 * radii and types of values; a PAIR is a structure of two values. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PAIR
typedef struct pair {
  NUMBER number, other;
} pair;
#define HG_VALUE pair
#else
#define HG_VALUE NUMBER
#endif
#include "base/memory.h"
#include "base/random.h"
#include "codelets/units/units_cpu.h"
#include "codelets/units/units_lanes.h"
#include "job/app.h"
#include "tap.h"

enum { GRID = 5000, FAR = HG_RADIUS, FAR_Y = HG_DIMS > 1 ? FAR : 0, FAR_Z = HG_DIMS > 2 ? FAR : 0 };

#if HG_DIMS == 1
#define AT(dx, dy, dz) hg_at(u, dx)
#elif HG_DIMS == 2
#define AT(dx, dy, dz) hg_at(u, dx, dy)
#else
#define AT(dx, dy, dz) hg_at(u, dx, dy, dz)
#endif

#ifdef PAIR
static HG_VALUE value_of(double x)
{
  return (pair){(NUMBER)x, (NUMBER)(x / 3)};
}
HG_INLINE NUMBER number(HG_VALUE v)
{
  return v.number - 2 * v.other;
}
#else
static HG_VALUE value_of(double x)
{
  return (NUMBER)x;
}
HG_INLINE NUMBER number(HG_VALUE v)
{
  return v;
}
#endif

/* Uses all neighbours, the position and the step. */
HG_UPDATE(mixed)
{
  NUMBER sum = 0;
  for (int dz = -FAR_Z; dz <= FAR_Z; dz++)
    for (int dy = -FAR_Y; dy <= FAR_Y; dy++)
      for (int dx = -FAR; dx <= FAR; dx++)
        sum = (NUMBER)(sum + number(AT(dx, dy, dz)) * (NUMBER)(1 + dx + 2 * dy + 3 * dz));
  sum = (NUMBER)(sum / 16 + (NUMBER)(hg_x(u) % 7) - (NUMBER)(hg_y(u) % 3) + (NUMBER)(hg_z(u) + hg_step(u) % 2));
#ifdef PAIR
  return (pair){sum, hg_value(u).number};
#else
  return sum;
#endif
}

#ifdef FAULTS
/* Stops unless slopes along a row are as in the input and columns are in the grid. */
HG_UPDATE(strict)
{
  const HG_VALUE west = hg_value(u) - hg_at(u, -FAR, 0);
  if (!(west >= 0 && west <= FAR) || hg_x(u) < 0 || hg_x(u) >= hg_extent(u, 0)) hg_stop(u, 7);
  return hg_value(u);
}

/* Finds a value that is in one place of the tile. */
HG_UPDATE(finds)
{
  if (hg_value(u) == -1) hg_stop(u, hg_x(u));
  return hg_value(u);
}
#endif

typedef struct problem {
  hg_tile_shape shape;
  int64_t lo[3], cells;
  int steps;
  HG_VALUE *before, *after[2];
} problem;

static int64_t draw(uint64_t seed, uint64_t *n, int64_t least, int64_t most)
{
  return least + (int64_t)(hg_random_unit(seed, ++*n) * (double)(most - least + 1));
}

/* A tile anywhere in the grid: each side is held, or has a margin as deep as the steps need. */
static problem make_problem(uint64_t seed)
{
  uint64_t n = 0;
  const int64_t most[3] = {seed % 4 == 0 ? 1400 : 300, HG_DIMS == 3 && seed % 3 ? 15 : HG_DIMS == 3 ? 200 : 40, 12};
  problem p = {.shape = {.dims = HG_DIMS, .n = {1, 1, 1}, .stream = seed % 2}};
  p.steps = (int)draw(seed, &n, 2, HG_DIMS == 3 ? 6 : 30);
  for (int a = 0; a < HG_DIMS; a++) {
    p.shape.n[a] = draw(seed, &n, 1, most[a]);
    for (int side = 0; side < 2; side++) {
      p.shape.hold[a][side] = draw(seed, &n, 0, 1) == 0;
      p.shape.margin[a][side] = p.shape.hold[a][side] ? 0 : p.steps * FAR;
      p.shape.n[a] += p.shape.margin[a][side] + (p.shape.hold[a][side] ? FAR : 0);
    }
    p.lo[a] = p.shape.hold[a][HG_LO] ? 0 : p.shape.hold[a][HG_HI] ? GRID - p.shape.n[a] : 40;
  }
  p.shape.stride[0] = 1;
  p.shape.stride[1] = p.shape.n[0] + draw(seed, &n, 0, 9);
  p.shape.stride[2] = p.shape.stride[1] * p.shape.n[1];
  p.cells = p.shape.stride[2] * p.shape.n[2];
  p.before = calloc((size_t)p.cells, sizeof *p.before);
  for (int i = 0; i < 2; i++) p.after[i] = calloc((size_t)p.cells, sizeof *p.after[i]);
  return p;
}

static void free_problem(problem *p)
{
  free(p->before);
  for (int i = 0; i < 2; i++) free(p->after[i]);
}

/* Advances both ways, in lanes with the instruction sets up to `set`. @return whether some piece ran in lanes */
static bool run_both(problem *p, const hg_update *update, int set, hg_fault fault[2])
{
  bool suits = false;
  for (int i = 0; i < 2; i++) {
    hg_update u = *update;
    for (int other = i == 1 ? HG_LANES_BASELINE : set + 1; other < HG_LANE_SETS; other++) u.lanes[other] = NULL;
    fault[i] = (hg_fault){HG_FAULT_NONE};
    const hg_units_tile t = {.shape = &p->shape,
                             .lo = {p->lo[0], p->lo[1], p->lo[2]},
                             .update = &u,
                             .units = {.n = {GRID, GRID, GRID}, .fault = &fault[i]}};
    void *work;
    if (hg_allocate("work", hg_units_workspace(&t, p->steps), &work) != HG_OK) return false;
    hg_units_advance(&t, 3, p->steps, p->before, p->after[i], work);
    if (i == 0) suits = hg_lanes_suit(&t, p->steps);
    free(work);
  }
  return suits;
}

static void same_bits(void)
{
  enum { CASES = 150 };
  int wrong = 0, in_lanes = 0;
  for (uint64_t seed = 1; seed <= CASES; seed++) {
    hg_fault fault[2];
    problem p = make_problem(seed);
    for (int64_t i = 0; i < p.cells; i++) p.before[i] = value_of(100 * hg_random_unit(seed, 1000 + (uint64_t)i));
    in_lanes += run_both(&p, &mixed, (int)(seed % HG_LANE_SETS), fault);
    const bool same = memcmp(p.after[0], p.after[1], (size_t)p.cells * sizeof *p.before) == 0 && !fault[0].kind;
    if (!same)
      printf("# seed %d: %d x %d x %d, %d steps\n", (int)seed, (int)p.shape.n[0], (int)p.shape.n[1], (int)p.shape.n[2],
             p.steps);
    wrong += !same;
    free_problem(&p);
  }
  tap_ok(wrong == 0, "%d of %d tiles differ in lanes, %d dimensions, radius %d, %d bytes", wrong, CASES, HG_DIMS, FAR,
         (int)sizeof(HG_VALUE));
  tap_ok(in_lanes > CASES / 5, "%d of them ran in lanes", in_lanes);
}

#ifdef FAULTS
static void units_that_do_not_count_note_nothing(void)
{
  int noted = 0, in_lanes = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    problem p = make_problem(seed);
    for (int64_t i = 0; i < p.cells; i++) p.before[i] = (HG_VALUE)(i % p.shape.stride[1]);
    const hg_fault none = {HG_FAULT_NONE};
    hg_fault fault = none;
    const hg_units_tile t = {.shape = &p.shape,
                             .lo = {p.lo[0], p.lo[1], p.lo[2]},
                             .update = &strict,
                             .units = {.n = {GRID, GRID, GRID}, .fault = &fault}};
    void *work = NULL;
    if (hg_lanes_suit(&t, p.steps) && hg_allocate("work", hg_lanes_workspace(&t, p.steps), &work) == HG_OK) {
      noted += !hg_lanes_advance(&t, 3, p.steps, p.before, p.after[0], work);
      in_lanes++;
    }
    free(work);
    free_problem(&p);
  }
  tap_int(noted, 0, "tiles in which units beyond the rows' ends were treated as real ones");
  tap_ok(in_lanes > 5, "of %d", in_lanes);
}

static void faults_are_the_same(void)
{
  int unlike = 0, found = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t n = 100;
    hg_fault fault[2];
    problem p = make_problem(seed);
    p.before[draw(seed, &n, 0, p.shape.n[0] - 1) + p.shape.stride[1] * draw(seed, &n, 0, p.shape.n[1] - 1)] = -1;
    run_both(&p, &finds, (int)(seed % HG_LANE_SETS), fault);
    found += fault[1].kind == HG_FAULT_USER;
    unlike += fault[0].kind != fault[1].kind || fault[0].unit != fault[1].unit || fault[0].step != fault[1].step ||
              fault[0].value != fault[1].value;
    free_problem(&p);
  }
  tap_int(unlike, 0, "tiles with other faults in lanes");
  tap_ok(found > 5 && found < 40, "of 40, %d of which have one", found);
}

#endif

int main(void)
{
  same_bits();
#ifdef FAULTS
  units_that_do_not_count_note_nothing();
  faults_are_the_same();
#endif
  return tap_done();
}
