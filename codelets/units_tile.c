/* SPDX-License-Identifier: MIT */
#include "codelets/units_tile.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

void hg_units_valid(const hg_units_tile *t, int done, int steps, int64_t lo[3], int64_t hi[3])
{
  const hg_tile_shape *s = t->shape;
  const int64_t margin = (int64_t)(steps - done) * t->update->radius;
  for (int a = 0; a < 3; a++) {
    const int64_t first = s->margin[a][HG_LO] - margin, end = s->n[a] - s->margin[a][HG_HI] + margin;
    lo[a] = first > 0 && a < s->dims ? first : 0;
    hi[a] = end < s->n[a] && a < s->dims ? end : s->n[a];
  }
}

void hg_units_open(const hg_units_tile *t, int64_t open[3], int64_t close[3])
{
  const hg_tile_shape *s = t->shape;
  for (int a = 0; a < 3; a++) {
    open[a] = s->hold[a][HG_LO] && a < s->dims ? t->update->radius : 0;
    close[a] = s->n[a] - (s->hold[a][HG_HI] && a < s->dims ? t->update->radius : 0);
  }
}

void hg_units_stream(char *to, const char *from, int64_t bytes)
{
  int64_t i = 0;
#ifdef __SSE2__
  const int64_t beyond = -(int64_t)((uintptr_t)to % 16) & 15;
  if (beyond <= bytes) memcpy(to, from, (size_t)(i = beyond));
  for (; i + 16 <= bytes; i += 16)
    _mm_stream_si128((__m128i *)(void *)(to + i), _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
#endif
  memcpy(to + i, from + i, (size_t)(bytes - i));
}
