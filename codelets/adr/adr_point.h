/* SPDX-License-Identifier: MIT */
/* What the adr kernels compute at a node: the same expressions, and so the same bits, for CPU and CUDA. */
#ifndef HG_CODELETS_ADR_ADR_POINT_H
#define HG_CODELETS_ADR_ADR_POINT_H

#include "codelets/adr/adr_problem.h"

/** Inflow from a node's neighbours: weights times values on both sides of each axis, in the solver's precision. */
#define HG_ADR_INFLOW(lx, hx, ly, hy, lz, hz, west, east, south, north, below, above)                                  \
  ((lx) * (west) + (hx) * (east) + ((ly) * (south) + (hy) * (north)) + ((lz) * (below) + (hz) * (above)))

/** F of both species, and the rows of the inverse of the point block M, in units of the species' scales. */
typedef struct hg_adr_point {
  double f1, f2, m11, m12, m21, m22;
} hg_adr_point;

/** @param w  sum of all weights @param old1,old2,c1,c2  old and current values @param in1,in2  HG_ADR_INFLOW of the
 * species @param swap12  scale of species 2 in units of that of species 1; swap21 the reverse */
HG_ADR_INLINE hg_adr_point hg_adr_point_of(double dt, double w, double old1, double old2, double c1, double c2,
                                           double in1, double in2, hg_adr_rates k, double swap12, double swap21)
{
  const double d11 = 1 + dt * (w - k.j11), d22 = 1 + dt * (w - k.j22), d12 = -dt * k.j12, d21 = -dt * k.j21;
  const double scale = 1 / (d11 * d22 - d12 * d21);
  const hg_adr_point p = {old1 - c1 + dt * (in1 - w * c1 + k.r1),
                          old2 - c2 + dt * (in2 - w * c2 + k.r2),
                          scale * d22,
                          -scale * d12 * swap12,
                          -scale * d21 * swap21,
                          scale * d11};
  return p;
}

/** |F| of a species in the units of its tolerance. */
HG_ADR_INLINE double hg_adr_ratio(double f, double old)
{
  return fabs(f) / (fabs(old) + 1);
}

/** The larger one; a NaN wins and stays. */
HG_ADR_INLINE double hg_adr_max(double largest, double value)
{
  return value > largest || value != value ? value : largest;
}

/** Weights of a table in the inner solver's operator (lower and upper) and in its transpose: an unknown gives its
 * neighbour there what it takes from it here. @param lo,hi  [n] of the axis */
HG_ADR_INLINE void hg_adr_weights(const double *lo, const double *hi, int64_t n, int64_t i, bool wrap, double dt,
                                  double weight[4])
{
  const int64_t before = i > 0 ? i - 1 : n - 1, behind = i + 1 < n ? i + 1 : 0;
  weight[0] = dt * lo[i];
  weight[1] = dt * hi[i];
  weight[2] = i > 0 || wrap ? dt * hi[before] : 0;
  weight[3] = i + 1 < n || wrap ? dt * lo[behind] : 0;
}
#endif
