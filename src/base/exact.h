/* SPDX-License-Identifier: MIT */
/* Sums of doubles without rounding, which do not depend on the order: a fixed-point number wide enough for every
 * double (Kulisch's long accumulator), in 32-bit limbs with room for carries. */
#ifndef HG_BASE_EXACT_H
#define HG_BASE_EXACT_H

#include <stdint.h>

/* 2^-1074 .. 2^1024 are 2098 bits = 66 limbs; two more for the sum of 2^63 of them. */
enum { HG_EXACT_LIMBS = 68 };

/** sum of limb[i] * 2^(32 i - 1074). All 0 is the sum of nothing. */
typedef struct hg_exact {
  int64_t limb[HG_EXACT_LIMBS];
  int64_t added;  /**< numbers added since carries were last propagated */
  double special; /**< sum of the infinities and NaNs */
} hg_exact;

void hg_exact_add(hg_exact *sum, double value);
/** Adds values[count]; several times faster where their magnitudes are similar. */
void hg_exact_add_all(hg_exact *sum, const double *values, int64_t count);

/** Adds another sum. */
void hg_exact_join(hg_exact *sum, const hg_exact *other);

/** Propagates carries: afterwards 0 <= limb < 2^32 except for the last one, which has the sign. */
void hg_exact_carry(hg_exact *sum);

/** The nearest double, ties to even. */
double hg_exact_round(const hg_exact *sum);

/** That divided by the number of values; finite even where the sum is beyond the range. */
double hg_exact_mean(const hg_exact *sum, double count);
#endif
