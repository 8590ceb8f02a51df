/* SPDX-License-Identifier: MIT */
/* Conductances of a field of diffusivity, template over REAL; included by heat_deep_template.h, whose names it uses.
 * The heat that passes between two cells is their difference times the harmonic mean of their diffusivities, as with
 * two resistances in series. One cell gains what the other loses, so heat is conserved where materials meet.
 *
 * The arithmetic has the same form in every build:
 *   c = a ((2 min(k, l)) (max(k, l) / (k + l)))     r = ((t + X) + Y) + Z  with  X = cE (E - t) - cW (t - W), ... */

/* Between two cells; the same in both directions, 0 where no heat passes. */
static inline REAL NAME(conductance)(REAL a, REAL k, REAL l)
{
  const REAL low = k < l ? k : l, high = k < l ? l : k, sum = low + high;
  return sum > 0 ? a * ((2 * low) * (high / sum)) : 0;
}

/* Between n cells and n others. */
static void NAME(conductances)(REAL *restrict to, REAL a, const REAL *k, const REAL *l, int64_t n)
{
  for (int64_t i = 0; i < n; i++) to[i] = NAME(conductance)(a, k[i], l[i]);
}

/* Between each cell of a row in lane layout and the next one. */
static void NAME(conductances_along)(const NAME(strip) * t, REAL a, const vec *row, vec *to)
{
  const vec *last = row + t->nv - 1, first = NAME(lanes_down)(row[0]);
  NAME(conductances)((REAL *)to, a, (const REAL *)row, (const REAL *)(row + 1), (t->nv - 1) * VL);
  NAME(conductances)((REAL *)(to + t->nv - 1), a, (const REAL *)last, (const REAL *)&first, VL);
}

/* Between the cells of two rows. */
static void NAME(conductances_between)(const NAME(strip) * t, REAL a, const vec *row, const vec *next, vec *to)
{
  NAME(conductances)((REAL *)to, a, (const REAL *)row, (const REAL *)next, t->nv * VL);
}

/* Loads row y of a 2-D field: conductances between its cells, and between it and the previous row. room: two rows */
static void NAME(load_conductances)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k,
                                    const void *field, int64_t y, vec *room, const NAME(windows) * w)
{
  vec *row = room + y % 2 * t->pitch;
  NAME(load_row)(s, t, field, y, 0, row);
  NAME(conductances_along)(t, k->ax[0], row, *NAME(slot)(&w->q, y));
  if (y > 0) NAME(conductances_between)(t, k->ay[0], room + (y + 1) % 2 * t->pitch, row, *NAME(slot)(&w->down, y - 1));
}

/* The same for plane z of a 3-D field, and between it and the previous plane. room: two planes of `size` vectors */
static void NAME(load_plane_conductances)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k,
                                          const void *field, int64_t z, vec *room, int64_t size,
                                          const NAME(windows) * w)
{
  vec *row = room + z % 2 * size, *along = *NAME(slot)(&w->q, z), *down = *NAME(slot)(&w->down, z);
  const vec *before = room + (z + 1) % 2 * size;
  vec *deep = z > 0 ? *NAME(slot)(&w->deep, z - 1) : NULL;
  for (int64_t y = t->lo[1], at = 0; y < t->hi[1]; y++, at += t->pitch, row += t->pitch) {
    NAME(load_row)(s, t, field, y, z, row);
    NAME(conductances_along)(t, k->ax[0], row, along + at);
    if (at > 0) NAME(conductances_between)(t, k->ay[0], row - t->pitch, row, down + at - t->pitch);
    if (deep) NAME(conductances_between)(t, k->az[0], before + at, row, deep + at);
  }
}
