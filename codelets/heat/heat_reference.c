/* SPDX-License-Identifier: MIT */
/* Serial reference of the heat update: whole grid, one step per sweep, neighbours found by index. */
#include <math.h>
#include <string.h>

#include "codelets/heat/grid_sides.h"
#include "codelets/heat/heat_kernels.h"

#define REFERENCE(REAL, FMA)                                                                                           \
  static REAL update_##REAL(int dims, const int64_t n[3], const int kind[3][2], const REAL a[3], REAL c0,              \
                            const REAL *t, const int64_t at[3])                                                        \
  {                                                                                                                    \
    const int64_t stride[3] = {1, n[0], n[0] * n[1]};                                                                  \
    const int64_t i = at[0] + at[1] * stride[1] + at[2] * stride[2];                                                   \
    REAL r = c0 * t[i];                                                                                                \
    for (int axis = 0; axis < dims; axis++) {                                                                          \
      int64_t lo = i + (hg_grid_neighbour(at[axis], -1, n[axis], kind[axis]) - at[axis]) * stride[axis];               \
      int64_t hi = i + (hg_grid_neighbour(at[axis], +1, n[axis], kind[axis]) - at[axis]) * stride[axis];               \
      r = FMA(a[axis], t[lo] + t[hi], r);                                                                              \
    }                                                                                                                  \
    return r;                                                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  static double step_##REAL(int dims, const int64_t n[3], const int kind[3][2], const REAL a[3], REAL c0,              \
                            const REAL *t, REAL *r, const REAL *q)                                                     \
  {                                                                                                                    \
    double change = 0;                                                                                                 \
    int64_t i = 0, at[3];                                                                                              \
    for (at[2] = 0; at[2] < n[2]; at[2]++)                                                                             \
      for (at[1] = 0; at[1] < n[1]; at[1]++)                                                                           \
        for (at[0] = 0; at[0] < n[0]; at[0]++, i++) {                                                                  \
          r[i] = t[i];                                                                                                 \
          if (hg_grid_is_held(at, n, kind, dims)) continue;                                                            \
          r[i] = update_##REAL(dims, n, kind, a, c0, t, at);                                                           \
          if (q) r[i] += q[i];                                                                                         \
          change = fmax(change, fabs((double)r[i] - (double)t[i]));                                                    \
        }                                                                                                              \
    return change;                                                                                                     \
  }                                                                                                                    \
                                                                                                                       \
  double hg_heat_reference_##REAL(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,        \
                                  int64_t steps, REAL *a, REAL *b, const REAL *q)                                      \
  {                                                                                                                    \
    const REAL c[3] = {(REAL)coef->a[0], (REAL)coef->a[1], (REAL)coef->a[2]};                                          \
    const REAL c0 = ((1 - 2 * c[0]) - 2 * c[1]) - 2 * c[2];                                                            \
    double change = 0;                                                                                                 \
    REAL *from = a, *to = b;                                                                                           \
    for (int64_t s = 0; s < steps; s++) {                                                                              \
      change = step_##REAL(dims, n, kind, c, c0, from, to, q);                                                         \
      REAL *swap = from;                                                                                               \
      from = to;                                                                                                       \
      to = swap;                                                                                                       \
    }                                                                                                                  \
    if (from != a) memcpy(a, b, (size_t)(n[0] * n[1] * n[2]) * sizeof(REAL));                                          \
    return change;                                                                                                     \
  }

REFERENCE(double, fma)
REFERENCE(float, fmaf)
