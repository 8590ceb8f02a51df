/* SPDX-License-Identifier: MIT */
/* The deep-halo kernel in three dimensions; included by heat_deep_template.h, whose words it uses.
 *
 * Strips in y lean back: at level l a strip has rows cut[0]-l .. cut[1]-l, so that none is computed twice. The two rows
 * before these, which the next level reads, come from the strip before, which left them in `edges`.
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

/* --- strips --- */

static void NAME(set_rows)(const hg_tile_shape *s, NAME(strip) * t, int64_t j, int64_t count)
{
  const int64_t n = s->n[1], core_lo = s->margin[1][HG_LO], core_hi = n - s->margin[1][HG_HI];
  t->cut[0] = n * j / count;
  t->cut[1] = n * (j + 1) / count;
  const bool first = j == 0, last = j + 1 == count;
  t->lo[1] = first ? 0 : t->cut[0] - t->steps - 1;
  t->hi[1] = t->cut[1];
  t->core_lo[1] = first ? core_lo : NAME(max)(core_lo, t->cut[0] - t->steps);
  t->core_hi[1] = last ? core_hi : NAME(min)(core_hi, t->cut[1] - t->steps);
  t->hold[1][HG_LO] = first && s->hold[1][HG_LO];
  t->hold[1][HG_HI] = last && s->hold[1][HG_HI];
}

/* Rows lo..hi-1 that level l computes, counted from the strip's first. */
static void NAME(level_rows)(const hg_tile_shape *s, const NAME(strip) * t, int l, int64_t *lo, int64_t *hi)
{
  NAME(valid)(s->hold[1], s->n[1], l, lo, hi);
  if (t->cut[0] > 0) *lo = t->cut[0] - l;
  if (t->cut[1] < s->n[1]) *hi = t->cut[1] - l;
  *lo -= t->lo[1];
  *hi -= t->lo[1];
}

/* First row that is loaded of plane z: what precedes the strip at level 0; all where the plane stays as it is. */
static int64_t NAME(first_row)(const hg_tile_shape *s, const NAME(strip) * t, int64_t z)
{
  const bool held = (s->hold[2][HG_LO] && z == 0) || (s->hold[2][HG_HI] && z == s->n[2] - 1);
  return held ? t->lo[1] : NAME(max)(t->lo[1], t->cut[0] - 2);
}

/* Where the edge of plane z at level l stands, of rows of `pitch` vectors. */
static int64_t NAME(edge_place)(int64_t pitch, int steps, int64_t z, int l)
{
  return 2 * pitch * (z * (steps - 1) + l - 1);
}

/* Takes the edge that the strip before left of a plane at level l, and leaves the next one's. */
static void NAME(exchange_edge)(const hg_tile_shape *s, const NAME(strip) * t, vec *plane, int l, int64_t z)
{
  vec *edge = t->edges + NAME(edge_place)(t->pitch, t->steps, z, l);
  if (t->cut[0] > 0) NAME(copy_row)(plane + (t->cut[0] - l - 2 - t->lo[1]) * t->pitch, edge, 2 * t->pitch);
  if (t->cut[1] < s->n[1]) NAME(copy_row)(edge, plane + (t->cut[1] - l - 2 - t->lo[1]) * t->pitch, 2 * t->pitch);
}

/* --- levels --- */

/* Rows of the planes that enter with the next wave. They are fetched while this one computes, since its window keeps
 * only the L2 cache busy and loading them only memory. */
typedef struct NAME(ahead) {
  int64_t first, z, y, end; /* of a plane; the next row, and the plane where they end */
  int rows;                 /* with each group of rows */
} NAME(ahead);

static void NAME(fetch)(const hg_tile_shape *s, const NAME(strip) * t, const void *src, NAME(ahead) * a)
{
  const int64_t bytes = (t->hi[0] - t->lo[0]) * (int64_t)sizeof(REAL), end = NAME(min)(a->end, s->n[2]);
  for (int i = 0; i < a->rows && a->z < end; i++) {
    const char *row = (const char *)NAME(at)(s, src, t->lo[0], a->y, a->z);
    for (int64_t b = 0; b < bytes; b += 64) __builtin_prefetch(row + b, 0, 2);
    if (++a->y == t->hi[1]) a->y = a->first, a->z++;
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
  NAME(level_rows)(s, t, l, &lo, &hi);
  NAME(copy_row)(v->north, v->mid[0] + (lo - 1) * t->pitch, t->nv);
  if (t->hold[1][HG_LO]) NAME(copy_rows)(t, v, 0);
  for (int64_t y = lo; y < hi;) {
    const int rows = NAME(group)(hi - y);
    NAME(advance_level_rows)(t, k, v, y, rows);
    NAME(fetch)(s, t, src, ahead);
    y += rows;
  }
  if (t->hold[1][HG_HI] && (n > 1 || !t->hold[1][HG_LO])) NAME(copy_rows)(t, v, n - 1); /* once: it moves rows */
  const bool held = t->hold[0][HG_LO] || t->hold[0][HG_HI];
  for (int p = 0; p < v->planes; p++) {
    for (int64_t y = lo; held && y < hi; y++)
      NAME(restore_columns)(s, t, src, t->lo[1] + y, z + p, v->out[p] + y * t->pitch);
    if (l < t->steps) NAME(exchange_edge)(s, t, v->out[p], l, z + p);
  }
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

static void NAME(load_plane)(const hg_tile_shape *s, const NAME(strip) * t, const void *grid, int64_t first, int64_t z,
                             vec *plane)
{
  for (int64_t y = first; y < t->hi[1]; y++) NAME(load_row)(s, t, grid, y, z, plane + (y - t->lo[1]) * t->pitch);
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

static void NAME(strip_3d)(const hg_tile_shape *s, NAME(strip) * t, const NAME(coefs) * k, const void *src, void *dst,
                           const void *q, char *work)
{
  const int steps = t->steps;
  const int64_t n = s->n[2], first = NAME(max)(t->lo[1], t->cut[0] - 2),
                plane = NAME(plane_pitch)(t->pitch, t->hi[1] - t->lo[1]);
  vec *north = (vec *)work;
  t->edges = north + t->pitch;
  if (t->cut[1] - t->cut[0] < s->n[1]) work += (size_t)NAME(edge_place)(t->pitch, steps, n, 1) * sizeof(vec);
  work += (size_t)t->pitch * sizeof(vec);
  NAME(window) w = NAME(make_window)(&work, NAME(plane_slots)(steps, false), plane), qw;
  if (q) qw = NAME(make_window)(&work, NAME(plane_slots)(steps, true), plane);
  for (int64_t top = 0; top - steps < n; top += NAME(PLANES)) {
    for (int64_t z = top; z < NAME(min)(top + NAME(PLANES), n); z++) {
      NAME(load_plane)(s, t, src, NAME(first_row)(s, t, z), z, *NAME(slot)(&w, z));
      if (q) NAME(load_plane)(s, t, q, t->lo[1], z, *NAME(slot)(&qw, z));
    }
    NAME(ahead)
    ahead = {first, top + NAME(PLANES), first, top + 2 * NAME(PLANES), NAME(PLANES) * NAME(PLANE_ROWS) / steps + 1};
    for (int l = 1; l <= steps; l++) NAME(level_3d)(s, t, k, src, &w, q ? &qw : NULL, north, &ahead, l, top - l);
    const int64_t done = top - steps, lo = NAME(max)(done, s->margin[2][HG_LO]),
                  hi = NAME(min)(done + NAME(PLANES), n - s->margin[2][HG_HI]);
    for (int64_t z = lo; z < hi; z++)
      for (int64_t y = t->core_lo[1]; y < t->core_hi[1]; y++)
        NAME(store_row)(s, t, dst, y, z, *NAME(slot)(&w, z - steps) + (y - t->lo[1]) * t->pitch);
  }
}
