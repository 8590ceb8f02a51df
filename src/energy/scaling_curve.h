/* SPDX-License-Identifier: MIT */
/* Times of runs that do not scale as T = T1 N^-s: on slow networks they fall up to some number of nodes and rise
 * beyond, which no straight line in logarithms can describe. The time for computing is divided by N; the overhead X
 * (messages, waiting, redundant work) need not be:
 *
 *   T(N) = a / N + X(N),  a the least T N of the points, as if that run had no overhead
 *
 * At the points X is the rest of their times. Between and beyond them it is a power of N through the two nearest
 * points, with an exponent of 0 to 2, and constant where only one of these has overhead.
 *
 *   T(1) = 100, T(2) = 54, T(4) = 33: a = 100, X(2) = 4, X(4) = 8, so X(8) = 16 and T(8) = 28.5 */
#ifndef HG_ENERGY_SCALING_CURVE_H
#define HG_ENERGY_SCALING_CURVE_H

#include "base/status.h"

enum { HG_CURVE_POINTS = 64 };

/** Points of different N, ascending. */
typedef struct hg_scaling_curve {
  int count;
  double nodes[HG_CURVE_POINTS], value[HG_CURVE_POINTS]; /**< N; s, or W */
} hg_scaling_curve;

/** Sorts points and replaces those of the same N by their geometric mean. @param count  1..HG_CURVE_POINTS
 * @param nodes, value  [count] > 0 */
void hg_scaling_curve_make(int count, const double *nodes, const double *value, hg_scaling_curve *out);

/** T(N) from at least two points, N >= 1; at a point, its own time.
 * @param[out] error  relative: beyond the last point, the share of T that is extrapolated growth of X; otherwise 0 */
double hg_scaling_curve_time(const hg_scaling_curve *curve, double nodes, double *error);

/** Log-log interpolation between neighbouring points (at least two); beyond them, extrapolation of the last segment. */
double hg_scaling_curve_line(const hg_scaling_curve *curve, double nodes);
#endif
