/* SPDX-License-Identifier: MIT */
#include "elimination/report.h"

#include <inttypes.h>
#include <stdio.h>

const char *hg_pivoting_name(hg_pivoting pivoting)
{
  static const char *const names[] = {"dynamic", "static", "none", "tournament"};
  return names[pivoting];
}

const char *hg_lu_verdict(const hg_lu_run *r)
{
  const hg_lu_quality *q = &r->quality;
  /* a NaN compares with nothing */
  const bool solved = q->residual_hpl < HG_LU_RESIDUAL_BOUND, factored = q->dget01 < HG_LU_FACTORS_BOUND;
  return r->facts.info ? "singular" : solved && factored ? "ok" : "FAILED";
}

/* LAPACK's counts (LAWN 41), divisions apart. */
static double flops(const hg_lu_run *r)
{
  const double n = (double)r->n;
  return 2. / 3 * n * n * n - n * n / 2 + (r->solved ? 2 * n * n * (double)r->nrhs : 0);
}

static double rate(const hg_lu_run *r)
{
  return r->seconds > 0 ? flops(r) / r->seconds * 1e-9 : 0;
}

static const char *precision_name(const hg_lu_run *r)
{
  return r->problem->precision == HG_FLOAT ? "float" : "double";
}

void hg_lu_report_csv_header(void)
{
  puts(
      "app,n,nrhs,precision,nb,P,Q,ranks,cpu_workers,cuda_workers,pivoting,partition,sched,repeat,seconds,gflops,swaps,"
      "tiles_touched,residual_hpl,dget01,growth,rcond,info,status");
}

/* Nothing where a number was not computed. */
static void print_field(double value)
{
  if (value < 0)
    putchar(',');
  else
    printf("%.6g,", value);
}

void hg_lu_report_csv(const hg_lu_run *r)
{
  const hg_session *s = r->session;
  printf("elimination,%" PRId64 ",%" PRId64 ",%s,%d,%d,%d,%d,%d,%d,%s,%s,%s,%d,%.9g,%.6g,%" PRId64 ",%" PRId64 ",",
         r->n, r->nrhs, precision_name(r), r->problem->nb, r->p, r->q, s->ranks, s->cpu_workers, s->cuda_workers,
         hg_pivoting_name(r->problem->pivoting), r->partition, s->sched, r->repeat, r->seconds, rate(r), r->facts.swaps,
         r->facts.tiles_touched);
  print_field(r->quality.residual_hpl);
  print_field(r->quality.dget01);
  print_field(r->quality.growth);
  print_field(r->quality.rcond);
  printf("%" PRId64 ",%s\n", r->facts.info, hg_lu_verdict(r));
  fflush(stdout);
}

void hg_lu_report_text(const hg_lu_run *r)
{
  const hg_session *s = r->session;
  printf("elimination of %s, %" PRId64 " x %" PRId64 ", %s, %" PRId64 " right-hand sides\n",
         hg_matrix_name(r->problem->a), r->n, r->n, precision_name(r), r->nrhs);
  printf("  ran on     %d CPU and %d CUDA workers of %d ranks, policy %s\n", s->cpu_workers, s->cuda_workers, s->ranks,
         s->sched);
  printf("  tiles      %d x %d, %s, %s pivoting\n", r->problem->nb, r->problem->nb, r->partition,
         hg_pivoting_name(r->problem->pivoting));
  printf("  time       %.4g s: %.2f GFLOP/s\n", r->seconds, rate(r));
  printf("  exchanged  %" PRId64 " rows moved, %" PRId64 " tiles touched\n", r->facts.swaps, r->facts.tiles_touched);
}

void hg_lu_report_quality(const hg_lu_run *r)
{
  const hg_lu_quality *q = &r->quality;
  printf("  growth     %.4g\n", q->growth);
  if (r->facts.info) printf("  singular   pivot %" PRId64 " is exactly zero\n", r->facts.info);
  if (q->rcond >= 0) printf("  rcond      %.4g\n", q->rcond);
  if (q->has_determinant && q->sign == 0) printf("  det        0\n");
  if (q->has_determinant && q->sign != 0)
    printf("  det        %s10^%.12g\n", q->sign < 0 ? "-" : "", q->log10_determinant);
  if (!(q->dget01 < 0))
    printf("  ||LU-PA|| / (n ||A|| eps)                 %-10.4g (must be < %g)\n", q->dget01, HG_LU_FACTORS_BOUND);
  if (!(q->residual_hpl < 0))
    printf("  ||Ax-b|| / (eps (||A|| ||x|| + ||b||) n)  %-10.4g (must be < %g)\n", q->residual_hpl,
           HG_LU_RESIDUAL_BOUND);
  printf("  verdict    %s\n", hg_lu_verdict(r));
}
