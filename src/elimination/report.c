/* SPDX-License-Identifier: MIT */
#include "elimination/report.h"

#include <float.h>

const char *hg_lu_breakdown(const hg_lu_problem *p)
{
  if (p->pivoting == HG_PIVOT_NONE) return "cannot be eliminated without pivoting";
  return p->precision == HG_FLOAT ? "is singular in single precision" : "is singular";
}

const char *hg_pivoting_name(hg_pivoting pivoting)
{
  static const char *const names[] = {"dynamic", "static", "none", "tournament"};
  return names[pivoting];
}

const char *hg_lu_validate(const hg_lu_run *r)
{
  const hg_lu_quality *q = &r->quality;
  /* comparisons with a NaN are false */
  const bool solved = q->residual_hpl < HG_LU_RESIDUAL_BOUND, factored = q->dget01 < HG_LU_FACTORS_BOUND;
  if (r->metadata.info) return "singular";
  return solved && factored ? "ok" : "FAILED";
}

bool hg_lu_is_ill_conditioned(const hg_lu_run *r)
{
  const double epsilon = r->problem->precision == HG_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
  return r->metadata.info == 0 && r->quality.rcond >= 0 && r->quality.rcond < epsilon;
}
