/* SPDX-License-Identifier: MIT */
/* Deep-halo kernel, template over REAL and the instruction set: k time steps in one pass over memory.
 *
 * Idea. Rows (2-D) or planes (3-D) of a strip enter a window that stays in the L2 cache. Level l (the state after l
 * steps) of row y is in slot y-l: it replaces level l-1 of row y-1, which is last used by this very update. So levels
 * are skewed and updated in place. In wave t level l advances the rows R*t-l .. R*t-l+R-1, so all k levels pass over
 * the window before the next R rows are loaded; level k goes to `dst`. (Planes: heat_planes_template.h.)
 *
 *   slot:   R*t-2k ......... R*t-2l .. +R-1 ......... R*t .. R*t+R-1
 *           level k          level l                  level 0 (just loaded)
 *
 * Layout. Inside the window a row of P cells is stored as nv = ceil(P/VL) vectors, with lane i holding the contiguous
 * segment i*nv .. i*nv+nv-1 (dimension-lifted transposition: Henretty et al., CC 2011). West and east neighbours are
 * then whole aligned vectors; only the first and the last vector of a row need a lane rotation. The transposition is
 * done once per k steps.
 *
 * Margins shrink by one cell per level. Rows are clipped; columns are computed over the whole padded row, as wrong
 * values move inwards by one cell per level and never reach the core. */

typedef struct NAME(coefs) {
  vec ax, ay, az, c0;
} NAME(coefs);

static NAME(coefs) NAME(make_coefs)(const hg_heat_coef *c)
{
  REAL ax = (REAL)c->a[0], ay = (REAL)c->a[1], az = (REAL)c->a[2];
  REAL c0 = ((1 - 2 * ax) - 2 * ay) - 2 * az;
  return (NAME(coefs)){NAME(splat)(ax), NAME(splat)(ay), NAME(splat)(az), NAME(splat)(c0)};
}

#include "codelets/heat/heat_rows_template.h"

/* A strip: the part of a padded tile that one pass of the window covers. It has padded bounds lo..hi (half open) in x
 * and y, the core columns/rows it writes, and whether its outer columns/rows are held. The additions for 3-D are
 * explained in heat_planes_template.h. */
typedef struct NAME(strip) {
  int64_t lo[2], hi[2], core_lo[2], core_hi[2], cut[2];
  int steps, kind;
  bool hold[2][2];
  int64_t held[2]; /* where the held cells of a row are in lane layout, in values; -1: none */
  vec *edges;
  int64_t nv, pitch; /* vectors per row; row pitch in vectors: odd, to spread rows over the cache sets */
  REAL *flat;        /* one row in natural order, VL*nv values */
} NAME(strip);

static inline const REAL *NAME(at)(const hg_tile_shape *s, const void *grid, int64_t x, int64_t y, int64_t z)
{
  return (const REAL *)grid + x + y * s->stride[1] + z * s->stride[2];
}

/* Loads the padded row (y, z) of the strip into lane layout. The padding beyond the row holds what follows in memory
 * or, at the end of the grid, the last cell again. Like the row's own ends it spoils one cell per level. */
static void NAME(load_row)(const hg_tile_shape *s, const NAME(strip) * t, const void *grid, int64_t y, int64_t z,
                           vec *row)
{
  const int64_t p = t->hi[0] - t->lo[0];
  const REAL *from = NAME(at)(s, grid, t->lo[0], y, z);
  if (from + t->nv * VL <= NAME(at)(s, grid, s->n[0], s->n[1] - 1, s->n[2] - 1)) {
    NAME(row_in)(row, from, t->nv);
    return;
  }
  memcpy(t->flat, from, (size_t)p * sizeof(REAL));
  for (int64_t x = p; x < t->nv * VL; x++) t->flat[x] = t->flat[p - 1];
  NAME(row_in)(row, t->flat, t->nv);
}

/* to[n] = from[n], with non-temporal stores where the instruction set has them. */
static void NAME(stream_out)(REAL *to, const REAL *from, int64_t n)
{
  int64_t x = 0;
  for (; x < n && (uintptr_t)(to + x) % VBYTES; x++) to[x] = from[x];
  for (; x + VL <= n; x += VL) {
    vec v = *(const NAME(unaligned) *)(from + x);
#if VBYTES == 64
    _mm512_stream_si512((__m512i *)(to + x), (__m512i)v);
#elif VBYTES == 32
    _mm256_stream_si256((__m256i *)(to + x), (__m256i)v);
#else
    *(vec *)(to + x) = v;
#endif
  }
  for (; x < n; x++) to[x] = from[x];
}

static void NAME(store_row)(const hg_tile_shape *s, const NAME(strip) * t, void *dst, int64_t y, int64_t z,
                            const vec *row)
{
  const int64_t n = t->core_hi[0] - t->core_lo[0];
  REAL *to = (REAL *)NAME(at)(s, dst, t->core_lo[0], y, z), *from = t->flat + (t->core_lo[0] - t->lo[0]);
  NAME(row_out)(t->flat, row, t->nv);
  if (s->stream)
    NAME(stream_out)(to, from, n);
  else
    memcpy(to, from, (size_t)n * sizeof(REAL));
}

/* Writes the held west/east cells of row (y, z), which never change, back into an advanced row. */
static inline void NAME(restore_columns)(const hg_tile_shape *s, const NAME(strip) * t, const void *src, int64_t y,
                                         int64_t z, vec *row)
{
  REAL *value = (REAL *)row;
  if (t->held[HG_LO] >= 0) value[t->held[HG_LO]] = *NAME(at)(s, src, t->lo[0], y, z);
  if (t->held[HG_HI] >= 0) value[t->held[HG_HI]] = *NAME(at)(s, src, t->hi[0] - 1, y, z);
}

static void NAME(copy_row)(vec *dst, const vec *src, int64_t nv)
{
  memcpy(dst, src, (size_t)nv * sizeof(vec));
}

/* Rows (or planes) lo..hi-1 that level l computes along an axis of n padded cells. */
static inline void NAME(valid)(const bool hold[2], int64_t n, int l, int64_t *lo, int64_t *hi)
{
  *lo = hold[HG_LO] ? 1 : l;
  *hi = hold[HG_HI] ? n - 1 : n - l;
}

static inline int64_t NAME(max)(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static inline int64_t NAME(min)(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Window of `count` slots of `pitch` vectors; slot[i] is valid for 0 <= i < 2*count and wraps. */
typedef struct NAME(window) {
  int64_t count;
  vec **slot;
} NAME(window);

static NAME(window) NAME(make_window)(char **work, int64_t count, int64_t pitch)
{
  vec *memory = (vec *)*work;
  vec **slot = (vec **)(*work + (size_t)(count * pitch) * sizeof(vec));
  for (int64_t i = 0; i < 2 * count; i++) slot[i] = memory + i % count * pitch;
  *work = (char *)(slot + (2 * count + 15) / 8 * 8);
  return (NAME(window)){count, slot};
}

static inline vec **NAME(slot)(const NAME(window) * w, int64_t s)
{
  int64_t i = s % w->count;
  return w->slot + (i < 0 ? i + w->count : i);
}

static size_t NAME(window_bytes)(int64_t count, int64_t pitch)
{
  return (size_t)(count * pitch) * sizeof(vec) + (size_t)(2 * count + 16) * sizeof(vec *);
}

/* Slots that a window of k levels needs if `rows` rows enter per wave and leave one wave late. */
static int64_t NAME(window_slots)(int k, int rows)
{
  return 2 * k + 2 * rows + 2;
}

static int64_t NAME(source_slots)(int k, int rows)
{
  return k + 2 * rows;
}

/* The windows of a strip: for the state, the sources and, in a field, the conductances along x, y and z. */
typedef struct NAME(windows) {
  NAME(window) state, q, down, deep;
} NAME(windows);

/* The number of windows besides that of the state. */
static int NAME(more_windows)(int kind, int dims)
{
  return kind == HG_HEAT_FIELD ? dims : kind == HG_HEAT_SOURCE;
}

/* Level l of wave base: rows base .. base+ROWS-1 of a 2-D strip. */
static void NAME(level_2d)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, const void *src,
                           const NAME(windows) * all, int l, int64_t base)
{
  const NAME(window) *w = &all->state;
  const int64_t n = s->n[1];
  int64_t lo, hi;
  NAME(valid)(s->hold[1], n, l, &lo, &hi);
  if (s->hold[1][HG_LO] && base <= 0 && 0 < base + ROWS)
    NAME(copy_row)(*NAME(slot)(w, -l), *NAME(slot)(w, 1 - l), t->nv);
  int64_t a = NAME(max)(base, lo), b = NAME(min)(base + ROWS, hi);
  for (int64_t y = a; y < b;) {
    vec **rows = NAME(slot)(w, y - l);
    NAME(rowset) set = {.in = rows, .kind = t->kind};
    if (t->kind != HG_HEAT_ALONE) set.q = NAME(slot)(&all->q, y);
    if (t->kind == HG_HEAT_FIELD) set.down = NAME(slot)(&all->down, y - 1);
    if (b - y == ROWS) {
      NAME(advance_4_2)(k, &set, t->nv);
      y += ROWS;
    } else {
      NAME(advance_1_2)(k, &set, t->nv);
      y++;
    }
  }
  if (t->held[HG_LO] >= 0 || t->held[HG_HI] >= 0)
    for (int64_t y = a; y < b; y++) NAME(restore_columns)(s, t, src, y, 0, *NAME(slot)(w, y - l));
  if (s->hold[1][HG_HI] && base <= n - 1 && n - 1 < base + ROWS)
    NAME(copy_row)(*NAME(slot)(w, n - 1 - l), *NAME(slot)(w, n - l), t->nv);
}

/* Prefetches the l-th of t->steps shares of the rows that enter a wave at `first`.
 * (Inlined, since gcc removes calls of functions that only prefetch.) */
static inline __attribute__((always_inline)) void NAME(fetch_rows)(const hg_tile_shape *s, const NAME(strip) * t,
                                                                   const void *grid, int l, int64_t first)
{
  const int64_t lines = (t->hi[0] - t->lo[0]) * (int64_t)sizeof(REAL) / 64 + 1;
  for (int64_t y = first; y < NAME(min)(first + ROWS, s->n[1]); y++) {
    const char *row = (const char *)NAME(at)(s, grid, t->lo[0], y, 0);
    for (int64_t i = lines * (l - 1) / t->steps; i < lines * l / t->steps; i++) __builtin_prefetch(row + 64 * i, 0, 2);
  }
}

/* Writes the l-th of t->steps shares of the rows that a wave completed, the first of which is y. */
static void NAME(leave_rows)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(window) * w, void *dst, int l,
                             int64_t y)
{
  const int64_t lo = NAME(max)(y + ROWS * (l - 1) / t->steps, t->core_lo[1]),
                hi = NAME(min)(y + ROWS * l / t->steps, t->core_hi[1]);
  for (y = lo; y < hi; y++) NAME(store_row)(s, t, dst, y, 0, *NAME(slot)(w, y - t->steps));
}

#include "codelets/heat/heat_conductance_template.h"

/* Overlaps memory access with computation: each level prefetches a share of the next wave's rows and writes a share of
 * the rows that the previous wave completed. */
static void NAME(strip_2d)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, int steps,
                           const void *src, void *dst, const void *q, char *work)
{
  const int64_t n = s->n[1];
  NAME(windows) w = {.state = NAME(make_window)(&work, NAME(window_slots)(steps, ROWS), t->pitch)};
  if (q) w.q = NAME(make_window)(&work, NAME(source_slots)(steps, ROWS), t->pitch);
  if (t->kind == HG_HEAT_FIELD) w.down = NAME(make_window)(&work, NAME(source_slots)(steps, ROWS), t->pitch);
  for (int64_t top = 0; top - steps - ROWS < n; top += ROWS) {
    for (int64_t y = top; y < NAME(min)(top + ROWS, n); y++) {
      NAME(load_row)(s, t, src, y, 0, *NAME(slot)(&w.state, y));
      if (t->kind == HG_HEAT_SOURCE) NAME(load_row)(s, t, q, y, 0, *NAME(slot)(&w.q, y));
      if (t->kind == HG_HEAT_FIELD) NAME(load_conductances)(s, t, k, q, y, (vec *)work, &w);
    }
    for (int l = 1; l <= steps; l++) {
      NAME(level_2d)(s, t, k, src, &w, l, top - l);
      NAME(fetch_rows)(s, t, src, l, top + ROWS);
      if (q) NAME(fetch_rows)(s, t, q, l, top + ROWS);
      NAME(leave_rows)(s, t, &w.state, dst, l, top - ROWS - steps);
    }
  }
}

#include "codelets/heat/heat_planes_template.h"

/* One dimension: the strip is short enough for the L1 cache and is swept `steps` times in place. */
static void NAME(strip_1d)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, int steps,
                           const void *src, void *dst, const void *q, char *work)
{
  vec *row = (vec *)work, *source = row + t->pitch, *field = source + t->pitch;
  vec *const in[3] = {NULL, row, NULL};
  NAME(load_row)(s, t, src, 0, 0, row);
  if (q) NAME(load_row)(s, t, q, 0, 0, t->kind == HG_HEAT_FIELD ? field : source);
  if (t->kind == HG_HEAT_FIELD) NAME(conductances_along)(t, k->ax[0], field, source);
  const NAME(rowset) set = {.in = in, .q = &source, .kind = t->kind};
  for (int l = 1; l <= steps; l++) {
    NAME(advance_1_1)(k, &set, t->nv);
    NAME(restore_columns)(s, t, src, 0, 0, row);
  }
  NAME(store_row)(s, t, dst, 0, 0, row);
}

/* The cheapest extents in x (of the core) and y of a strip whose planes have about `cells` cells. Each of `steps`
 * levels computes rows of x + 2 steps cells and hands rows on to the next strip, which costs as much as COPY rows. A
 * row costs START vectors more than it has, and reading and writing it costs as much as LOAD levels. If a window in
 * the L2 cache would have fewer than LEAST rows, one of HIGH rows in the L3 cache is better: on Zen 3, 256 cells wide,
 * 16 rows reach 1.07 GStencil/s, 24 1.19, 32 1.17, 48 1.35, 64 1.33 while the other core does the same. FAR: such a
 * cache is slower on other processors. Rows of one update that exceed the L1 cache take up to LONG times as long (Zen
 * 5: 32 vectors per row 8.0, 40 7.0, 56 6.0, 128 6.0). */
static void NAME(plane_extent)(const int64_t n[3], int64_t cells, int steps, int64_t *x, int64_t *y)
{
  enum { LOAD = 4, START = 8, COPY = 2, LEAST = 24, HIGH = 48 };
  static const double FAR = 1.15, LONG = 1.35;
  double least = INFINITY;
  *x = n[0], *y = n[1];
  for (int64_t pieces = 1; pieces == 1 || n[0] / pieces >= 4 * VL; pieces++) {
    const int64_t wide = (n[0] + pieces - 1) / pieces, all = cells / (wide + 2 * steps), leaning = all - steps - 1;
    const bool whole = all >= n[1], far = !whole && leaning < LEAST;
    const int64_t high = NAME(min)(n[1], whole ? all : far ? HIGH : leaning);
    const double l1 =
        (double)(NAME(slab_rows)() * (wide + 2 * steps) * (int64_t)sizeof(REAL)) / (double)hg_l1_cache_bytes();
    const double rows = steps * (double)(high + (high < n[1] ? COPY : 0)) + LOAD * (double)(high + 2);
    const double cost = (double)(wide + 2 * steps + START * VL) / (double)wide * rows / (double)high * (far ? FAR : 1) *
                        fmin(fmax((1 + l1) / 2, 1), LONG);
    if (cost < least) least = cost, *x = wide, *y = high;
  }
}

/* Largest core extent of a strip in x and y that keeps the window in the L2 cache (1-D: in L1; 3-D: see above). */
static void NAME(strip_extent)(const hg_tile_shape *s, int steps, int kind, int64_t extent[2])
{
  /* a field has three; counting 4 makes rows narrower, so that those used together fit into the L1 cache */
  static const int arrays[] = {[HG_HEAT_ALONE] = 1, [HG_HEAT_SOURCE] = 2, [HG_HEAT_FIELD] = 4};
  const int64_t tenths = s->dims == 3 ? 8 : 6, /* of the cache */
      cells = hg_l2_cache_bytes() / 10 * tenths / (int64_t)sizeof(REAL) / arrays[kind];
  int64_t x, y = s->n[1];
  if (s->dims == 1) {
    x = 3072 * 8 / (int64_t)sizeof(REAL) / arrays[kind];
  } else if (s->dims == 2) {
    x = NAME(min)(cells / NAME(window_slots)(steps, ROWS), HG_STRIP_MAX * 8 / (int64_t)sizeof(REAL)) - 2 * steps;
  } else {
    NAME(plane_extent)(s->n, cells / NAME(plane_slots)(steps, false), steps, &x, &y);
  }
  extent[0] = NAME(max)(x, NAME(max)(2 * steps, VL));
  extent[1] = NAME(max)(y, NAME(max)(2 * steps, ROWS));
}

/* Cuts the core of one axis into equal pieces of at most `extent`; piece i is lo..hi with its margins clipped. */
static int64_t NAME(pieces)(const hg_tile_shape *s, int axis, int64_t extent)
{
  int64_t core = s->n[axis] - s->margin[axis][HG_LO] - s->margin[axis][HG_HI];
  return NAME(max)(1, (core + extent - 1) / extent);
}

enum { NAME(LINE) = 64 / sizeof(REAL) }; /* cells */

/* Where piece i of the core begins. In x, pieces meet at cache line borders, so that no line is written by two. */
static int64_t NAME(cut)(int64_t first, int64_t core, int axis, int64_t i, int64_t count)
{
  const int64_t at = first + core * i / count;
  return axis == 0 && i > 0 && i < count ? NAME(max)(first, at - at % NAME(LINE)) : at;
}

static void NAME(set_axis)(const hg_tile_shape *s, NAME(strip) * t, int axis, int steps, int64_t i, int64_t count)
{
  int64_t first = s->margin[axis][HG_LO], core = s->n[axis] - first - s->margin[axis][HG_HI];
  t->core_lo[axis] = NAME(cut)(first, core, axis, i, count);
  t->core_hi[axis] = NAME(cut)(first, core, axis, i + 1, count);
  t->lo[axis] = NAME(max)(0, t->core_lo[axis] - steps);
  if (axis == 0) t->lo[axis] -= t->lo[axis] % VL; /* rows begin where vectors do */
  t->hi[axis] = NAME(min)(s->n[axis], t->core_hi[axis] + steps);
  t->hold[axis][HG_LO] = s->hold[axis][HG_LO] && t->lo[axis] == 0;
  t->hold[axis][HG_HI] = s->hold[axis][HG_HI] && t->hi[axis] == s->n[axis];
}

static int64_t NAME(pitch)(int64_t cells)
{
  return ((cells + VL - 1) / VL) | 1;
}

/* Number of strips in y of a 3-D tile, and rows of the highest one at level 0. */
static int64_t NAME(strips)(const hg_tile_shape *s, int steps, int64_t extent)
{
  const int64_t n = s->n[1];
  return NAME(max)(NAME(min)((n + extent - 1) / extent, n / (2 * steps)), 1);
}

static size_t NAME(strips_workspace)(const hg_tile_shape *s, int steps, int kind)
{
  int64_t extent[2];
  NAME(strip_extent)(s, steps, kind, extent);
  const bool planes = s->dims == 3;
  const int64_t count = planes ? NAME(strips)(s, steps, extent[1]) : 1,
                x = NAME(min)(extent[0] + 2 * (steps + NAME(LINE)), s->n[0]), pitch = NAME(pitch)(x) + 1,
                y = NAME(min)((s->n[1] + count - 1) / count + steps + 1, s->n[1]),
                slot = planes ? pitch * y + NAME(PAGE) : pitch;
  size_t bytes = NAME(window_bytes)(planes ? NAME(plane_slots)(steps, false) : NAME(window_slots)(steps, ROWS), slot);
  for (int i = 0; i < NAME(more_windows)(kind, s->dims); i++)
    bytes += NAME(window_bytes)(planes ? NAME(plane_slots)(steps, true) : NAME(source_slots)(steps, ROWS), slot);
  if (kind == HG_HEAT_FIELD) bytes += 2 * (size_t)slot * sizeof(vec);
  if (count > 1) bytes += (size_t)NAME(edge_place)(pitch, steps, s->n[2], 1) * sizeof(vec);
  return bytes + (size_t)(pitch + NAME(kept_rows)(pitch)) * sizeof(vec) + 256; /* a row in natural order, and those
                                                                                * kept */
}

static void NAME(advance_strips)(const hg_tile_shape *s, const hg_heat_coef *coef, int steps, int kind, const void *src,
                                 void *dst, const void *q, void *work)
{
  const NAME(coefs) k = NAME(make_coefs)(coef);
  int64_t extent[2];
  NAME(strip_extent)(s, steps, kind, extent);
  const int64_t nx = NAME(pieces)(s, 0, extent[0]), ny = s->dims == 3 ? NAME(strips)(s, steps, extent[1]) : 1;
  for (int64_t i = 0; i < nx; i++)
    for (int64_t j = 0; j < ny; j++) {
      NAME(strip) t = {.flat = work, .steps = steps, .kind = kind};
      NAME(set_axis)(s, &t, 0, steps, i, nx);
      if (s->dims == 3)
        NAME(set_rows)(s, &t, j, ny);
      else
        NAME(set_axis)(s, &t, 1, (int)s->n[1], 0, 1);
      t.nv = (t.hi[0] - t.lo[0] + VL - 1) / VL;
      t.pitch = t.nv | 1;
      const int64_t last = t.hi[0] - t.lo[0] - 1;
      t.held[HG_LO] = t.hold[0][HG_LO] ? 0 : -1;
      t.held[HG_HI] = t.hold[0][HG_HI] ? last % t.nv * VL + last / t.nv : -1;
      char *rest = (char *)work + (size_t)t.pitch * sizeof(vec);
      if (s->dims == 1)
        NAME(strip_1d)(s, &t, &k, steps, src, dst, q, rest);
      else if (s->dims == 2)
        NAME(strip_2d)(s, &t, &k, steps, src, dst, q, rest);
      else
        NAME(strip_3d)(s, &t, &k, src, dst, q, rest);
    }
#if VBYTES > 16
  if (s->stream) _mm_sfence(); /* makes streamed stores visible before the task is seen as finished */
#endif
}

static size_t NAME(deep_workspace)(const hg_tile_shape *s, int steps, bool source)
{
  return NAME(strips_workspace)(s, steps, source ? HG_HEAT_SOURCE : HG_HEAT_ALONE);
}

static void NAME(deep_advance)(const hg_tile_shape *s, const hg_heat_coef *coef, int steps, const void *src, void *dst,
                               const void *q, void *work)
{
  NAME(advance_strips)(s, coef, steps, q ? HG_HEAT_SOURCE : HG_HEAT_ALONE, src, dst, q, work);
}

static size_t NAME(field_workspace)(const hg_tile_shape *s, int steps, bool source)
{
  (void)source;
  return NAME(strips_workspace)(s, steps, HG_HEAT_FIELD);
}

/* Here q is the diffusivity, and the coefficients a are dt / dx^2 (s/m^2). */
static void NAME(field_advance)(const hg_tile_shape *s, const hg_heat_coef *coef, int steps, const void *src, void *dst,
                                const void *q, void *work)
{
  NAME(advance_strips)(s, coef, steps, HG_HEAT_FIELD, src, dst, q, work);
}

#undef vec
#undef lanes
#undef ADVANCE
