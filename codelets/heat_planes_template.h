/* SPDX-License-Identifier: MIT */
/* The deep-halo kernel in three dimensions; included by heat_deep_template.h, whose words it uses.
 *
 * PLANES planes enter per wave, and level l advances as many: the planes between them are taken from registers, so a
 * cell is read about twice from the L2 cache and written once, not three times and once. The second plane goes into
 * the place of the first one's level before, whose last row is wanted once more by the next rows: `north` keeps it. */

enum { NAME(PLANES) = 2, NAME(PLANE_ROWS) = VBYTES == 64 ? 4 : 1 }; /* at once, as registers allow */

/* Rows of one or two neighbouring planes taking part in one update: mid[p] is row y-1 of the level before in plane z+p,
 * up and down the rows y of the planes before and behind them, q the source rows, out the places to write (up's, then
 * those of plane z), north row y-1 of plane z. The next rows lie `pitch` vectors further. */
typedef struct NAME(slab) {
  vec *up, *mid[NAME(PLANES)], *down, *out[NAME(PLANES)], *q[NAME(PLANES)], *north;
  int64_t pitch;
} NAME(slab);

static inline __attribute__((always_inline)) void
NAME(advance_planes_column)(const int planes, const int rows, const bool source, const NAME(coefs) * k,
                            const NAME(slab) * s, int64_t j, vec (*restrict w)[NAME(PLANE_ROWS)],
                            vec (*restrict c)[NAME(PLANE_ROWS)], const vec (*e)[NAME(PLANE_ROWS)])
{
  vec north[NAME(PLANES)], last[NAME(PLANES)];
#pragma GCC unroll 2
  for (int p = 0; p < planes; p++) {
    north[p] = p == 0 && planes > 1 ? s->north[j] : s->mid[p][j];
    last[p] = s->mid[p][(rows + 1) * s->pitch + j];
  }
  if (planes > 1) s->north[j] = c[0][rows - 1];
#pragma GCC unroll 4
  for (int i = 0; i < rows; i++) {
    const vec up = s->up[i * s->pitch + j], down = s->down[i * s->pitch + j];
#pragma GCC unroll 2
    for (int p = 0; p < planes; p++) {
      vec r = NAME(vfma)(k->ax, w[p][i] + e[p][i], k->c0 * c[p][i]);
      r = NAME(vfma)(k->ay, north[p] + (i + 1 < rows ? c[p][i + 1] : last[p]), r);
      r = NAME(vfma)(k->az, (p == 0 ? up : c[0][i]) + (p + 1 < planes ? c[p + 1][i] : down), r);
      if (source) r = r + s->q[p][i * s->pitch + j];
      s->out[p][i * s->pitch + j] = r;
      north[p] = c[p][i];
    }
  }
#pragma GCC unroll 2
  for (int p = 0; p < planes; p++) {
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++) w[p][i] = c[p][i], c[p][i] = e[p][i];
  }
}

/* Advances `rows` neighbouring rows of nv vectors in `planes` planes by one level. */
static inline __attribute__((always_inline)) void NAME(advance_planes)(const int planes, const int rows,
                                                                       const bool source, const NAME(coefs) * coefs,
                                                                       const NAME(slab) * slab, int64_t nv)
{
  const NAME(coefs) k = *coefs;
  const NAME(slab) s = *slab;
  vec w[NAME(PLANES)][NAME(PLANE_ROWS)], c[NAME(PLANES)][NAME(PLANE_ROWS)], e[NAME(PLANES)][NAME(PLANE_ROWS)],
      first[NAME(PLANES)][NAME(PLANE_ROWS)];
#pragma GCC unroll 2
  for (int p = 0; p < planes; p++) {
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++) {
      c[p][i] = s.mid[p][(i + 1) * s.pitch];
      w[p][i] = NAME(lanes_up)(s.mid[p][(i + 1) * s.pitch + nv - 1]);
      first[p][i] = NAME(lanes_down)(c[p][i]);
    }
  }
  for (int64_t j = 0; j < nv - 1; j++) {
#pragma GCC unroll 2
    for (int p = 0; p < planes; p++) {
#pragma GCC unroll 4
      for (int i = 0; i < rows; i++) e[p][i] = s.mid[p][(i + 1) * s.pitch + j + 1];
    }
    NAME(advance_planes_column)(planes, rows, source, &k, &s, j, w, c, e);
  }
  NAME(advance_planes_column)(planes, rows, source, &k, &s, nv - 1, w, c, first);
}

#define ADVANCE_PLANES(planes, rows)                                                                                   \
  static void NAME(advance_planes_##planes##_##rows)(const NAME(coefs) * k, const NAME(slab) * s, int64_t nv)          \
  {                                                                                                                    \
    if (s->q[0])                                                                                                       \
      NAME(advance_planes)(planes, rows, true, k, s, nv);                                                              \
    else                                                                                                               \
      NAME(advance_planes)(planes, rows, false, k, s, nv);                                                             \
  }
ADVANCE_PLANES(1, 1)
ADVANCE_PLANES(2, 1)
#if VBYTES == 64
ADVANCE_PLANES(1, 2)
ADVANCE_PLANES(2, 2)
ADVANCE_PLANES(1, 4)
ADVANCE_PLANES(2, 4)
#endif
#undef ADVANCE_PLANES

/* By planes - 1 and rows / 2. */
typedef void NAME(advancer)(const NAME(coefs) *, const NAME(slab) *, int64_t nv);
static NAME(advancer) *const NAME(advancers)[NAME(PLANES)][3] = {
#if VBYTES == 64
    {NAME(advance_planes_1_1), NAME(advance_planes_1_2), NAME(advance_planes_1_4)},
    {NAME(advance_planes_2_1), NAME(advance_planes_2_2), NAME(advance_planes_2_4)},
#else
    {NAME(advance_planes_1_1)},
    {NAME(advance_planes_2_1)},
#endif
};

/* One or two planes of a level: z is the first, slot z-l the place of its level before's upper neighbour. */
typedef struct NAME(level) {
  vec *up, *mid[NAME(PLANES)], *down, *out[NAME(PLANES)], *source[NAME(PLANES)], *north;
  int planes;
} NAME(level);

/* Rows of the planes that enter with the next wave. They are fetched while this one computes, since its window keeps
 * only the L2 cache busy and loading them only memory. */
typedef struct NAME(ahead) {
  int64_t z, y, end; /* the next row, and the plane where they end */
  int rows;          /* with each group of rows */
} NAME(ahead);

static void NAME(fetch)(const hg_tile_shape *s, const NAME(strip) * t, const void *src, NAME(ahead) * a)
{
  const int64_t bytes = (t->hi[0] - t->lo[0]) * (int64_t)sizeof(REAL), end = NAME(min)(a->end, s->n[2]);
  for (int i = 0; i < a->rows && a->z < end; i++) {
    const char *row = (const char *)NAME(at)(s, src, t->lo[0], a->y, a->z);
    for (int64_t b = 0; b < bytes; b += 64) __builtin_prefetch(row + b, 0, 2);
    if (++a->y == t->hi[1]) a->y = t->lo[1], a->z++;
  }
}

static NAME(level)
    NAME(make_level)(const NAME(window) * w, const NAME(window) * qw, vec *north, int l, int64_t z, int planes)
{
  vec **slot = NAME(slot)(w, z - l), **source = qw ? NAME(slot)(qw, z) : NULL;
  NAME(level) v = {.up = slot[0], .down = slot[planes + 1], .north = north, .planes = planes};
  for (int p = 0; p < planes; p++) {
    v.out[p] = slot[p];
    v.mid[p] = slot[p + 1];
    v.source[p] = source ? source[p] : NULL;
  }
  return v;
}

static void NAME(copy_rows)(const NAME(strip) * t, const NAME(level) * v, int64_t y)
{
  for (int p = 0; p < v->planes; p++) NAME(copy_row)(v->out[p] + y * t->pitch, v->mid[p] + y * t->pitch, t->nv);
}

/* Rows y .. y+rows-1 of the level's planes. */
static void NAME(advance_level_rows)(const NAME(strip) * t, const NAME(coefs) * k, const NAME(level) * v, int64_t y,
                                     int rows)
{
  const int64_t first = y * t->pitch;
  NAME(slab) set = {.up = v->up + first, .down = v->down + first, .north = v->north, .pitch = t->pitch};
  for (int p = 0; p < v->planes; p++) {
    set.mid[p] = v->mid[p] + first - t->pitch;
    set.out[p] = v->out[p] + first;
    set.q[p] = v->source[p] ? v->source[p] + first : NULL;
  }
  NAME(advancers)[v->planes - 1][rows / 2](k, &set, t->nv);
}

/* Rows that are advanced together where `left` are left. */
static int NAME(group)(int64_t left)
{
  int rows = NAME(PLANE_ROWS);
  while (rows > left) rows /= 2;
  return rows;
}

/* The level's planes z, z+1: rows of the strip in groups. */
static void NAME(advance_level)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, const void *src,
                                const NAME(level) * v, NAME(ahead) * ahead, int l, int64_t z)
{
  const int64_t n = t->hi[1] - t->lo[1];
  int64_t lo, hi;
  NAME(valid)(t->hold[1], n, l, &lo, &hi);
  NAME(copy_row)(v->north, v->mid[0] + (lo - 1) * t->pitch, t->nv);
  if (t->hold[1][HG_LO]) NAME(copy_rows)(t, v, 0);
  for (int64_t y = lo; y < hi;) {
    const int rows = NAME(group)(hi - y);
    NAME(advance_level_rows)(t, k, v, y, rows);
    NAME(fetch)(s, t, src, ahead);
    y += rows;
  }
  if (t->hold[1][HG_HI] && (n > 1 || !t->hold[1][HG_LO])) NAME(copy_rows)(t, v, n - 1); /* once: it moves rows */
  if (!t->hold[0][HG_LO] && !t->hold[0][HG_HI]) return;
  for (int p = 0; p < v->planes; p++)
    for (int64_t y = lo; y < hi; y++) NAME(restore_columns)(s, t, src, t->lo[1] + y, z + p, v->out[p] + y * t->pitch);
}

/* Level l of wave base: planes base .. base+PLANES-1 of a 3-D strip. */
static void NAME(level_3d)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, const void *src,
                           const NAME(window) * w, const NAME(window) * qw, vec *north, NAME(ahead) * ahead, int l,
                           int64_t base)
{
  const int64_t n = s->n[2], plane = t->pitch * (t->hi[1] - t->lo[1]), end = base + NAME(PLANES);
  int64_t lo, hi;
  NAME(valid)(s->hold[2], n, l, &lo, &hi);
  if (s->hold[2][HG_LO] && base <= 0 && 0 < end) NAME(copy_row)(*NAME(slot)(w, -l), *NAME(slot)(w, 1 - l), plane);
  const int64_t a = NAME(max)(base, lo), b = NAME(min)(end, hi);
  if (a < b) {
    const NAME(level) v = NAME(make_level)(w, qw, north, l, a, (int)(b - a));
    NAME(advance_level)(s, t, k, src, &v, ahead, l, a);
  }
  if (s->hold[2][HG_HI] && base <= n - 1 && n - 1 < end)
    NAME(copy_row)(*NAME(slot)(w, n - 1 - l), *NAME(slot)(w, n - l), plane);
}

static void NAME(load_plane)(const hg_tile_shape *s, const NAME(strip) * t, const void *grid, int64_t z, vec *plane)
{
  for (int64_t y = t->lo[1]; y < t->hi[1]; y++) NAME(load_row)(s, t, grid, y, z, plane + (y - t->lo[1]) * t->pitch);
}

enum { NAME(PAGE) = 4096 / VBYTES }; /* vectors */

/* Distance of the window's planes of so many rows, in vectors. A processor takes a load for one of an earlier store's
 * bytes if their addresses agree in the lowest 12 bits, and waits; planes are kept apart so that this is rare for
 * loads of the next half kilobyte of all rows that are advanced together. */
static int64_t NAME(plane_pitch)(int64_t pitch, int64_t rows)
{
  enum { AHEAD = 512 / VBYTES };
  int64_t best = 0;
  for (int64_t pad = 0, least = INT64_MAX; pad < NAME(PAGE) && least; pad++) {
    const int64_t plane = pitch * rows + pad;
    int64_t waits = 0;
    for (int p = -1; p <= NAME(PLANES) + 1; p++)
      for (int i = -NAME(PLANE_ROWS); p != 0 && i <= NAME(PLANE_ROWS); i++)
        waits += (-(p * plane + i * pitch) & (NAME(PAGE) - 1)) < AHEAD;
    if (waits < least) least = waits, best = plane;
  }
  return best;
}

/* Slots that a window of k levels needs, and that of the sources. */
static int64_t NAME(plane_slots)(int k, bool source)
{
  return (source ? 1 : 2) * k + NAME(PLANES);
}

static void NAME(strip_3d)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, int steps,
                           const void *src, void *dst, const void *q, char *work)
{
  const int64_t n = s->n[2], plane = NAME(plane_pitch)(t->pitch, t->hi[1] - t->lo[1]);
  vec *north = (vec *)work;
  work += (size_t)t->pitch * sizeof(vec);
  NAME(window) w = NAME(make_window)(&work, NAME(plane_slots)(steps, false), plane), qw;
  if (q) qw = NAME(make_window)(&work, NAME(plane_slots)(steps, true), plane);
  for (int64_t top = 0; top - steps < n; top += NAME(PLANES)) {
    for (int64_t z = top; z < NAME(min)(top + NAME(PLANES), n); z++) {
      NAME(load_plane)(s, t, src, z, *NAME(slot)(&w, z));
      if (q) NAME(load_plane)(s, t, q, z, *NAME(slot)(&qw, z));
    }
    NAME(ahead)
    ahead = {top + NAME(PLANES), t->lo[1], top + 2 * NAME(PLANES), NAME(PLANES) * NAME(PLANE_ROWS) / steps + 1};
    for (int l = 1; l <= steps; l++) NAME(level_3d)(s, t, k, src, &w, q ? &qw : NULL, north, &ahead, l, top - l);
    const int64_t done = top - steps, lo = NAME(max)(done, s->margin[2][HG_LO]),
                  hi = NAME(min)(done + NAME(PLANES), n - s->margin[2][HG_HI]);
    for (int64_t z = lo; z < hi; z++)
      for (int64_t y = t->core_lo[1]; y < t->core_hi[1]; y++)
        NAME(store_row)(s, t, dst, y, z, *NAME(slot)(&w, z - steps) + (y - t->lo[1]) * t->pitch);
  }
}
