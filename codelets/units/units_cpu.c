/* SPDX-License-Identifier: MIT */
#include "codelets/units/units_cpu.h"

#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/topology.h"
#include "base/integers.h"
#include "codelets/units/units_lanes.h"
#include "codelets/units/units_tile.h"

/* Bytes of a row's results that are collected in cache before being written by non-temporal stores. */
enum { CHUNK = 4096, LINE = 64, QUANTITIES = 512 };

/* The state after some steps: all layers of the slowest axis, or the last `ring` of them. */
typedef struct level {
  char *base;
  int64_t ring;       /* layers stored */
  int64_t row, layer; /* bytes from one row, one layer to the next */
  hg_units_range has;
} level;

/* A tile being advanced. */
typedef struct sweep {
  const hg_units_tile *tile;
  const hg_tile_shape *shape;
  int slow;                  /* axis whose layers stream: 1, in 3-D 2 */
  int reach;                 /* layers that a step reads on each side along it: 0 in 1-D, where there is one layer */
  int64_t bytes;             /* of a value */
  int64_t row, layer;        /* bytes of a row, of a layer between two steps */
  int64_t open[3], close[3]; /* cells outside open <= i < close are held */
  int64_t first;
  char *chunk; /* where results are collected, or NULL: written directly */
  hg_units units;
} sweep;

static char *row_of(const sweep *s, const level *l, int64_t y, int64_t z)
{
  const int64_t layer = s->slow == 2 ? z : s->slow == 1 ? y : 0;
  return l->base + layer % l->ring * l->layer + (s->slow == 2 ? y * l->row : 0);
}

/* Cells of a row; `rows` point to the first of them in the surrounding rows. The row is split at cache lines of the
 * result, so that vectors of most rows do not cross lines and can be streamed where results are collected. */
static void compute_cells(const sweep *s, hg_units *units, const void **rows, int count, int64_t cells, char *out)
{
  units->row = rows;
  for (int64_t done = 0, part; done < cells; done += part) {
    char *to = out + done * s->bytes;
    const int64_t beyond = (int64_t)((uintptr_t)to % LINE);
    part = s->chunk ? CHUNK / s->bytes : cells - done;
    if (beyond && LINE % s->bytes == 0) part = (LINE - beyond) / s->bytes;
    if (part > cells - done) part = cells - done;
    s->tile->update->run(units, part, s->chunk ? s->chunk : to);
    if (s->chunk) hg_units_stream(to, s->chunk, part * s->bytes);
    for (int i = 0; i < count; i++) rows[i] = (const char *)rows[i] + part * s->bytes;
    units->at[0] += part;
  }
}

static bool held(const sweep *s, int axis, int64_t i)
{
  return i < s->open[axis] || i >= s->close[axis];
}

static void copy_cells(const sweep *s, const level *from, const level *to, int64_t y, int64_t z, int64_t begin,
                       int64_t end)
{
  if (end <= begin) return;
  memcpy(row_of(s, to, y, z) + begin * s->bytes, row_of(s, from, y, z) + begin * s->bytes,
         (size_t)((end - begin) * s->bytes));
}

/* Copies the held cells of a row; the other cells are begin <= x < end. */
static void copy_held(const sweep *s, const level *from, const level *to, int64_t y, int64_t z, int64_t *begin,
                      int64_t *end)
{
  const int64_t lo = to->has.first[0], hi = to->has.end[0];
  const bool whole = held(s, 1, y) || held(s, 2, z);
  *begin = hg_min(hi, whole ? hi : hg_max(lo, s->open[0]));
  *end = hg_min(hi, s->close[0]);
  copy_cells(s, from, to, y, z, lo, *begin);
  copy_cells(s, from, to, y, z, hg_max(*begin, *end), hi);
}

/* Sets the images in a row. */
static void mirror_cells(const sweep *s, const level *l, int64_t y, int64_t z)
{
  const hg_units_range *r = &l->has;
  char *row = row_of(s, l, y, z);
  for (int64_t x = r->lo[0]; x < r->first[0]; x++)
    memcpy(row + x * s->bytes, row + (2 * r->first[0] - 1 - x) * s->bytes, (size_t)s->bytes);
  for (int64_t x = r->end[0]; x < r->hi[0]; x++)
    memcpy(row + x * s->bytes, row + (2 * r->end[0] - 1 - x) * s->bytes, (size_t)s->bytes);
}

/* Copies a row, with its images, to another of the same step. */
static void copy_row(const sweep *s, const level *l, int64_t y, int64_t z, int64_t to_y, int64_t to_z)
{
  const int64_t lo = l->has.lo[0];
  memcpy(row_of(s, l, to_y, to_z) + lo * s->bytes, row_of(s, l, y, z) + lo * s->bytes,
         (size_t)((l->has.hi[0] - lo) * s->bytes));
}

static void copy_layer(const sweep *s, const level *l, int64_t layer, int64_t to)
{
  if (s->slow == 1) copy_row(s, l, layer, 0, to, 0);
  for (int64_t y = l->has.lo[1]; s->slow == 2 && y < l->has.hi[1]; y++) copy_row(s, l, y, layer, y, to);
}

/* Sets the rows of a layer that are images. */
static void mirror_rows(const sweep *s, const level *l, int64_t z)
{
  const hg_units_range *r = &l->has;
  for (int64_t y = r->lo[1]; y < r->first[1]; y++) copy_row(s, l, 2 * r->first[1] - 1 - y, z, y, z);
  for (int64_t y = r->end[1]; y < r->hi[1]; y++) copy_row(s, l, 2 * r->end[1] - 1 - y, z, y, z);
}

/* Copies layer `at` to its image before the first layer, or sets layer `at` if it is itself an image behind the last.
 * This happens while the ring holds both, and before the next step reads them. */
static void mirror_layer(const sweep *s, const level *l, int64_t at)
{
  const int64_t lo = l->has.lo[s->slow], first = l->has.first[s->slow], end = l->has.end[s->slow];
  if (at >= first && at < hg_min(end, 2 * first - lo)) copy_layer(s, l, at, 2 * first - 1 - at);
  if (at >= end && at < l->has.hi[s->slow]) copy_layer(s, l, 2 * end - 1 - at, at);
}

/* Computes a row of a step from the surrounding rows of the previous step; held cells and images are copied. */
static void compute_row(const sweep *s, const level *from, const level *to, int64_t step, int64_t y, int64_t z)
{
  const int r = s->tile->update->radius, dims = s->shape->dims;
  const int ry = dims > 1 ? r : 0, rz = dims > 2 ? r : 0;
  const void *rows[(2 * ry + 1) * (2 * rz + 1)];
  int64_t begin, end;
  int count = 0;
  copy_held(s, from, to, y, z, &begin, &end);
  if (begin < end) {
    for (int64_t dz = -rz; dz <= rz; dz++)
      for (int64_t dy = -ry; dy <= ry; dy++) rows[count++] = row_of(s, from, y + dy, z + dz) + begin * s->bytes;
    hg_units units = s->units;
    units.step = step;
    const int64_t at[3] = {begin, y, z};
    for (int a = 0; a < 3; a++) units.at[a] = s->tile->lo[a] + at[a];
    compute_cells(s, &units, rows, count, end - begin, row_of(s, to, y, z) + begin * s->bytes);
  }
  mirror_cells(s, to, y, z);
}

/* Layer `at` of a step, if the step has it. */
static void compute_layer(const sweep *s, const level *from, const level *to, int64_t step, int64_t at)
{
  const hg_units_range *r = &to->has;
  const int64_t lo = s->slow == 2 ? r->first[1] : at, hi = s->slow == 2 ? r->end[1] : at + 1;
  for (int64_t y = lo; at >= r->first[s->slow] && at < r->end[s->slow] && y < hi; y++)
    compute_row(s, from, to, step, y, s->slow == 2 ? at : 0);
  if (s->slow == 2) mirror_rows(s, to, at);
  mirror_layer(s, to, at);
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
             .slow = shape->dims == 3 ? 2 : 1,
             .reach = shape->dims > 1 ? t->update->radius : 0,
             .bytes = bytes,
             .row = align(shape->n[0] * bytes) | LINE, /* an odd number of lines, to spread rows over the cache sets */
             .units = t->units};
  s.layer = shape->dims == 3 ? s.row * shape->n[1] : s.row;
  hg_units_open(t, s.open, s.close);
  return s;
}

/* Layers of a ring between two steps, and how many rings there are. In 1-D the whole tile is one layer, and two of
 * them alternate. */
static int64_t ring_layers(const sweep *s)
{
  return 2 * s->reach + 1;
}

static int rings(const sweep *s, int steps)
{
  return s->shape->dims == 1 && steps > 3 ? 2 : steps - 1;
}

static void advance_piece(const hg_units_tile *t, int64_t first, int steps, const void *before, void *after, char *work)
{
  sweep s = start(t);
  level l[steps + 1];
  const int64_t whole = t->shape->n[s.slow], *stride = t->shape->stride, row = stride[1] * s.bytes,
                layer = t->shape->dims == 3 ? stride[2] * s.bytes : row;
  for (int i = 0; i <= steps; i++) {
    const int64_t number = hg_max(i - 1, 0) % hg_max(rings(&s, steps), 1);
    char *ring = work + CHUNK + number * ring_layers(&s) * s.layer;
    l[i] = (level){.base = ring, .ring = ring_layers(&s), .row = s.row, .layer = s.layer};
    if (i == 0 || i == steps)
      l[i] = (level){.base = i ? after : (char *)(uintptr_t)before, .ring = whole, .row = row, .layer = layer};
    l[i].has = hg_units_valid(t, i, steps);
  }
  const int64_t layers = t->shape->dims > 1 ? whole : 1;
  for (int64_t at = 0; at < layers + (int64_t)(steps - 1) * s.reach; at++)
    for (int i = 1; i <= steps; i++) {
      s.chunk = i == steps && t->shape->stream && s.bytes <= LINE ? work : NULL;
      compute_layer(&s, &l[i - 1], &l[i], first + i - 1, at - (int64_t)(i - 1) * s.reach);
    }
}

/* --- pieces whose layers between the steps stay in the L2 cache -------------------------------------------------- */

static int64_t core_of(const hg_tile_shape *s, int axis)
{
  return s->n[axis] - s->margin[axis][HG_LO] - s->margin[axis][HG_HI];
}

/* How many pieces a tile is cut into along x and, in 3-D, y: the numbers with the least redundant computation, where a
 * row costs START cells more than it has. */
static void choose_pieces(const hg_units_tile *t, int steps, int64_t count[2])
{
  enum { START = 64 };
  const sweep s = start(t);
  const int64_t *n = t->shape->n, around = 2 * (int64_t)steps * t->update->radius, nx = core_of(t->shape, 0),
                ny = core_of(t->shape, 1), layers = ring_layers(&s) * rings(&s, steps);
  int64_t layer = hg_l2_cache_bytes() / 4 * 3 / s.bytes / hg_max(layers, 1), row = t->shape->dims == 1 ? n[0] : layer;
  double least = INFINITY;
  if (hg_lanes_suit(t, steps)) row = hg_lanes_widest(t, steps), layer = INT64_MAX;
  count[0] = count[1] = 1;
  if (steps == 1 || (n[0] <= row && (s.slow == 1 || n[0] * n[1] <= layer))) return;
  for (int64_t x = 1; x == 1 || nx / x >= hg_max(around, START); x++) {
    const double wide = (double)nx / (double)x, padded = wide + (double)around,
                 high = s.slow == 1 ? (double)ny : fmin((double)ny, (double)layer / padded - (double)around),
                 cost = (1 + ((double)around / 2 + START) / wide) * (s.slow == 1 ? 1 : 1 + (double)around / 2 / high);
    if (padded > (double)row || high < 1 || cost >= least) continue;
    least = cost;
    count[0] = x;
    count[1] = s.slow == 1 ? 1 : (int64_t)ceil((double)ny / high);
  }
}

/* Where piece i of an axis' core begins: in x at cache line borders, so that no line is written by two. */
static int64_t cut(const hg_units_tile *t, int axis, int64_t i, int64_t count)
{
  const int64_t first = t->shape->margin[axis][HG_LO], at = first + core_of(t->shape, axis) * i / count,
                line = hg_max(LINE / t->update->value_bytes, 1);
  return axis == 0 && i > 0 && i < count ? hg_max(first, at - at % line) : at;
}

/* Narrows an axis of the tile to piece i of its core and the margins it needs; returns where it begins. */
static int64_t narrow(const hg_units_tile *t, hg_tile_shape *s, int axis, int steps, int64_t i, int64_t count)
{
  const int64_t lo = cut(t, axis, i, count), hi = cut(t, axis, i + 1, count), n = s->n[axis],
                depth = (int64_t)steps * t->update->radius, begin = i > 0 ? hg_max(0, lo - depth) : 0,
                end = i + 1 < count ? hg_min(n, hi + depth) : n;
  s->n[axis] = end - begin;
  s->margin[axis][HG_LO] = (int)(lo - begin);
  s->margin[axis][HG_HI] = (int)(end - hi);
  s->images[axis][HG_LO] = (int)hg_max(0, s->images[axis][HG_LO] - begin);
  s->images[axis][HG_HI] = (int)hg_max(0, s->images[axis][HG_HI] - (n - end));
  s->hold[axis][HG_LO] = s->hold[axis][HG_LO] && begin == 0;
  s->hold[axis][HG_HI] = s->hold[axis][HG_HI] && end == n;
  return begin;
}

/* Makes piece (i, j) of a tile, storing its shape in `shape`. Returns the position of its first cell in the tile. */
static int64_t make_piece(const hg_units_tile *t, int steps, const int64_t count[2], int64_t i, int64_t j,
                          hg_units_tile *piece, hg_tile_shape *shape)
{
  const int64_t index[2] = {i, j};
  int64_t position = 0;
  *piece = *t;
  *shape = *t->shape;
  piece->shape = shape;
  for (int a = 0; a < 2; a++) {
    const int64_t begin = count[a] > 1 ? narrow(t, shape, a, steps, index[a], count[a]) : 0;
    piece->lo[a] += begin;
    position += begin * shape->stride[a];
  }
  return position;
}

size_t hg_units_workspace(const hg_units_tile *t, int steps)
{
  int64_t count[2], most = 0;
  choose_pieces(t, steps, count);
  for (int64_t p = 0; p < count[0] * count[1]; p++) {
    hg_units_tile piece;
    hg_tile_shape shape;
    make_piece(t, steps, count, p % count[0], p / count[0], &piece, &shape);
    const sweep s = start(&piece);
    most = hg_max(most, CHUNK + ring_layers(&s) * s.layer * rings(&s, steps));
    if (hg_lanes_suit(&piece, steps)) most = hg_max(most, (int64_t)hg_lanes_workspace(&piece, steps));
  }
  return (size_t)most;
}

void hg_units_advance(const hg_units_tile *t, int64_t first, int steps, const void *before, void *after, void *work)
{
  int64_t count[2];
  choose_pieces(t, steps, count);
  for (int64_t p = 0; p < count[0] * count[1]; p++) {
    hg_units_tile piece;
    hg_tile_shape shape;
    const int64_t position = make_piece(t, steps, count, p % count[0], p / count[0], &piece, &shape),
                  bytes = position * t->update->value_bytes;
    const void *from = (const char *)before + bytes;
    void *to = (char *)after + bytes;
    if (!hg_lanes_suit(&piece, steps) || !hg_lanes_advance(&piece, first, steps, from, to, work))
      advance_piece(&piece, first, steps, from, to, work);
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
