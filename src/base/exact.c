/* SPDX-License-Identifier: MIT */
#include "base/exact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Number of additions of less than 2^32 to a limb of 63 bits before carries must be propagated. */
#define ADDITIONS (INT64_C(1) << 29)

void hg_exact_carry(hg_exact *s)
{
  int64_t carry = 0;
  for (int i = 0; i < HG_EXACT_LIMBS - 1; i++) {
    const int64_t v = s->limb[i] + carry;
    s->limb[i] = v & 0xffffffff;
    carry = (v - s->limb[i]) / (INT64_C(1) << 32);
  }
  s->limb[HG_EXACT_LIMBS - 1] += carry;
  s->added = 0;
}

void hg_exact_add(hg_exact *s, double value)
{
  uint64_t bits;
  if (!isfinite(value)) {
    s->special += value;
    return;
  }
  memcpy(&bits, &value, sizeof bits);
  const int exponent = (int)(bits >> 52 & 0x7ff);
  const uint64_t mantissa = (bits & 0xfffffffffffff) | (uint64_t)(exponent > 0) << 52;
  const int shift = exponent > 0 ? exponent - 1 : 0, limb = shift / 32, bit = shift % 32;
  const int64_t sign = bits >> 63 ? -1 : 1;
  const uint64_t low = mantissa << bit, high = bit ? mantissa >> (64 - bit) : 0;
  s->limb[limb] += sign * (int64_t)(low & 0xffffffff);
  s->limb[limb + 1] += sign * (int64_t)(low >> 32);
  s->limb[limb + 2] += sign * (int64_t)high;
  if (++s->added >= ADDITIONS) hg_exact_carry(s);
}

/* Largest and smallest magnitude of a block, as bits: their order as integers is that of the magnitudes. */
typedef struct range {
  uint64_t most, least; /* least: of those that are not 0, minus 1 */
} range;

static range range_of(const double *v, int count)
{
  range r = {0, UINT64_MAX};
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &v[i], sizeof bits);
    bits &= INT64_MAX;
    r.most = bits > r.most ? bits : r.most;
    r.least = bits - 1 < r.least ? bits - 1 : r.least;
  }
  return r;
}

enum { BLOCK = 256, LANES = 4 };

/* Each number is cut at 2^-43 of a power of two above all of them: 2^8 upper parts of 43 bits sum without rounding,
 * and so do the lower parts if the smallest number is at most 2^36 times smaller (T. J. Dekker's splitting, 1971, at a
 * fixed place). @return false: nothing was added, since magnitudes differ too much or are near the ends of the range */
static bool add_block(hg_exact *s, const double *v, int count)
{
  enum { BIAS = 1023, LEAST = 200, MOST = 1900, APART = 36, UPPER = 43, DIGITS = 52 };
  const range r = range_of(v, count);
  if (r.most == 0) return true;
  const int high = (int)(r.most >> DIGITS), low = (int)((r.least + 1) >> DIGITS);
  if (low < LEAST || high > MOST || high - low > APART) return false;
  const double cut = ldexp(1.5, high - BIAS + 1 - UPPER + DIGITS); /* a number added to it loses its lower part */
  double upper[LANES] = {0}, lower[LANES] = {0};
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int l = 0; l < LANES; l++) {
      const double part = (v[i + l] + cut) - cut;
      upper[l] += part;
      lower[l] += v[i + l] - part;
    }
  for (; i < count; i++) hg_exact_add(s, v[i]);
  for (int l = 0; l < LANES; l++) {
    hg_exact_add(s, upper[l]);
    hg_exact_add(s, lower[l]);
  }
  return true;
}

void hg_exact_add_all(hg_exact *s, const double *v, int64_t count)
{
  for (int64_t at = 0; at < count; at += BLOCK) {
    const int some = count - at < BLOCK ? (int)(count - at) : BLOCK;
    if (add_block(s, v + at, some)) continue;
    for (int i = 0; i < some; i++) hg_exact_add(s, v[at + i]);
  }
}

void hg_exact_join(hg_exact *s, const hg_exact *other)
{
  hg_exact o = *other;
  hg_exact_carry(&o);
  hg_exact_carry(s);
  for (int i = 0; i < HG_EXACT_LIMBS; i++) s->limb[i] += o.limb[i];
  s->special += o.special;
  hg_exact_carry(s);
}

/* The 64 highest bits of a carried, non-negative sum, and their exponent. The lowest bit is set if any below it is
 * (sticky). */
static uint64_t leading_bits(const hg_exact *s, int *exponent)
{
  int top = HG_EXACT_LIMBS - 1;
  while (top > 0 && s->limb[top] == 0) top--;
  unsigned __int128 v = 0;
  for (int i = top; i > top - 4; i--) v = v << 32 | (i >= 0 ? (uint32_t)s->limb[i] : 0);
  *exponent = 32 * (top - 3) - 1074;
  bool sticky = false;
  for (int i = top - 4; i >= 0; i--) sticky = sticky || s->limb[i] != 0;
  while (v >> 64) {
    sticky = sticky || (v & 1);
    v >>= 1;
    ++*exponent;
  }
  return (uint64_t)v | sticky;
}

double hg_exact_mean(const hg_exact *sum, double count)
{
  hg_exact s = *sum;
  if (s.special != 0 || isnan(s.special)) return s.special / count;
  hg_exact_carry(&s);
  const bool negative = s.limb[HG_EXACT_LIMBS - 1] < 0;
  for (int i = 0; negative && i < HG_EXACT_LIMBS; i++) s.limb[i] = -s.limb[i];
  hg_exact_carry(&s);
  int exponent, drop = 0;
  uint64_t v = leading_bits(&s, &exponent);
  if (v == 0) return 0 / count;
  /* 53 bits remain, fewer if the result is denormal; the bits below decide the rounding. No sum is below 2^-1074, so
   * some bit always remains. */
  while (v >> drop >= UINT64_C(1) << 53 || exponent + drop < -1074) drop++;
  if (drop > 0) {
    const uint64_t rest = v & ((UINT64_C(1) << drop) - 1), half = UINT64_C(1) << (drop - 1);
    v >>= drop;
    if (rest > half || (rest == half && (v & 1))) v++;
  }
  return (negative ? -1 : 1) * ldexp((double)v / count, exponent + drop);
}

double hg_exact_round(const hg_exact *sum)
{
  return hg_exact_mean(sum, 1);
}
