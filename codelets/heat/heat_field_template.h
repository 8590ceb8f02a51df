/* SPDX-License-Identifier: MIT */
/* Heat in a field of diffusivity (heat_conductance_template.h), template over REAL: in 2-D in deep blocks, else in
 * sweeps, behind heat_sweep_template.h, whose ranges these share. The form of the arithmetic is one in every build: c =
 * a ((2 min(k, l)) (max(k, l) / (k + l)))     r = ((t + X) + Y) + Z  with  X = cE (E - t) - cW (t - W), ... The
 * kernel's q is the diffusivity, and its a are dt / dx^2 (s/m^2). */

/* Between each cell of the padded box and the next along an axis. */
static void NAME(field_faces)(const hg_tile_shape *s, int axis, REAL a, const REAL *restrict k, REAL *restrict face)
{
  const int64_t cells = s->stride[2] * s->n[2], step = s->stride[axis];
  for (int64_t i = 0; i < cells - step; i++) face[i] = NAME(conductance)(a, k[i], k[i + step]);
}

static inline void NAME(field_row)(const hg_tile_shape *s, const REAL *restrict t, REAL *restrict r,
                                   const REAL *const face[3], int64_t row, int64_t x0, int64_t x1)
{
  const REAL *cx = face[0] + row;
  for (int64_t x = x0; x < x1; x++) r[x] = t[x] + (cx[x] * (t[x + 1] - t[x]) - cx[x - 1] * (t[x] - t[x - 1]));
  for (int axis = 1; axis < s->dims; axis++) {
    const int64_t d = s->stride[axis];
    const REAL *c = face[axis] + row;
    for (int64_t x = x0; x < x1; x++) r[x] += c[x] * (t[x + d] - t[x]) - c[x - d] * (t[x] - t[x - d]);
  }
}

static void NAME(field_sweep)(const hg_tile_shape *s, const REAL *const face[3], int l, const REAL *t, REAL *r)
{
  int64_t lo[3], hi[3];
  for (int axis = 0; axis < 3; axis++) NAME(sweep_range)(s, axis, l, &lo[axis], &hi[axis]);
  for (int64_t z = 0; z < s->n[2]; z++)
    for (int64_t y = 0; y < s->n[1]; y++) {
      const int64_t row = y * s->stride[1] + z * s->stride[2];
      if (NAME(held)(s, 1, y) || NAME(held)(s, 2, z)) {
        memcpy(r + row, t + row, (size_t)s->n[0] * sizeof(REAL));
      } else if (z >= lo[2] && z < hi[2] && y >= lo[1] && y < hi[1]) {
        NAME(field_row)(s, t + row, r + row, face, row, lo[0], hi[0]);
        if (s->hold[0][HG_LO]) r[row] = t[row];
        if (s->hold[0][HG_HI]) r[row + s->n[0] - 1] = t[row + s->n[0] - 1];
      }
    }
}

static void NAME(field_advance_in_sweeps)(const hg_tile_shape *s, const hg_heat_coef *coef, int steps, const void *src,
                                          void *dst, const void *q, void *work)
{
  const int64_t cells = s->stride[2] * s->n[2];
  REAL *room = (REAL *)work + s->dims * cells;
  const REAL *face[3] = {NULL, NULL, NULL}, *from = src;
  for (int axis = 0; axis < s->dims; axis++) {
    face[axis] = (REAL *)work + axis * cells;
    NAME(field_faces)(s, axis, (REAL)coef->a[axis], q, (REAL *)work + axis * cells);
  }
  for (int l = 1; l <= steps; l++) {
    REAL *to = (steps - l) % 2 == 0 ? dst : room;
    NAME(field_sweep)(s, face, l, from, to);
    from = to;
  }
}

static void NAME(field_advance)(const hg_tile_shape *s, const hg_heat_coef *coef, int steps, const void *src, void *dst,
                                const void *q, void *work)
{
  if (s->dims == 2)
    NAME(advance_strips)(s, coef, steps, HG_HEAT_FIELD, src, dst, q, work);
  else
    NAME(field_advance_in_sweeps)(s, coef, steps, src, dst, q, work);
}

static size_t NAME(field_workspace)(const hg_tile_shape *s, int steps, bool source)
{
  (void)source;
  if (s->dims == 2) return NAME(strips_workspace)(s, steps, HG_HEAT_FIELD);
  return (size_t)(s->dims + (steps > 1)) * (size_t)(s->stride[2] * s->n[2]) * sizeof(REAL);
}
