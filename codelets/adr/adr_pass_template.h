/* SPDX-License-Identifier: MIT */
/* BiCGSTAB over all blocks, one pass on one block, for one REAL: the operations of adr_solve_template.h, except that
 * ghosts of p and r come from other blocks between the passes. Included by adr_isa.c. */

static void NAME(search)(const hg_adr_block *b, REAL *const v[], const hg_adr_krylov *it)
{
  const size_t bytes = 2 * (size_t)b->field * sizeof(REAL);
  if (it->fresh) memcpy(v[1], v[0], bytes), memcpy(v[2], v[0], bytes);
  for (int64_t z = 0; z < b->n[2] && !it->fresh; z++)
    NAME(combine_plane)(b, v[2], v[0], (REAL)it->beta, v[3], (REAL)it->omega, z);
}

/* out = B in; returns (other, out), and with `second` also (out, out). */
static void NAME(multiply)(const NAME(solver) * c, REAL *in, REAL *out, const REAL *other, bool second, double sum[2])
{
  const hg_adr_block *b = c->b;
  const int64_t last = b->n[2] - 1;
  for (int64_t z = 0; z <= last; z++) NAME(wrap_plane)(b, in, z);
  if (b->wrap[2]) {
    NAME(copy_plane)(b, in, -1, last);
    NAME(copy_plane)(b, in, last + 1, 0);
  }
  for (int64_t z = 0; z <= last; z++) {
    NAME(apply_plane)(c, in, out, z);
    sum[0] += NAME(dot_plane)(b, other, out, z);
    if (second) sum[1] += NAME(dot_plane)(b, out, out, z);
  }
}

static void NAME(pass)(const hg_adr_block *b, const hg_adr_step *step, hg_adr_pass pass, const hg_adr_krylov *it,
                       const double *tables, double *u, void *work, hg_adr_outcome *outcome, double sum[2])
{
  REAL room[4 * (b->n[0] + b->n[1] + b->n[2])];
  const NAME(solver) c = NAME(make_solver)(b, step, tables, work, room);
  REAL *const *v = c.vector;
  sum[0] = sum[1] = 0;
  switch (pass) {
  case HG_ADR_BEGIN:
    memset(v[5], 0, 2 * (size_t)b->field * sizeof(REAL));
    sum[0] = NAME(dot)(b, v[0], v[0]);
    break;
  case HG_ADR_SEARCH: NAME(search)(b, v, it); break;
  case HG_ADR_ALONG_P: NAME(multiply)(&c, v[2], v[3], v[1], false, sum); break;
  case HG_ADR_DESCEND:
    for (int64_t z = 0; z < b->n[2]; z++) NAME(add_plane)(b, v[0], (REAL)-it->alpha, v[3], z);
    break;
  case HG_ADR_ALONG_R: NAME(multiply)(&c, v[0], v[4], v[0], true, sum); break;
  case HG_ADR_CORRECT: NAME(correct)(b, v, (REAL)it->alpha, (REAL)it->omega, &sum[0], &sum[1]); break;
  case HG_ADR_END:
    NAME(add_update)(b, outcome->scale, v[5], u);
    outcome->iterations += it->count;
    outcome->failed = it->failed;
  }
}
