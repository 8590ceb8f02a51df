/* SPDX-License-Identifier: MIT */
/* What hetgrid-elimination prints. */
#include <inttypes.h>
#include <stdio.h>

#include "base/blas.h"
#include "codelets/simulated_costs.h"
#include "elimination.h"
#include "result/report.h"

/* LAPACK's counts (LAWN 41), without divisions; for a singular system only one triangle is solved, otherwise both. */
double elimination_flops(const hg_lu_run *r)
{
  const double n = (double)r->n, triangle = n * n * (double)r->nrhs;
  return (r->factored ? 2. / 3 * n * n * n - n * n / 2 : 0) + (r->solved ? 2 : 1) * triangle;
}

static double rate(const hg_lu_run *r)
{
  return r->seconds > 0 ? elimination_flops(r) / r->seconds * 1e-9 : 0;
}

static const char *precision_name(const hg_lu_run *r)
{
  return hg_precision_names[r->problem->precision == HG_FLOAT];
}

static void add_determinant(hg_columns *row, const hg_lu_quality *q)
{
  if (!q->has_determinant) {
    hg_column_text(row, "det_sign", "");
    hg_column_text(row, "det_log10", "");
    return;
  }
  hg_column_int(row, "det_sign", q->sign);
  hg_column_double(row, "det_log10", "%.12g", q->log10_determinant);
}

void elimination_columns(const hg_run_context *context, hg_columns *row)
{
  const hg_lu_run *r = &((const elimination *)context->self)->run;
  const hg_session *s = r->session;
  const hg_lu_quality *q = &r->quality;
  hg_column_text(row, "app", "elimination");
  hg_column_int(row, "n", r->n);
  hg_column_int(row, "nrhs", r->nrhs);
  hg_column_text(row, "precision", precision_name(r));
  hg_column_int(row, "nb", r->problem->nb);
  hg_column_int(row, "P", r->p);
  hg_column_int(row, "Q", r->q);
  hg_column_int(row, "ranks", s->ranks);
  hg_column_int(row, "cpu_workers", s->cpu_workers);
  hg_column_int(row, "cuda_workers", s->cuda_workers);
  hg_column_text(row, "pivoting", hg_pivoting_name(r->problem->pivoting));
  hg_column_text(row, "partition", r->partition);
  hg_column_text(row, "sched", s->sched);
  hg_column_int(row, "repeat", context->number);
  hg_column_double(row, "seconds", "%.9g", context->seconds);
  hg_column_double(row, "gflops", "%.6g", rate(r));
  hg_column_int(row, "swaps", r->metadata.swaps);
  hg_column_int(row, "tiles_touched", r->metadata.tiles_touched);
  hg_column_known(row, "residual_hpl", "%.6g", !(q->residual_hpl < 0), q->residual_hpl);
  hg_column_known(row, "dget01", "%.6g", !(q->dget01 < 0), q->dget01);
  hg_column_known(row, "growth", "%.6g", !(q->growth < 0), q->growth);
  hg_column_known(row, "rcond", "%.6g", !(q->rcond < 0), q->rcond);
  hg_column_int(row, "info", r->metadata.info);
  hg_column_text(row, "status", hg_lu_validate(r));
  add_determinant(row, q);
  hg_column_text(row, "blas", hg_simulated ? "" : hg_blas_text());
}

static void print_run(const hg_lu_run *r)
{
  const hg_session *s = r->session;
  printf("elimination of %s, %" PRId64 " x %" PRId64 ", %s, %" PRId64 " right-hand side%s\n",
         hg_matrix_name(r->problem->a), r->n, r->n, precision_name(r), r->nrhs, r->nrhs == 1 ? "" : "s");
  hg_report_machine(s);
  printf(", policy %s\n", s->sched);
  printf("  tiles      %d x %d, %s, %s pivoting\n", r->problem->nb, r->problem->nb, r->partition,
         hg_pivoting_name(r->problem->pivoting));
  if (!hg_simulated) printf("  BLAS       %s\n", hg_blas_text());
  printf("  time       %.4g s: %.2f GFLOP/s\n", r->seconds, rate(r));
  printf("  exchanged  %" PRId64 " row%s moved, %" PRId64 " tile%s touched\n", r->metadata.swaps,
         r->metadata.swaps == 1 ? "" : "s", r->metadata.tiles_touched, r->metadata.tiles_touched == 1 ? "" : "s");
}

static void print_quality(const hg_lu_run *r)
{
  const hg_lu_quality *q = &r->quality;
  printf("  growth     %.4g\n", q->growth);
  if (r->metadata.info) printf("  singular   pivot %" PRId64 " is exactly zero\n", r->metadata.info);
  if (q->rcond >= 0) printf("  rcond      %.4g\n", q->rcond);
  if (q->has_determinant && q->sign == 0) printf("  det        0\n");
  if (q->has_determinant && q->sign != 0)
    printf("  det        %s10^%.12g (sign and decimal logarithm of its modulus)\n", q->sign < 0 ? "-" : "",
           q->log10_determinant);
  if (!(q->dget01 < 0))
    printf("  ||LU-PA|| / (n ||A|| eps)                 %-10.4g (must be < %g)\n", q->dget01, HG_LU_FACTORS_BOUND);
  if (!(q->residual_hpl < 0))
    printf("  ||Ax-b|| / (eps (||A|| ||x|| + ||b||) n)  %-10.4g (must be < %g)\n", q->residual_hpl,
           HG_LU_RESIDUAL_BOUND);
  printf("  status     %s%s\n", hg_lu_validate(r),
         hg_lu_is_ill_conditioned(r) ? ", but ill-conditioned: the solution may have no correct digit" : "");
}

void elimination_text(const hg_run_context *context)
{
  const hg_lu_run *r = &((const elimination *)context->self)->run;
  print_run(r);
  if (hg_context_is_last(context) && !hg_simulated) print_quality(r);
}
