/* SPDX-License-Identifier: MIT */
#include "codelets/units/units_tile.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/integers.h"

hg_units_range hg_units_valid(const hg_units_tile *t, int done, int steps)
{
  const hg_tile_shape *s = t->shape;
  const int64_t reach = t->update->radius, margin = (steps - done) * reach;
  hg_units_range r;
  for (int a = 0; a < 3; a++) {
    const int64_t images[2] = {s->images[a][HG_LO], s->images[a][HG_HI]}, n = a < s->dims ? margin : s->n[a];
    r.lo[a] = hg_max(s->margin[a][HG_LO] - n, images[HG_LO] ? images[HG_LO] - reach : 0);
    r.hi[a] = hg_min(s->n[a] - s->margin[a][HG_HI] + n, s->n[a] - (images[HG_HI] ? images[HG_HI] - reach : 0));
    r.first[a] = hg_max(r.lo[a], images[HG_LO]);
    r.end[a] = hg_min(r.hi[a], s->n[a] - images[HG_HI]);
  }
  return r;
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
