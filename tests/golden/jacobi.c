/* SPDX-License-Identifier: MIT */
/* Golden cases of the relaxation: (m + 2)^2 points of the problem laplace, whose steady state is
 * sin(pi x) sinh(mu j) / sinh(mu (m + 1)) on row j, cosh mu = 2 - cos(pi h). */
#include "tests/golden/cases.h"

#include <math.h>

#include "apps/jacobi/jacobi.h"

/* A case: its initial state and the difference from the steady state. */
typedef struct relaxation {
  jacobi j;
  int64_t m, sweeps, p, q; /**< p = 0: starts from 0; otherwise from the steady state plus a mode */
} relaxation;

static double steady(const relaxation *r, int64_t x, int64_t y)
{
  const double n = (double)r->m + 1, mu = acosh(2 - cos(M_PI / n));
  if (x == 0 || x == r->m + 1) return 0;
  return sin(M_PI * (double)x / n) * (y == r->m + 1 ? 1 : sinh(mu * (double)y) / sinh(mu * n));
}

static double mode(const relaxation *r, int64_t x, int64_t y)
{
  const double n = (double)r->m + 1;
  if (x % (r->m + 1) == 0 || y % (r->m + 1) == 0) return 0;
  return sin(M_PI * (double)(r->q * x) / n) * sin(M_PI * (double)(r->p * y) / n);
}

static hg_status start_with_mode(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  const relaxation *r = arg; /* the hg_jacobi is its first member */
  (void)input;
  *(double *)value = steady(r, cell->x, cell->y) + mode(r, cell->x, cell->y);
  return HG_OK;
}

/* Inner points after all sweeps. */
static hg_status relax(relaxation *r, hg_field *out)
{
  hg_run *run;
  hg_job *job = &r->j.context.job;
  jacobi_defaults(&r->j);
  job->size[0] = job->size[1] = r->m + 2;
  job->steps = r->sweeps;
  r->j.context.results.quiet = true;
  jacobi_settle(&r->j);
  if (r->p > 0) job->init = start_with_mode;
  HG_TRY(hg_run_start(job, &r->j.context.options, &run));
  hg_status status = hg_advance(run, r->sweeps);
  if (status == HG_OK) status = hg_run_gather(run, out);
  hg_free(run);
  return status;
}

static hg_status read_case(const json_t *input, relaxation *r)
{
  HG_TRY(hg_golden_int(input, "m", &r->m));
  HG_TRY(hg_golden_int(input, "sweeps", &r->sweeps));
  if (r->m < 1 || r->m > 10000) return hg_fail(HG_INVALID, "m is %lld, must be in 1..10000", (long long)r->m);
  if (r->sweeps < 0 || r->sweeps > INT64_C(1000000000))
    return hg_fail(HG_INVALID, "sweeps is %lld, must be in 0..10^9", (long long)r->sweeps);
  return HG_OK;
}

static double largest_error(const relaxation *r, const hg_field *f)
{
  double largest = 0;
  for (int64_t y = 1; y <= r->m; y++)
    for (int64_t x = 1; x <= r->m; x++)
      largest = fmax(largest, fabs(hg_field_get(f, x + (r->m + 2) * y) - steady(r, x, y)));
  return largest;
}

static hg_status run_laplace(hg_golden_case *c)
{
  relaxation r = {.m = 0};
  hg_field f;
  double sum = 0;
  HG_TRY(read_case(c->input, &r));
  HG_TRY(relax(&r, &f));
  for (int64_t i = 0; i < r.m * r.m; i++) sum += hg_field_get(&f, i % r.m + 1 + (r.m + 2) * (i / r.m + 1));
  hg_golden_put(c, "sum", sum);
  hg_golden_put(c, "centre", hg_field_get(&f, (r.m + 1) / 2 * (r.m + 3)));
  hg_golden_put(c, "max_error_to_steady_state", largest_error(&r, &f));
  hg_field_free(&f);
  return HG_OK;
}

/* The largest initial error of the mode on these points. */
static double first_error(const relaxation *r)
{
  double largest = 0;
  for (int64_t y = 1; y <= r->m; y++)
    for (int64_t x = 1; x <= r->m; x++) largest = fmax(largest, fabs(mode(r, x, y)));
  return largest;
}

static hg_status run_mode(hg_golden_case *c)
{
  relaxation r = {.m = 0};
  hg_field f;
  HG_TRY(read_case(c->input, &r));
  HG_TRY(hg_golden_int(c->input, "p", &r.p));
  HG_TRY(hg_golden_int(c->input, "q", &r.q));
  if (r.p < 1 || r.q < 1 || r.p > r.m || r.q > r.m)
    return hg_fail(HG_INVALID, "p is %lld and q %lld, must be in 1..m", (long long)r.p, (long long)r.q);
  HG_TRY(relax(&r, &f));
  const double n = (double)r.m + 1;
  const double rho = (cos(M_PI * (double)r.p / n) + cos(M_PI * (double)r.q / n)) / 2;
  hg_golden_put(c, "reduction", largest_error(&r, &f) / first_error(&r));
  hg_golden_put(c, "theory", pow(fabs(rho), (double)r.sweeps));
  hg_field_free(&f);
  return HG_OK;
}

hg_status jacobi_golden(const char *path)
{
  static const hg_golden_kind kinds[] = {{"jacobi", run_laplace}, {"jacobi_mode", run_mode}, {NULL, NULL}};
  return hg_golden_run(path, kinds);
}
