/* SPDX-License-Identifier: MIT */
#include "input/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static double real_value(uint64_t bits, int size)
{
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

double hg_array_get(const hg_array *a, const int64_t at[3])
{
  const uint8_t *p = a->data + at[0] * a->stride[0] + at[1] * a->stride[1] + at[2] * a->stride[2];
  uint64_t bits = 0; /* value with its least significant byte first */
  for (int i = 0; i < a->size; i++) bits |= (uint64_t)p[a->swap ? a->size - 1 - i : i] << (8 * i);
  if (a->kind == 'f') return real_value(bits, a->size);
  if (a->kind == 'u') return (double)bits;
  int unused = 64 - 8 * a->size;
  return (double)((int64_t)(bits << unused) >> unused);
}

void hg_array_free(hg_array *a)
{
  free(a->owned);
  if (a->mapped) munmap(a->mapped, a->mapped_bytes);
  *a = (hg_array){0};
}
