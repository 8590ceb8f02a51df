/* SPDX-License-Identifier: MIT */
/* A field of diffusivity: whether the scheme is stable in it, and the serial reference. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codelets/heat/grid_sides.h"
#include "heat.h"
#include "input/grid.h"

/* Makes the bits those of the kernel, whatever the compiler's flags. */
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#define REFERENCE(REAL)                                                                                                \
  static REAL conductance_##REAL(REAL a, REAL k, REAL l)                                                               \
  {                                                                                                                    \
    const REAL low = k < l ? k : l, high = k < l ? l : k;                                                              \
    return low + high > 0 ? a * ((2 * low) * (high / (low + high))) : 0;                                               \
  }                                                                                                                    \
                                                                                                                       \
  static REAL update_##REAL(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,              \
                            const REAL *t, const REAL *k, const int64_t at[3])                                         \
  {                                                                                                                    \
    const int64_t stride[3] = {1, n[0], n[0] * n[1]};                                                                  \
    const int64_t i = at[0] + at[1] * stride[1] + at[2] * stride[2];                                                   \
    REAL r = t[i];                                                                                                     \
    for (int axis = 0; axis < dims; axis++) {                                                                          \
      const REAL a = (REAL)coef->a[axis];                                                                              \
      const int64_t lo = i + (hg_grid_neighbour(at[axis], -1, n[axis], kind[axis]) - at[axis]) * stride[axis];         \
      const int64_t hi = i + (hg_grid_neighbour(at[axis], +1, n[axis], kind[axis]) - at[axis]) * stride[axis];         \
      const REAL above = conductance_##REAL(a, k[i], k[hi]) * (t[hi] - t[i]);                                          \
      const REAL below = conductance_##REAL(a, k[lo], k[i]) * (t[i] - t[lo]);                                          \
      r += above - below;                                                                                              \
    }                                                                                                                  \
    return r;                                                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  void heat_field_reference_##REAL(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,       \
                                   int64_t steps, REAL *a, REAL *b, const REAL *k)                                     \
  {                                                                                                                    \
    for (int64_t s = 0; s < steps; s++) {                                                                              \
      int64_t i = 0, at[3];                                                                                            \
      for (at[2] = 0; at[2] < n[2]; at[2]++)                                                                           \
        for (at[1] = 0; at[1] < n[1]; at[1]++)                                                                         \
          for (at[0] = 0; at[0] < n[0]; at[0]++, i++)                                                                  \
            b[i] = hg_grid_is_held(at, n, kind, dims) ? a[i] : update_##REAL(dims, n, kind, coef, a, k, at);           \
      memcpy(a, b, (size_t)(n[0] * n[1] * n[2]) * sizeof(REAL));                                                       \
    }                                                                                                                  \
  }

REFERENCE(double)
REFERENCE(float)

/* The cell that loses the largest part of its heat to its neighbours in a step. */
typedef struct worst {
  int64_t at[3];
  double share, diffusivity;
} worst;

static hg_status look_at(const int64_t n[3], const int kind[3][2], int dims, const hg_heat_coef *coef, const double *k,
                         worst *w)
{
  const int64_t stride[3] = {1, n[0], n[0] * n[1]};
  int64_t i = 0, at[3];
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++, i++) {
        double share = 0;
        if (k[i] < 0)
          return hg_fail(HG_FORMAT,
                         "--diffusivity: at (%" PRId64 ", %" PRId64 ", %" PRId64
                         ") the value is %g m^2/s, must be >= 0",
                         at[0], at[1], at[2], k[i]);
        if (hg_grid_is_held(at, n, kind, dims)) continue;
        for (int axis = 0; axis < dims; axis++)
          for (int d = -1; d <= 1; d += 2) {
            const int64_t j = i + (hg_grid_neighbour(at[axis], d, n[axis], kind[axis]) - at[axis]) * stride[axis];
            share += j == i ? 0 : conductance_double(coef->a[axis], k[i], k[j]);
          }
        if (share > w->share) *w = (worst){{at[0], at[1], at[2]}, share, k[i]};
      }
  return HG_OK;
}

void heat_side_kinds(const hg_side side[3][2], int kind[3][2])
{
  static const int kind_of[] = {[HG_FIXED] = 0, [HG_INSULATED] = 1, [HG_PERIODIC] = 2};
  for (int i = 0; i < 6; i++) kind[i / 2][i % 2] = kind_of[side[i / 2][i % 2].kind];
}

static hg_status read_field(const heat *h, const hg_job *j, double *values)
{
  hg_grid_input *in;
  HG_TRY(hg_job_open_field(j, h->masks, false, &in));
  const hg_status status =
      hg_grid_read(in, j->size, &(hg_box){{0, 0, 0}, {j->size[0], j->size[1], j->size[2]}}, values);
  hg_grid_close(in);
  hg_field f = {.n = {j->size[0], j->size[1], j->size[2]}, .values = values};
  if (status == HG_OK && j->source_value) heat_make_source(j, &f);
  return status;
}

double heat_longest_step(double bound)
{
  char text[32];
  snprintf(text, sizeof text, "%g", bound);
  return strtod(text, NULL) <= bound ? bound : bound * (1 - 1e-5);
}

hg_status heat_field_check(const heat *h, const hg_job *j)
{
  hg_side side[3][2] = {{{0}}};
  int kind[3][2];
  worst w = {.share = 0};
  double *k;
  if (j->boundary) HG_TRY(hg_boundary_parse(j->boundary, j->dims, side));
  heat_side_kinds(side, kind);
  HG_TRY(hg_memory_check("the field of diffusivity", j->size, sizeof *k));
  HG_TRY(
      hg_allocate("the field of diffusivity", (size_t)(j->size[0] * j->size[1] * j->size[2]) * sizeof *k, (void **)&k));
  hg_status status = read_field(h, j, k);
  if (status == HG_OK) status = look_at(j->size, kind, j->dims, &h->alpha, k, &w);
  free(k);
  HG_TRY(status);
  if (w.share <= 1 + 4e-16 || h->allow_unstable) return HG_OK;
  const double step = h->context.options.grid.time_step;
  return hg_fail(HG_INVALID,
                 "--time-step: %g s is too long for a stable scheme at (%" PRId64 ", %" PRId64 ", %" PRId64
                 "), whose --diffusivity is %g m^2/s; must be <= %g s (--allow-unstable overrides)",
                 step, w.at[0], w.at[1], w.at[2], w.diffusivity, heat_longest_step(step / w.share));
}
