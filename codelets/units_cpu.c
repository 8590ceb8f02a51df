/* SPDX-License-Identifier: MIT */
#include "codelets/units_cpu.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bytes of results that are collected in cache before they are written around it. */
enum { CHUNK = 4096, LINE = 64, QUANTITIES = 512 };

/* The state after some step: all layers of the slowest axis, or the last `ring` of them. */
typedef struct level {
  char *base;
  int64_t ring;         /* layers held */
  int64_t lo[3], hi[3]; /* cells that are valid, in the tile */
} level;

/* A tile on its way. */
typedef struct sweep {
  const hg_units_tile *tile;
  const hg_tile_shape *shape;
  int slow;                  /* axis whose layers stream */
  int reach;                 /* layers along it that a step reads on each side: 0 in 1-D, where there is one layer */
  int64_t bytes;             /* of a value */
  int64_t row, layer;        /* bytes of a row, of a layer */
  int64_t open[3], close[3]; /* cells outside open <= i < close are held */
  int64_t first;
  char *chunk; /* where results are collected, or NULL: written at once */
  hg_units units;
} sweep;

static char *row_of(const sweep *s, const level *l, int64_t y, int64_t z)
{
  const int64_t layer = s->slow == 2 ? z : s->slow == 1 ? y : 0;
  return l->base + layer % l->ring * s->layer + (s->slow == 2 ? y * s->row : 0);
}

/* To memory, not through the caches; `to` is a multiple of 16 bytes where it matters. */
static void stream(char *to, const char *from, int64_t bytes)
{
  int64_t i = 0;
#ifdef __SSE2__
  if ((uintptr_t)to % 16 == 0)
    for (; i + 16 <= bytes; i += 16)
      _mm_stream_si128((__m128i *)(void *)(to + i), _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
#endif
  memcpy(to + i, from + i, (size_t)(bytes - i));
}

/* Cells of a row; `rows` point to the first of them in the rows around. Parts end at cache lines of the result, so that
 * vectors of most rows do not cross lines, and are streamed where results are collected. */
static void compute_cells(const sweep *s, hg_units *units, const void **rows, int count, int64_t cells, char *out)
{
  const hg_update *update = s->tile->update;
  units->row = rows;
  for (int64_t done = 0, part; done < cells; done += part) {
    char *to = out + done * s->bytes;
    const int64_t beyond = (int64_t)((uintptr_t)to % LINE);
    part = s->chunk ? CHUNK / s->bytes : cells - done;
    if (beyond && LINE % s->bytes == 0) part = (LINE - beyond) / s->bytes;
    if (part > cells - done) part = cells - done;
    update->run(units, part, s->chunk ? s->chunk : to);
    if (s->chunk) stream(to, s->chunk, part * s->bytes);
    for (int i = 0; i < count; i++) rows[i] = (const char *)rows[i] + part * s->bytes;
    units->at[0] += part;
  }
}

static bool held(const sweep *s, int axis, int64_t i)
{
  return i < s->open[axis] || i >= s->close[axis];
}

/* One row of a step from the rows around it of the step before; held cells are copied. */
static void compute_row(const sweep *s, const level *from, const level *to, int64_t step, int64_t y, int64_t z)
{
  const int r = s->tile->update->radius, dims = s->shape->dims;
  const int64_t lo = to->lo[0], hi = to->hi[0];
  const char *same = row_of(s, from, y, z);
  char *out = row_of(s, to, y, z);
  if (held(s, 1, y) || held(s, 2, z)) {
    memcpy(out + lo * s->bytes, same + lo * s->bytes, (size_t)((hi - lo) * s->bytes));
    return;
  }
  const int64_t begin = lo > s->open[0] ? lo : s->open[0], end = hi < s->close[0] ? hi : s->close[0];
  if (begin > lo) memcpy(out + lo * s->bytes, same + lo * s->bytes, (size_t)((begin - lo) * s->bytes));
  if (end < hi) memcpy(out + end * s->bytes, same + end * s->bytes, (size_t)((hi - end) * s->bytes));
  const int ry = dims > 1 ? r : 0, rz = dims > 2 ? r : 0;
  const void *rows[(2 * ry + 1) * (2 * rz + 1)];
  int count = 0;
  for (int64_t dz = -rz; dz <= rz; dz++)
    for (int64_t dy = -ry; dy <= ry; dy++) rows[count++] = row_of(s, from, y + dy, z + dz) + begin * s->bytes;
  hg_units units = s->units;
  units.step = step;
  const int64_t at[3] = {begin, y, z};
  for (int a = 0; a < 3; a++) units.at[a] = s->tile->lo[a] + at[a];
  if (end > begin) compute_cells(s, &units, rows, count, end - begin, out + begin * s->bytes);
}

static void compute_layer(const sweep *s, const level *from, const level *to, int64_t step, int64_t at)
{
  if (s->slow > 0 && (at < to->lo[s->slow] || at >= to->hi[s->slow])) return;
  if (s->slow < 2)
    compute_row(s, from, to, step, s->slow == 1 ? at : 0, 0);
  else
    for (int64_t y = to->lo[1]; y < to->hi[1]; y++) compute_row(s, from, to, step, y, at);
}

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

static int64_t align(int64_t bytes)
{
  return (bytes + LINE - 1) / LINE * LINE;
}

static sweep start(const hg_units_tile *t)
{
  const hg_tile_shape *shape = t->shape;
  const int64_t bytes = t->update->value_bytes;
  sweep s = {.tile = t,
             .shape = shape,
             .slow = shape->dims - 1,
             .reach = shape->dims > 1 ? t->update->radius : 0,
             .bytes = bytes,
             .row = shape->stride[1] * bytes,
             .units = t->units};
  s.layer = shape->dims == 1 ? shape->n[0] * bytes : shape->stride[shape->dims - 1] * bytes;
  hg_units_open(t, s.open, s.close);
  return s;
}

/* Bytes of a ring between two steps, and how many rings there are. In 1-D the whole tile is one layer, and two of them
 * take turns. */
static int64_t ring_bytes(const sweep *s)
{
  return align((2 * s->reach + 1) * s->layer);
}

static int rings(const sweep *s, int steps)
{
  return s->shape->dims == 1 && steps > 3 ? 2 : steps - 1;
}

size_t hg_units_workspace(const hg_units_tile *t, int steps)
{
  const sweep s = start(t);
  return (size_t)(CHUNK + ring_bytes(&s) * rings(&s, steps));
}

void hg_units_advance(const hg_units_tile *t, int64_t first, int steps, const void *before, void *after, void *work)
{
  sweep s = start(t);
  level l[steps + 1];
  const int64_t whole = t->shape->n[s.slow];
  for (int i = 0; i <= steps; i++) {
    l[i].ring = 2 * s.reach + 1;
    if (i == 0) l[i].base = (char *)(uintptr_t)before, l[i].ring = whole;
    if (i == steps) l[i].base = after, l[i].ring = whole;
    if (i > 0 && i < steps) l[i].base = (char *)work + CHUNK + (i - 1) % rings(&s, steps) * ring_bytes(&s);
    hg_units_valid(t, i, steps, l[i].lo, l[i].hi);
  }
  const int64_t layers = t->shape->dims > 1 ? whole : 1;
  for (int64_t at = 0; at < layers + (int64_t)(steps - 1) * s.reach; at++)
    for (int i = 1; i <= steps; i++) {
      s.chunk = i == steps && t->shape->stream && s.bytes <= LINE ? work : NULL;
      compute_layer(&s, &l[i - 1], &l[i], first + i - 1, at - (int64_t)(i - 1) * s.reach);
    }
#ifdef __SSE2__
  _mm_sfence();
#endif
}

void hg_units_measure(const hg_units_tile *t, const hg_quantity *quantity, int64_t step, const void *before,
                      const void *after, void (*take)(void *arg, const double *values, int64_t count), void *arg)
{
  const sweep s = start(t);
  const hg_tile_shape *shape = t->shape;
  const int64_t bytes = t->update->value_bytes;
  double values[QUANTITIES];
  const void *row[quantity->rows];
  hg_units units = s.units;
  units.step = step;
  units.row = row;
  for (int64_t z = shape->margin[2][HG_LO]; z < shape->n[2] - shape->margin[2][HG_HI]; z++)
    for (int64_t y = shape->margin[1][HG_LO]; y < shape->n[1] - shape->margin[1][HG_HI]; y++) {
      const int64_t begin = shape->margin[0][HG_LO], end = shape->n[0] - shape->margin[0][HG_HI];
      for (int64_t x = begin, part; x < end; x += part) {
        const int64_t at[3] = {x, y, z}, cell = x + y * shape->stride[1] + z * shape->stride[2];
        part = end - x < QUANTITIES ? end - x : QUANTITIES;
        for (int i = 0; i < quantity->rows; i++) row[i] = (const char *)before + cell * bytes;
        units.after = (const char *)after + cell * bytes;
        for (int a = 0; a < 3; a++) units.at[a] = t->lo[a] + at[a];
        quantity->run(&units, part, values);
        take(arg, values, part);
      }
    }
}
