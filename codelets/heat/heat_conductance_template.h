/* SPDX-License-Identifier: MIT */
/* Conductances of a field of diffusivity, template over REAL; included by heat_deep_template.h, whose words it uses.
 * The heat that passes between two cells is their difference times the harmonic mean of their diffusivities, as of two
 * resistances in a row; one gets what the other loses, so none is made or lost where materials meet. */

/* Of two cells; 0 where nothing passes, the same in both directions. */
static inline REAL NAME(conductance)(REAL a, REAL k, REAL l)
{
  const REAL low = k < l ? k : l, high = k < l ? l : k, sum = low + high;
  return sum > 0 ? a * ((2 * low) * (high / sum)) : 0;
}

/* Of n cells and n others. */
static void NAME(conductances)(REAL *restrict to, REAL a, const REAL *k, const REAL *l, int64_t n)
{
  for (int64_t i = 0; i < n; i++) to[i] = NAME(conductance)(a, k[i], l[i]);
}

/* Row y of the field comes in: conductances between its cells, and between the row before and it. room: of both rows */
static void NAME(load_conductances)(const hg_tile_shape *s, const NAME(strip) * t, const NAME(coefs) * k,
                                    const void *field, int64_t y, vec *room, const NAME(windows) * w)
{
  vec *row = room + y % 2 * t->pitch, *before = room + (y + 1) % 2 * t->pitch, *along = *NAME(slot)(&w->q, y);
  const int64_t n = t->nv * VL;
  NAME(load_row)(s, t, field, y, 0, row);
  const vec first = NAME(lanes_down)(row[0]);
  NAME(conductances)((REAL *)along, k->ax[0], (const REAL *)row, (const REAL *)(row + 1), n - VL);
  NAME(conductances)((REAL *)(along + t->nv - 1), k->ax[0], (const REAL *)(row + t->nv - 1), (const REAL *)&first, VL);
  if (y == 0) return;
  NAME(conductances)((REAL *)*NAME(slot)(&w->down, y - 1), k->ay[0], (const REAL *)before, (const REAL *)row, n);
}
