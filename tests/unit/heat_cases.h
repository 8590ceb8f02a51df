/* SPDX-License-Identifier: MIT */
/* Random padded tiles for testing heat kernels against the serial reference. Plain C and C++. */
#ifndef HG_TESTS_HEAT_CASES_H
#define HG_TESTS_HEAT_CASES_H

#include <stdlib.h>

#include "codelets/heat/heat_kernels.h"
#include "tap.h"

typedef struct heat_case {
  hg_tile_shape shape;
  hg_heat_coef coef;
  int steps, is_float, has_source;
  size_t cells; /* size of the padded box, including row padding */
  void *src, *dst, *q;
} heat_case;

static size_t case_size(const heat_case *c)
{
  return c->is_float ? sizeof(float) : sizeof(double);
}

static void case_set(const heat_case *c, void *grid, int64_t i, double v)
{
  if (c->is_float)
    ((float *)grid)[i] = (float)v;
  else
    ((double *)grid)[i] = v;
}

static void *case_grid(const heat_case *c, uint64_t *state)
{
  void *grid = aligned_alloc(64, (c->cells * case_size(c) + 63) / 64 * 64);
  for (size_t i = 0; i < c->cells; i++) case_set(c, grid, (int64_t)i, (double)tap_between(state, -1000, 1000) / 64);
  return grid;
}

/* Sides are held or have a margin at least as deep as the number of steps. The core has most[a] cells along axis a at
 * most; half of the cases have rows that start at multiples of 64 bytes, as those of tiles do. */
static heat_case random_case(uint64_t *state, int dims, const int64_t *most)
{
  heat_case c = {};
  c.shape.dims = dims;
  c.steps = (int)tap_between(state, 1, dims == 3 ? 6 : 20);
  c.is_float = (int)tap_between(state, 0, 1);
  c.has_source = tap_between(state, 0, 3) == 0;
  c.shape.stream = tap_between(state, 0, 1) != 0;
  for (int a = 0; a < 3; a++) {
    int64_t core = a < dims ? tap_between(state, 1, most[a]) : 1;
    for (int h = 0; h < 2 && a < dims; h++) {
      c.shape.hold[a][h] = tap_between(state, 0, 1) != 0;
      int deep = c.steps + (int)tap_between(state, 0, 2);
      c.shape.margin[a][h] = c.shape.hold[a][h] ? (int)tap_between(state, 0, deep) : deep;
    }
    c.shape.n[a] = core + c.shape.margin[a][0] + c.shape.margin[a][1];
    c.coef.a[a] = a < dims ? (double)tap_between(state, 1, 50) / 300 : 0;
  }
  c.shape.stride[0] = 1;
  c.shape.stride[1] = c.shape.n[0] + (dims > 1 ? tap_between(state, 0, 9) : 0);
  if (dims > 1 && tap_between(state, 0, 1)) c.shape.stride[1] = (c.shape.stride[1] + 15) / 16 * 16;
  c.shape.stride[2] = c.shape.stride[1] * c.shape.n[1];
  c.cells = (size_t)(c.shape.stride[2] * c.shape.n[2]);
  c.src = case_grid(&c, state);
  c.dst = case_grid(&c, state);
  c.q = c.has_source ? case_grid(&c, state) : NULL;
  return c;
}

static void free_case(heat_case *c)
{
  free(c->src);
  free(c->dst);
  free(c->q);
}

/* Copies the padded box without its row padding. */
static void *compact(const heat_case *c, const void *grid)
{
  const int64_t *n = c->shape.n;
  size_t size = case_size(c), row = (size_t)n[0] * size;
  char *out = (char *)malloc((size_t)(n[1] * n[2]) * row);
  for (int64_t z = 0; z < n[2]; z++)
    for (int64_t y = 0; y < n[1]; y++)
      memcpy(out + (size_t)(y + z * n[1]) * row,
             (const char *)grid + (size_t)(y * c->shape.stride[1] + z * c->shape.stride[2]) * size, row);
  return out;
}

/* The core after the steps, by the reference on the whole padded box. There margins are insulated, which is wrong near
 * the edge of the box, but the error has not reached the core. */
static void *expected(const heat_case *c)
{
  int kind[3][2];
  for (int i = 0; i < 6; i++) kind[i / 2][i % 2] = c->shape.hold[i / 2][i % 2] ? 0 : 1;
  void *a = compact(c, c->src), *b = compact(c, c->src), *q = c->q ? compact(c, c->q) : NULL;
  if (c->is_float)
    hg_heat_reference_float(c->shape.dims, c->shape.n, kind, &c->coef, c->steps, (float *)a, (float *)b,
                            (const float *)q);
  else
    hg_heat_reference_double(c->shape.dims, c->shape.n, kind, &c->coef, c->steps, (double *)a, (double *)b,
                             (const double *)q);
  free(b);
  free(q);
  return a;
}

/* Number of core cells of dst that differ from the expected ones. */
static int64_t wrong_cells(const heat_case *c, const void *want)
{
  const hg_tile_shape *s = &c->shape;
  const size_t size = case_size(c);
  int64_t wrong = 0;
  for (int64_t z = s->margin[2][0]; z < s->n[2] - s->margin[2][1]; z++)
    for (int64_t y = s->margin[1][0]; y < s->n[1] - s->margin[1][1]; y++)
      for (int64_t x = s->margin[0][0]; x < s->n[0] - s->margin[0][1]; x++)
        wrong += memcmp((const char *)c->dst + (size_t)(x + y * s->stride[1] + z * s->stride[2]) * size,
                        (const char *)want + (size_t)(x + s->n[0] * (y + s->n[1] * z)) * size, size) != 0;
  return wrong;
}

/* Runs a kernel on a case: reads src and q (src may be spoiled), writes dst. Returns how many calls failed. */
typedef int case_runner(heat_case *c, const void *kernel);

/* Random tiles through a kernel, compared with the reference. */
static inline void check_cases_in(case_runner *run, const void *kernel, const char *name, int dims, const int64_t *most,
                                  int rounds)
{
  uint64_t state = 11 + (uint64_t)dims;
  int64_t wrong = 0, cells = 0;
  for (int i = 0; i < rounds; i++) {
    heat_case c = random_case(&state, dims, most);
    void *want = expected(&c);
    wrong += run(&c, kernel);
    wrong += wrong_cells(&c, want);
    cells += (int64_t)c.cells;
    free(want);
    free_case(&c);
  }
  tap_ok(wrong == 0, "%s %d-D: %d tiles, %lld cells, bit for bit (%lld wrong)", name, dims, rounds, (long long)cells,
         (long long)wrong);
}

static inline void check_cases(case_runner *run, const void *kernel, const char *name, int dims, int most, int rounds)
{
  const int64_t cube[3] = {most, most, most};
  check_cases_in(run, kernel, name, dims, cube, rounds);
}
#endif
