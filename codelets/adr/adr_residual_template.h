/* SPDX-License-Identifier: MIT */
/* F, its largest entry relative to the old values, M^-1 and M^-1 F, all in one pass over a block, for one REAL and one
 * reaction (RATES gives the rates and derivatives at a point of a row). Included by adr_isa.c. */

/* One row. @param w  weights along y and z: ly, hy, lz, hz; w[4]: their sum, without x @param largest  [2] over own
 * unknowns */
static void NAME3(residual_row, REACTION)(const hg_adr_block *b, const hg_adr_step *step, const double *tables,
                                          const double *u, const double *old, bool fresh, REAL *work,
                                          const hg_adr_outcome *outcome, int64_t y, int64_t z, double *largest)
{
  const int64_t n = b->n[0], f = b->field, sy = b->stride[1], sz = b->stride[2];
  const int64_t at = b->origin + z * sz + y * sy;
  const double *restrict lx = tables, *restrict hx = tables + n, *restrict wx = tables + 2 * n;
  const double *restrict sines = tables + 3 * n, *restrict cosines = tables + 4 * n;
  const double *ty = tables + hg_adr_table_at(b, 1, 0) + y, *tz = tables + hg_adr_table_at(b, 2, 0) + z;
  const int64_t ny = b->n[1], nz = b->n[2];
  const double ly = ty[0], hy = ty[ny], lz = tz[0], hz = tz[nz], wyz = ty[2 * ny] + tz[2 * nz];
  const double dt = step->dt, one = 1 / outcome->scale[0], two = 1 / outcome->scale[1];
  const double swap12 = outcome->scale[1] * one, swap21 = outcome->scale[0] * two;
  const double sin_y = ty[3 * ny], cos_y = ty[4 * ny], sin_z = tz[3 * nz], cos_z = tz[4 * nz];
  const double *restrict u1 = u + at, *restrict u2 = u + at + f, *restrict o1 = old + at, *restrict o2 = old + at + f;
  REAL *restrict r1 = work + at, *restrict r2 = work + at + f, *restrict m = work + HG_ADR_INVERSE * f + at;
  double ratio[2][CHUNK];
  (void)sines, (void)cosines, (void)sin_y, (void)cos_y, (void)sin_z, (void)cos_z;
  for (int64_t first = 0; first < n; first += CHUNK) {
    const int64_t end = first + CHUNK < n ? first + CHUNK : n;
#pragma GCC ivdep
    for (int64_t x = first; x < end; x++) {
      const double c1 = u1[x], c2 = u2[x], w = wx[x] + wyz;
      const hg_adr_rates k = RATES;
      const double in1 = HG_ADR_INFLOW(lx[x], hx[x], ly, hy, lz, hz, u1[x - 1], u1[x + 1], u1[x - sy], u1[x + sy],
                                       u1[x - sz], u1[x + sz]);
      const double in2 = HG_ADR_INFLOW(lx[x], hx[x], ly, hy, lz, hz, u2[x - 1], u2[x + 1], u2[x - sy], u2[x + sy],
                                       u2[x - sz], u2[x + sz]);
      const hg_adr_point p = hg_adr_point_of(dt, w, o1[x], o2[x], c1, c2, in1, in2, k, swap12, swap21);
      if (fresh) {
        m[x] = (REAL)p.m11;
        m[x + f] = (REAL)p.m12;
        m[x + 2 * f] = (REAL)p.m21;
        m[x + 3 * f] = (REAL)p.m22;
      }
      const double g1 = p.f1 * one, g2 = p.f2 * two;
      r1[x] = (REAL)((double)m[x] * g1 + (double)m[x + f] * g2);
      r2[x] = (REAL)((double)m[x + 2 * f] * g1 + (double)m[x + 3 * f] * g2);
      ratio[0][x - first] = hg_adr_ratio(p.f1, o1[x]);
      ratio[1][x - first] = hg_adr_ratio(p.f2, o2[x]);
    }
    const int64_t from = b->lo[0] > first ? b->lo[0] : first, to = b->hi[0] < end ? b->hi[0] : end;
    for (int s = 0; s < 2; s++)
      for (int64_t x = from; x < to; x++) *largest = hg_adr_max(*largest, ratio[s][x - first]);
  }
}

static void NAME3(residual_block, REACTION)(const hg_adr_block *b, const hg_adr_step *step, const double *tables,
                                            const double *u, const double *old, bool fresh, REAL *work,
                                            hg_adr_outcome *outcome)
{
  double largest = 0, ignored = 0;
  for (int64_t z = 0; z < b->n[2]; z++)
    for (int64_t y = 0; y < b->n[1]; y++) {
      const bool own = y >= b->lo[1] && y < b->hi[1] && z >= b->lo[2] && z < b->hi[2];
      NAME3(residual_row, REACTION)
      (b, step, tables, u, old, fresh, work, outcome, y, z, own ? &largest : &ignored);
    }
  outcome->residual = largest;
}
#undef RATES
#undef REACTION
