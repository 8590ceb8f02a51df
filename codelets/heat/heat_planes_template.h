/* SPDX-License-Identifier: MIT */
/* The deep-halo kernel in three dimensions; included by heat_deep_template.h, whose names it uses.
 *
 * Strips in y lean back: at level l a strip has rows cut[0]-l .. cut[1]-l, so that no row is computed twice. The next
 * level also reads the two rows before these; the previous strip left them in `edges`.
 *
 * PLANES planes enter per wave, and level l advances as many. Planes between these are taken from registers, so that a
 * cell is read 1 + 2 / PLANES times from the L2 cache and written once. Each plane but the first replaces the previous
 * level of plane z-1, whose row is still needed for the next row: `north` keeps it. */

/* Planes advanced at once, as far as registers allow; a power of two. */
enum { NAME(PLANES) = 4 };

/* Rows of neighbouring planes in one update: slot[0] is row y of the previous level in plane z-1, slot[p+1] that in
 * plane z+p; row y of the next level of plane z+p goes into slot[p]. q are the source rows, north the rows y-1 of all
 * planes but the last. The next rows are `pitch` vectors further. The values at `held` of each row (-1: none) stay as
 * they are. `ahead` is a row of the grid to prefetch, a vector per vector computed. x, y, z: in a field, which has one
 * plane, the conductances to the next cell along x and y, and from the previous and to the next plane. */
typedef struct NAME(slab) {
  vec *slot[NAME(PLANES) + 2], *q[NAME(PLANES)], *north;
  const vec *x, *y, *z[2];
  const char *ahead;
  int64_t pitch, held[2];
} NAME(slab);

/* Vector j of each plane: w and c are its west neighbour and its own value, and become those of the next vector;
 * `last` has the east neighbours of the last vector. Each value is read where it is used, to keep few in registers:
 * compilers do not move reads across stores. */
static inline __attribute__((always_inline)) void
NAME(advance_planes_column)(const int planes, const bool source, const NAME(coefs) * k, const NAME(slab) * s, int64_t j,
                            vec *restrict w, vec *restrict c, const vec *last)
{
  __builtin_prefetch(s->ahead + j * VBYTES, 0, 2);
#pragma GCC unroll 8
  for (int p = 0; p < planes; p++) {
    const vec here = c[p], east = last ? last[p] : s->slot[p + 1][j + 1];
    vec r = NAME(vfma)(k->ax, w[p] + east, k->c0 * here);
    const vec north = p + 1 < planes ? s->north[p * s->pitch + j] : s->slot[p + 1][j - s->pitch];
    r = NAME(vfma)(k->ay, north + s->slot[p + 1][j + s->pitch], r);
    r = NAME(vfma)(k->az, (p > 0 ? w[p - 1] : s->slot[0][j]) + (p + 1 < planes ? c[p + 1] : s->slot[p + 2][j]), r);
    if (source) r = r + s->q[p][j];
    s->slot[p][j] = r;
    if (p + 1 < planes) s->north[p * s->pitch + j] = here;
    w[p] = here;
    c[p] = east;
  }
}

/* Saves the held values of one side from the previous level, or puts them into the row of the next. */
static inline __attribute__((always_inline)) void NAME(take_held)(const int planes, const NAME(slab) * s, int side,
                                                                  REAL *value)
{
  for (int p = 0; s->held[side] >= 0 && p < planes; p++) value[p] = ((const REAL *)s->slot[p + 1])[s->held[side]];
}

static inline __attribute__((always_inline)) void NAME(put_held)(const int planes, const NAME(slab) * s, int side,
                                                                 const REAL *value)
{
  for (int p = 0; s->held[side] >= 0 && p < planes; p++) ((REAL *)s->slot[p])[s->held[side]] = value[p];
}

/* Advances a row of nv vectors in `planes` neighbouring planes by one level. */
static inline __attribute__((always_inline)) void NAME(advance_planes)(const int planes, const bool source,
                                                                       const NAME(coefs) * coefs,
                                                                       const NAME(slab) * slab, int64_t nv)
{
  const NAME(coefs) k = *coefs;
  const NAME(slab) s = *slab;
  vec w[NAME(PLANES)], c[NAME(PLANES)], first[NAME(PLANES)];
  REAL held[2][NAME(PLANES)] = {0};
  for (int side = 0; side < 2; side++) NAME(take_held)(planes, &s, side, held[side]);
#pragma GCC unroll 8
  for (int p = 0; p < planes; p++) {
    c[p] = s.slot[p + 1][0];
    w[p] = NAME(lanes_up)(s.slot[p + 1][nv - 1]);
    first[p] = NAME(lanes_down)(c[p]);
  }
  for (int64_t j = 0; j < nv - 1; j++) NAME(advance_planes_column)(planes, source, &k, &s, j, w, c, NULL);
  NAME(advance_planes_column)(planes, source, &k, &s, nv - 1, w, c, first);
  for (int side = 0; side < 2; side++) NAME(put_held)(planes, &s, side, held[side]);
}

#define ADVANCE_PLANES(planes)                                                                                         \
  static void NAME(advance_planes_##planes)(const NAME(coefs) * k, const NAME(slab) * s, int64_t nv)                   \
  {                                                                                                                    \
    if (s->q[0])                                                                                                       \
      NAME(advance_planes)(planes, true, k, s, nv);                                                                    \
    else                                                                                                               \
      NAME(advance_planes)(planes, false, k, s, nv);                                                                   \
  }
ADVANCE_PLANES(1)
ADVANCE_PLANES(2)
ADVANCE_PLANES(4)
#undef ADVANCE_PLANES

/* The same for a field, with one plane: what a cell gains from the east, from the south and from the next plane, those
 * neighbours lose. */
static void NAME(exchange_row)(const NAME(slab) * slab, int64_t nv)
{
  const NAME(slab) s = *slab;
  vec c = s.slot[1][0], w = NAME(lanes_up)(s.x[nv - 1]) * (c - NAME(lanes_up)(s.slot[1][nv - 1]));
  const vec first = NAME(lanes_down)(c);
  REAL held[2] = {0};
  for (int side = 0; side < 2; side++) NAME(take_held)(1, &s, side, &held[side]);
  for (int64_t j = 0; j < nv; j++) {
    __builtin_prefetch(s.ahead + j * VBYTES, 0, 2);
    const vec next = j + 1 < nv ? s.slot[1][j + 1] : first, east = s.x[j] * (next - c),
              above = s.y[j - s.pitch] * (c - s.slot[1][j - s.pitch]), below = s.y[j] * (s.slot[1][j + s.pitch] - c),
              front = s.z[0][j] * (c - s.slot[0][j]), behind = s.z[1][j] * (s.slot[2][j] - c);
    s.slot[0][j] = ((c + (east - w)) + (below - above)) + (behind - front);
    w = east;
    c = next;
  }
  for (int side = 0; side < 2; side++) NAME(put_held)(1, &s, side, &held[side]);
}

/* Indexed by planes / 2. */
typedef void NAME(advancer)(const NAME(coefs) *, const NAME(slab) *, int64_t nv);
static NAME(advancer) *const
    NAME(advancers)[] = {NAME(advance_planes_1), NAME(advance_planes_2), NAME(advance_planes_4)};

/* How many of the `left` remaining planes are advanced together. */
static int NAME(group)(int most, int64_t left)
{
  while (most > left) most /= 2;
  return most;
}

/* Planes of a level, z being the first; slots from z-l on, which begin with the previous level's plane z-1. */
typedef struct NAME(level) {
  vec **slot, **q, **down, **deep, *north;
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

/* Rows lo..hi-1 that level l computes, counted from the strip's first row. */
static void NAME(level_rows)(const hg_tile_shape *s, const NAME(strip) * t, int l, int64_t *lo, int64_t *hi)
{
  NAME(valid)(s->hold[1], s->n[1], l, lo, hi);
  if (t->cut[0] > 0) *lo = t->cut[0] - l;
  if (t->cut[1] < s->n[1]) *hi = t->cut[1] - l;
  *lo -= t->lo[1];
  *hi -= t->lo[1];
}

/* First row of plane z to load: the two rows before the strip at level 0 are needed, too; all rows if the plane is
 * held. */
static int64_t NAME(first_row)(const hg_tile_shape *s, const NAME(strip) * t, int64_t z)
{
  const bool held = (s->hold[2][HG_LO] && z == 0) || (s->hold[2][HG_HI] && z == s->n[2] - 1);
  return held ? t->lo[1] : NAME(max)(t->lo[1], t->cut[0] - 2);
}

/* Where the edge of plane z at level l is stored; a row has `pitch` vectors. */
static int64_t NAME(edge_place)(int64_t pitch, int steps, int64_t z, int l)
{
  return 2 * pitch * (z * (steps - 1) + l - 1);
}

/* Takes the edge of a plane at level l that the previous strip left, and leaves one for the next strip. */
static void NAME(exchange_edge)(const hg_tile_shape *s, const NAME(strip) * t, vec *plane, int l, int64_t z)
{
  vec *edge = t->edges + NAME(edge_place)(t->pitch, t->steps, z, l);
  if (t->cut[0] > 0) NAME(copy_row)(plane + (t->cut[0] - l - 2 - t->lo[1]) * t->pitch, edge, 2 * t->pitch);
  if (t->cut[1] < s->n[1]) NAME(copy_row)(edge, plane + (t->cut[1] - l - 2 - t->lo[1]) * t->pitch, 2 * t->pitch);
}

/* --- levels --- */

/* Rows of the next wave's planes, one of which is prefetched with each row computed. They are fetched during this
 * wave, since its window keeps only the L2 cache busy, and loading keeps only memory busy. */
typedef struct NAME(ahead) {
  int64_t first, z, y, end; /* first row of a plane; the next row; the plane where they end */
} NAME(ahead);

/* The next row, or NULL. */
static const char *NAME(take_ahead)(const hg_tile_shape *s, const NAME(strip) * t, const void *src, NAME(ahead) * a)
{
  if (a->z >= NAME(min)(a->end, s->n[2])) return NULL;
  const char *row = (const char *)NAME(at)(s, src, t->lo[0], a->y, a->z);
  if (++a->y == t->hi[1]) a->y = a->first, a->z++;
  return row;
}

static NAME(level)
    NAME(make_level)(const NAME(strip) * t, const NAME(windows) * w, vec *north, int l, int64_t z, int planes)
{
  NAME(level) v = {.slot = NAME(slot)(&w->state, z - l), .north = north, .planes = planes};
  if (t->kind != HG_HEAT_ALONE) v.q = NAME(slot)(&w->q, z);
  if (t->kind == HG_HEAT_FIELD) v.down = NAME(slot)(&w->down, z), v.deep = NAME(slot)(&w->deep, z - 1);
  return v;
}

static void NAME(copy_rows)(const NAME(strip) * t, const NAME(level) * v, int64_t y)
{
  for (int p = 0; p < v->planes; p++) NAME(copy_row)(v->slot[p] + y * t->pitch, v->slot[p + 1] + y * t->pitch, t->nv);
}

/* Row y of the level's planes. */
static void NAME(advance_level_row)(const NAME(strip) * t, const NAME(coefs) * k, const NAME(level) * v, int64_t y,
                                    const char *ahead)
{
  const int64_t first = y * t->pitch;
  NAME(slab) set = {.north = v->north, .ahead = ahead ? ahead : (const char *)(*v->slot + first), .pitch = t->pitch};
  memcpy(set.held, t->held, sizeof set.held);
  for (int p = 0; p < v->planes + 2; p++) set.slot[p] = v->slot[p] + first;
  if (t->kind == HG_HEAT_FIELD) {
    set.x = v->q[0] + first;
    set.y = v->down[0] + first;
    for (int i = 0; i < 2; i++) set.z[i] = v->deep[i] + first;
    NAME(exchange_row)(&set, t->nv);
    return;
  }
  for (int p = 0; v->q && p < v->planes; p++) set.q[p] = v->q[p] + first;
  NAME(advancers)[v->planes / 2](k, &set, t->nv);
}

/* Prefetches what the previous strip left of the level's planes z ..: `count` vectors of each, from the i-th on.
 * (Inlined, since gcc removes calls of functions that only prefetch.) */
static inline __attribute__((always_inline)) void NAME(fetch_edges)(const NAME(strip) * t, int planes, int l, int64_t z,
                                                                    int64_t i, int64_t count)
{
  for (int p = 0; p < planes; p++) {
    const char *edge = (const char *)(t->edges + NAME(edge_place)(t->pitch, t->steps, z + p, l) + i);
    for (int64_t j = 0; j < NAME(min)(count, 2 * t->pitch - i); j++) __builtin_prefetch(edge + j * VBYTES, 0, 2);
  }
}

/* The level's planes z .., row by row. */
static void NAME(advance_level)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, const void *src,
                                const NAME(level) * v, NAME(ahead) * ahead, int l, int64_t z)
{
  const int64_t n = t->hi[1] - t->lo[1];
  int64_t lo, hi;
  NAME(level_rows)(s, t, l, &lo, &hi);
  const int64_t share = t->cut[0] > 0 && l < t->steps ? 2 * t->pitch / NAME(max)(hi - lo, 1) + 1 : 0;
  for (int p = 0; p + 1 < v->planes; p++)
    NAME(copy_row)(v->north + p * t->pitch, v->slot[p + 1] + (lo - 1) * t->pitch, t->nv);
  if (t->hold[1][HG_LO]) NAME(copy_rows)(t, v, 0);
  for (int64_t y = lo, edge = 0; y < hi; y++, edge += share) {
    NAME(fetch_edges)(t, v->planes, l, z, edge, share);
    NAME(advance_level_row)(t, k, v, y, NAME(take_ahead)(s, t, src, ahead));
  }
  if (t->hold[1][HG_HI] && (n > 1 || !t->hold[1][HG_LO])) NAME(copy_rows)(t, v, n - 1); /* once: it moves rows */
  for (int p = 0; p < v->planes && l < t->steps; p++) NAME(exchange_edge)(s, t, v->slot[p], l, z + p);
}

/* Level l of wave base: planes base .. base+PLANES-1 of a 3-D strip. */
static void NAME(level_3d)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k, const void *src,
                           const NAME(windows) * all, vec *north, NAME(ahead) * ahead, int l, int64_t base)
{
  const NAME(window) *w = &all->state;
  const int most = t->kind == HG_HEAT_FIELD ? 1 : NAME(PLANES);
  const int64_t n = s->n[2], plane = t->pitch * (t->hi[1] - t->lo[1]), end = base + NAME(PLANES);
  int64_t lo, hi;
  NAME(valid)(s->hold[2], n, l, &lo, &hi);
  if (s->hold[2][HG_LO] && base <= 0 && 0 < end) NAME(copy_row)(*NAME(slot)(w, -l), *NAME(slot)(w, 1 - l), plane);
  hi = NAME(min)(end, hi);
  for (int64_t z = NAME(max)(base, lo); z < hi;) {
    const NAME(level) v = NAME(make_level)(t, all, north, l, z, NAME(group)(most, hi - z));
    NAME(advance_level)(s, t, k, src, &v, ahead, l, z);
    z += v.planes;
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

/* Pitch of the window's planes of so many rows, in vectors. A processor takes a load to depend on an earlier store if
 * their addresses agree in the lowest 12 bits, and waits. Planes are placed so that this is rare for loads of the next
 * half kilobyte of all rows that are advanced together. */
static int64_t NAME(plane_pitch)(int64_t pitch, int64_t rows)
{
  enum { AHEAD = 512 / VBYTES };
  int64_t best = 0;
  for (int64_t pad = 0, least = INT64_MAX; pad < NAME(PAGE) && least; pad++) {
    const int64_t plane = pitch * rows + pad;
    int64_t waits = 0;
    for (int p = -1; p <= NAME(PLANES) + 1; p++)
      for (int i = -1; p != 0 && i <= 1; i++) waits += (-(p * plane + i * pitch) & (NAME(PAGE) - 1)) < AHEAD;
    if (waits < least) least = waits, best = plane;
  }
  return best;
}

/* Slots that a window of k levels needs, and those for the sources. */
static int64_t NAME(plane_slots)(int k, bool source)
{
  return (source ? 1 : 2) * k + NAME(PLANES) + source;
}

/* Rows that are read or written while one row of each plane is advanced. */
static int64_t NAME(slab_rows)(void)
{
  return 3 * NAME(PLANES) + 2 + NAME(PLANES) - 1;
}

/* Vectors of the rows that `north` holds. */
static int64_t NAME(kept_rows)(int64_t pitch)
{
  return (NAME(PLANES) - 1) * pitch;
}

static void NAME(strip_3d)(const hg_tile_shape *s, NAME(strip) * t, const NAME(coefs) * k, const void *src, void *dst,
                           const void *q, char *work)
{
  const int steps = t->steps;
  const int64_t n = s->n[2], first = NAME(max)(t->lo[1], t->cut[0] - 2),
                plane = NAME(plane_pitch)(t->pitch, t->hi[1] - t->lo[1]);
  vec *north = (vec *)work;
  t->edges = north + NAME(kept_rows)(t->pitch);
  if (t->cut[1] - t->cut[0] < s->n[1]) work += (size_t)NAME(edge_place)(t->pitch, steps, n, 1) * sizeof(vec);
  work += (size_t)NAME(kept_rows)(t->pitch) * sizeof(vec);
  NAME(windows) w = {.state = NAME(make_window)(&work, NAME(plane_slots)(steps, false), plane)};
  NAME(window) *const more[] = {&w.q, &w.down, &w.deep};
  for (int i = 0; i < NAME(more_windows)(t->kind, s->dims); i++)
    *more[i] = NAME(make_window)(&work, NAME(plane_slots)(steps, true), plane);
  for (int64_t top = 0; top - steps < n; top += NAME(PLANES)) {
    for (int64_t z = top; z < NAME(min)(top + NAME(PLANES), n); z++) {
      NAME(load_plane)(s, t, src, NAME(first_row)(s, t, z), z, *NAME(slot)(&w.state, z));
      if (t->kind == HG_HEAT_SOURCE) NAME(load_plane)(s, t, q, t->lo[1], z, *NAME(slot)(&w.q, z));
      if (t->kind == HG_HEAT_FIELD) NAME(load_plane_conductances)(s, t, k, q, z, (vec *)work, plane, &w);
    }
    NAME(ahead)
    ahead = {first, top + NAME(PLANES), first, top + 2 * NAME(PLANES)};
    for (int l = 1; l <= steps; l++) NAME(level_3d)(s, t, k, src, &w, north, &ahead, l, top - l);
    const int64_t done = top - steps, lo = NAME(max)(done, s->margin[2][HG_LO]),
                  hi = NAME(min)(done + NAME(PLANES), n - s->margin[2][HG_HI]);
    for (int64_t z = lo; z < hi; z++)
      for (int64_t y = t->core_lo[1]; y < t->core_hi[1]; y++)
        NAME(store_row)(s, t, dst, y, z, *NAME(slot)(&w.state, z - steps) + (y - t->lo[1]) * t->pitch);
  }
}
