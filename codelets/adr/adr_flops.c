/* SPDX-License-Identifier: MIT */
/* Operations of the adr kernels per node, counted in their expressions (adr_problem.h, adr_point.h and the templates):
 * + - * / count one each; comparisons, absolute values, conversions, and what is done once per row or in ghosts do not
 * count. */
#include "codelets/adr/adr.h"

/* Both species: sum w x of six neighbours; products of vectors; y += a x; y = x + a (y - c z). */
enum { INFLOW = 2 * 11, DOT = 2 * 2, ADD = 2 * 2, COMBINE = 2 * 4 };
/* x - M^-1 (W x), M^-T x, x - W^T x; x += alpha p + omega r and r -= omega t. */
enum { APPLY = INFLOW + 2 * 4, PRECONDITION = 2 * 3, APPLY_TRANSPOSED = INFLOW + 2, CORRECT = 2 * 6 };
/* An iteration, without the combination of the directions p, which the first one omits. */
enum {
  BICGSTAB = APPLY + DOT + ADD + APPLY + 2 * DOT + CORRECT + 2 * DOT,
  BICG = APPLY + DOT + 2 * ADD + PRECONDITION + APPLY_TRANSPOSED + ADD + 2 * DOT
};
/* Residual: w, F, M^-1 F, |F| / (|old| + 1); M^-1, where it is recomputed; and the reaction. */
enum { RESIDUAL = 1 + INFLOW + 2 * 6 + 2 + 2 * 3 + 2 * 2, INVERSE = 18 };
static const int reaction[] = {[HG_ADR_MMS] = 44, [HG_ADR_CONSERVE] = 6, [HG_ADR_DIURNAL] = 19, [HG_ADR_NONE] = 0};

static double nodes(const hg_adr_block *b)
{
  return (double)b->n[0] * (double)b->n[1] * (double)b->n[2];
}

/* Updates the block's own unknowns. */
static double update(const hg_adr_block *b)
{
  double own = 1;
  for (int a = 0; a < 3; a++) own *= (double)(b->hi[a] - b->lo[a]);
  return 2 * 2 * own;
}

double hg_adr_begin_flops(const hg_adr_block *b, bool first, bool bdf2)
{
  return first ? 0 : 2 * (bdf2 ? 5 : 2) * nodes(b);
}

double hg_adr_residual_flops(const hg_adr_block *b, bool fresh)
{
  return (RESIDUAL + reaction[b->reaction] + (fresh ? INVERSE : 0)) * nodes(b);
}

double hg_adr_solve_flops(const hg_adr_block *b, const hg_adr_step *step, double iterations)
{
  const double each = step->bicg ? BICG : BICGSTAB, combined = step->bicg ? 2 * COMBINE : COMBINE;
  const double directions = iterations > 0 ? combined * (iterations - 1) : 0;
  return (DOT + each * iterations + directions) * nodes(b) + update(b);
}

double hg_adr_pass_flops(const hg_adr_block *b, hg_adr_pass pass, bool fresh)
{
  static const int each[] = {
      [HG_ADR_BEGIN] = DOT,   [HG_ADR_SEARCH] = COMBINE,          [HG_ADR_ALONG_P] = APPLY + DOT,
      [HG_ADR_DESCEND] = ADD, [HG_ADR_ALONG_R] = APPLY + 2 * DOT, [HG_ADR_CORRECT] = CORRECT + 2 * DOT};
  if (pass == HG_ADR_END) return update(b);
  return pass == HG_ADR_SEARCH && fresh ? 0 : each[pass] * nodes(b);
}
