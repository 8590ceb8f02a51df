/* SPDX-License-Identifier: MIT */
/* One step per pass over memory, template over REAL: the plain double-buffered sweep, with which the deep kernel is
 * compared. Several steps alternate between `dst` and a second padded box in the scratch memory. */

/* Updates the cells x0..x1-1 of a row; the pointers are at the row's first padded cell. */
static inline void NAME(sweep_row)(const hg_tile_shape *s, const REAL *restrict t, REAL *restrict r,
                                   const REAL *restrict q, const REAL a[3], REAL c0, int64_t x0, int64_t x1)
{
  const int64_t dy = s->stride[1], dz = s->stride[2];
  if (s->dims == 1)
    for (int64_t x = x0; x < x1; x++) r[x] = FMA(a[0], t[x - 1] + t[x + 1], c0 * t[x]);
  else if (s->dims == 2)
    for (int64_t x = x0; x < x1; x++)
      r[x] = FMA(a[1], t[x - dy] + t[x + dy], FMA(a[0], t[x - 1] + t[x + 1], c0 * t[x]));
  else
    for (int64_t x = x0; x < x1; x++)
      r[x] =
          FMA(a[2], t[x - dz] + t[x + dz], FMA(a[1], t[x - dy] + t[x + dy], FMA(a[0], t[x - 1] + t[x + 1], c0 * t[x])));
  if (q)
    for (int64_t x = x0; x < x1; x++) r[x] += q[x];
}

/* Cells lo..hi-1 of an axis that the l-th step updates, and whether i is a held layer. */
static void NAME(sweep_range)(const hg_tile_shape *s, int axis, int l, int64_t *lo, int64_t *hi)
{
  *lo = axis >= s->dims ? 0 : s->hold[axis][HG_LO] ? 1 : l;
  *hi = axis >= s->dims ? 1 : s->n[axis] - (s->hold[axis][HG_HI] ? 1 : l);
}

static bool NAME(held)(const hg_tile_shape *s, int axis, int64_t i)
{
  return (s->hold[axis][HG_LO] && i == 0) || (s->hold[axis][HG_HI] && i == s->n[axis] - 1);
}

static void NAME(sweep)(const hg_tile_shape *s, const REAL a[3], REAL c0, int l, const REAL *t, REAL *r, const REAL *q)
{
  int64_t lo[3], hi[3];
  for (int axis = 0; axis < 3; axis++) NAME(sweep_range)(s, axis, l, &lo[axis], &hi[axis]);
  for (int64_t z = 0; z < s->n[2]; z++)
    for (int64_t y = 0; y < s->n[1]; y++) {
      int64_t row = y * s->stride[1] + z * s->stride[2];
      if (NAME(held)(s, 1, y) || NAME(held)(s, 2, z)) {
        memcpy(r + row, t + row, (size_t)s->n[0] * sizeof(REAL));
      } else if (z >= lo[2] && z < hi[2] && y >= lo[1] && y < hi[1]) {
        NAME(sweep_row)(s, t + row, r + row, q ? q + row : NULL, a, c0, lo[0], hi[0]);
        if (s->hold[0][HG_LO]) r[row] = t[row];
        if (s->hold[0][HG_HI]) r[row + s->n[0] - 1] = t[row + s->n[0] - 1];
      }
    }
}

static void NAME(naive_advance)(const hg_tile_shape *s, const hg_heat_coef *coef, int steps, const void *src, void *dst,
                                const void *q, void *work)
{
  const REAL a[3] = {(REAL)coef->a[0], (REAL)coef->a[1], (REAL)coef->a[2]};
  const REAL c0 = ((1 - 2 * a[0]) - 2 * a[1]) - 2 * a[2];
  const REAL *from = src;
  for (int l = 1; l <= steps; l++) {
    REAL *to = (steps - l) % 2 == 0 ? dst : work;
    NAME(sweep)(s, a, c0, l, from, to, q);
    from = to;
  }
}

static size_t NAME(naive_workspace)(const hg_tile_shape *s, int steps, bool source)
{
  (void)source;
  return steps > 1 ? (size_t)(s->stride[2] * s->n[2]) * sizeof(REAL) : 0;
}
