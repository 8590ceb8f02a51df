/* SPDX-License-Identifier: MIT */
/* Reactions of the adr problems: rates, their derivatives, sources; for CPU and CUDA.
 *
 *   mms       R = (-c1 c2 + c2 / 2, c1 c2 - c2^2), and the source that makes c1 = 1 + A1 g, c2 = 1 + A2 g exact, with
 *             g = sin pi x sin pi y sin pi z, A1 = e^-t / 2, A2 = 0.4 cos 3t
 *   conserve  R = (-3 c1 c2, 3 c1 c2)
 *   diurnal   photochemistry of ozone in the stratosphere, from SUNDIALS' example cvDiurnal_kry (Hindmarsh and others)
 */
#ifndef HG_CODELETS_ADR_ADR_PROBLEM_H
#define HG_CODELETS_ADR_ADR_PROBLEM_H

#include <math.h>

#include "codelets/adr/adr.h"

#ifdef __CUDACC__
#define HG_ADR_INLINE static inline __host__ __device__
#else
#define HG_ADR_INLINE static inline
#endif

/** Rates of both species, and their derivatives dr[i] / dc[j]. */
typedef struct hg_adr_rates {
  double r1, r2, j11, j12, j21, j22;
} hg_adr_rates;

/** Time-dependent terms of mms. */
enum { HG_MMS_A1, HG_MMS_DA1, HG_MMS_A2, HG_MMS_DA2, HG_MMS_VX, HG_MMS_VY, HG_MMS_VZ, HG_MMS_DECAY };
/** Those of diurnal: q3 c3 and q4, which depend on the sun. */
enum { HG_DIURNAL_Q3C3, HG_DIURNAL_Q4 };

/** @param term  of the step @param s,c  sines and cosines of pi x, pi y, pi z, for mms */
HG_ADR_INLINE hg_adr_rates hg_adr_mms(double c1, double c2, const double *term, double sx, double sy, double sz,
                                      double cx, double cy, double cz)
{
  const double g = sx * sy * sz;
  const double drift = term[HG_MMS_VX] * (cx * (sy * sz)) + term[HG_MMS_VY] * (cy * (sx * sz)) +
                       term[HG_MMS_VZ] * (cz * (sx * sy)) + term[HG_MMS_DECAY] * g;
  const double e1 = 1 + term[HG_MMS_A1] * g, e2 = 1 + term[HG_MMS_A2] * g;
  const double source1 = term[HG_MMS_DA1] * g + term[HG_MMS_A1] * drift + e1 * e2 - .5 * e2;
  const double source2 = term[HG_MMS_DA2] * g + term[HG_MMS_A2] * drift - e1 * e2 + e2 * e2;
  const hg_adr_rates r = {.5 * c2 - c1 * c2 + source1, c1 * c2 - c2 * c2 + source2, -c2, .5 - c1, c2, c1 - 2 * c2};
  return r;
}

HG_ADR_INLINE hg_adr_rates hg_adr_conserve(double c1, double c2)
{
  const double rate = 3 * c1 * c2;
  const hg_adr_rates r = {-rate, rate, -3 * c2, -3 * c1, 3 * c2, 3 * c1};
  return r;
}

HG_ADR_INLINE hg_adr_rates hg_adr_diurnal(double c1, double c2, const double *term)
{
  const double q1c3 = 1.63e-16 * 3.7e16, q2 = 4.66e-16, q4 = term[HG_DIURNAL_Q4];
  const double loss = q2 * c1 * c2;
  const hg_adr_rates r = {2 * term[HG_DIURNAL_Q3C3] - q1c3 * c1 - loss + q4 * c2,
                          q1c3 * c1 - loss - q4 * c2,
                          -q1c3 - q2 * c2,
                          q4 - q2 * c1,
                          q1c3 - q2 * c2,
                          -q2 * c1 - q4};
  return r;
}
#endif
