/* SPDX-License-Identifier: MIT */
#include "input/array.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* IEEE 754 binary16. */
static double half_value(uint64_t bits)
{
  const int exponent = bits >> 10 & 31;
  const double fraction = (double)(bits & 1023), sign = bits >> 15 & 1 ? -1 : 1;
  if (exponent == 31) return fraction > 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static double real_value(uint64_t bits, int size)
{
  if (size == 2) return half_value(bits);
  if (size == 4) {
    uint32_t half = (uint32_t)bits;
    float f;
    memcpy(&f, &half, sizeof f);
    return (double)f;
  }
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

/* The bits of the value at a position, as an integer. */
static uint64_t bits_at(const hg_array *a, const int64_t at[3])
{
  const uint8_t *p = a->data + at[0] * a->stride[0] + at[1] * a->stride[1] + at[2] * a->stride[2];
  uint64_t bits = 0;
  for (int i = 0; i < a->size; i++) bits |= (uint64_t)p[a->swap ? a->size - 1 - i : i] << (8 * i);
  return bits;
}

double hg_array_get(const hg_array *a, const int64_t at[3])
{
  const uint64_t bits = bits_at(a, at);
  if (a->kind == 'f') return real_value(bits, a->size);
  if (a->kind == 'u') return (double)bits;
  int unused = 64 - 8 * a->size;
  return (double)((int64_t)(bits << unused) >> unused);
}

/* The nearest number in IEEE 754 binary16. */
static double half_of(double number)
{
  int exponent;
  frexp(number, &exponent);
  const int last = exponent > -13 ? exponent - 11 : -24; /* exponent of the last bit */
  const double half = isfinite(number) ? ldexp(nearbyint(ldexp(number, -last)), last) : number;
  return fabs(half) < 65520 ? half : copysign(INFINITY, number);
}

double hg_array_round(const hg_array *a, double number)
{
  if (a->kind != 'f' || a->size == 8) return number;
  return a->size == 4 ? (double)(float)number : half_of(number);
}

hg_status hg_integer_read(uint64_t bits, bool is_signed, const char *place, const int64_t at[3], double *out)
{
  const double value = is_signed ? (double)(int64_t)bits : (double)bits;
  const bool exact =
      is_signed ? value < 0x1p63 && (uint64_t)(int64_t)value == bits : value < 0x1p64 && (uint64_t)value == bits;
  *out = value;
  if (exact) return HG_OK;
  char text[24];
  snprintf(text, sizeof text, is_signed ? "%" PRId64 : "%" PRIu64, bits);
  return hg_fail(HG_FORMAT,
                 "%s: the value at (%" PRId64 ", %" PRId64 ", %" PRId64
                 ") is %s, an integer that a double cannot represent",
                 place, at[0], at[1], at[2], text);
}

hg_status hg_array_read(const hg_array *a, const int64_t first[3], int64_t count, const char *place, double *out)
{
  int64_t at[3] = {first[0], first[1], first[2]};
  const bool may_round = a->kind != 'f' && a->size == 8;
  for (int64_t i = 0; i < count; i++, at[0]++) {
    if (may_round)
      HG_TRY(hg_integer_read(bits_at(a, at), a->kind == 'i', place, at, &out[i]));
    else
      out[i] = hg_array_get(a, at);
  }
  return HG_OK;
}

void hg_array_free(hg_array *a)
{
  free(a->owned);
  if (a->mapped) munmap(a->mapped, a->mapped_bytes);
  *a = (hg_array){0};
}
