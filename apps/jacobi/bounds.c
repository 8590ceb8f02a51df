/* SPDX-License-Identifier: MIT */
/* Guaranteed bounds for a result, including rounding; jacobi.h derives them. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "jacobi.h"

static const double MADE = 16 * DBL_EPSILON; /* of q: rounded pi, h, f and products */

/* The largest power of 2 below x. */
static double power_below(double x)
{
  int exponent;
  if (x == 0) return 0;
  return frexp(x, &exponent) == .5 ? ldexp(1, exponent - 2) : ldexp(1, exponent - 1);
}

/* Bound on the rounding error of a sweep over values of at most `largest`, with a source of at most `heat`. Products
 * may be subnormal. */
static double rounding_of(bool is_float, double largest, double heat)
{
  const double unit = (is_float ? FLT_EPSILON : DBL_EPSILON) / 2;
  const double least = is_float ? FLT_TRUE_MIN : DBL_TRUE_MIN, sums = 2 * unit * power_below(largest) + least;
  if (heat == 0) return sums;
  return sums + unit * power_below(largest + heat) + (MADE + (is_float ? unit : 0)) * heat + least;
}

hg_status jacobi_look(jacobi *j, hg_run *run)
{
  const double unit = j->is_float ? FLT_EPSILON / 2 : 2 * DBL_EPSILON; /* sines at the sides are not exact */
  const bool begins = isnan(run->reduction);
  hg_summary s;
  HG_TRY(hg_run_summary(run, &s));
  j->heat = j->largest;
  hg_session_max(&run->session, &j->heat);
  j->held = fmax(-s.smallest, s.largest) + (begins ? jacobi_bound(j) * j->heat : run->reduction);
  j->rounding = rounding_of(j->is_float, j->held, j->heat);
  j->sides = unit * power_below(j->held);
  j->certain[0] = j->certain[1] = INFINITY;
  return HG_OK;
}

/* Rounds up, for the rounding of the bounds themselves. */
static double rounded_up(double x)
{
  return x * (1 + 16 * DBL_EPSILON);
}

/* --- from the result itself ----------------------------------------------------------------- */

/* Rows y - 1, y, y + 1 of r = M u + q - u; 0 on the sides. */
typedef struct residuals {
  const hg_field *u, *q; /* q->values NULL: none */
  long double *row[3];
} residuals;

static void find_row(const residuals *s, int64_t y)
{
  const int64_t n = s->u->n[0];
  long double *r = s->row[y % 3];
  for (int64_t x = 0; x < n; x++) {
    const int64_t i = x + n * y;
    r[x] = 0;
    if (x == 0 || y == 0 || x == n - 1 || y == s->u->n[1] - 1) continue;
    const long double sum = ((long double)hg_field_get(s->u, i - 1) + hg_field_get(s->u, i + 1)) +
                            ((long double)hg_field_get(s->u, i - n) + hg_field_get(s->u, i + n));
    r[x] = sum / 4 + (s->q->values ? hg_field_get(s->q, i) : 0) - hg_field_get(s->u, i);
  }
}

/* The largest |r + M r| and |r|. */
static void find_largest(const residuals *s, double largest[2])
{
  largest[0] = largest[1] = 0;
  for (int64_t y = 0; y < s->u->n[1]; y++) {
    find_row(s, y);
    for (int64_t x = 1; y >= 2 && x < s->u->n[0] - 1; x++) {
      const long double *above = s->row[y % 3], *r = s->row[(y - 1) % 3], *below = s->row[(y - 2) % 3];
      largest[0] = fmax(largest[0], (double)fabsl(r[x] + (r[x - 1] + r[x + 1] + above[x] + below[x]) / 4));
      largest[1] = fmax(largest[1], (double)fabsl(r[x]));
    }
  }
}

/* `slack` bounds the rounding of the residuals themselves and of q. */
static void bound_all(jacobi *j, const double largest[2], double slack)
{
  const double h = jacobi_spacing(j);
  j->certain[0] = rounded_up((largest[0] + 2 * slack) * (jacobi_bound(j) / 2 + .5) + j->sides);
  j->certain[1] = rounded_up((largest[1] + slack) * 4 / (h * h));
}

static hg_status find_all(jacobi *j, hg_run *run, const hg_field *u, hg_field *q, double largest[2])
{
  const hg_box whole = {{0, 0, 0}, {u->n[0], u->n[1], 1}};
  const size_t n = (size_t)u->n[0];
  long double *rows;
  if (j->heated) HG_TRY(hg_field_make_like(u, q));
  if (j->heated) HG_TRY(hg_run_fill_source(run, &whole, q->values));
  HG_TRY(hg_allocate("rows", 3 * n * sizeof *rows, (void **)&rows));
  find_largest(&(residuals){u, q, {rows, rows + n, rows + 2 * n}}, largest);
  free(rows);
  return HG_OK;
}

hg_status jacobi_certify(jacobi *j, hg_run *run)
{
  const double unit = j->is_float ? FLT_EPSILON / 2 : 0;
  double largest[2] = {0};
  hg_field u = {0}, q = {0};
  HG_TRY(jacobi_look(j, run));
  HG_TRY(hg_run_gather(run, &u));
  const hg_status status = run->session.rank == 0 ? find_all(j, run, &u, &q, largest) : HG_OK;
  hg_field_free(&u);
  hg_field_free(&q);
  HG_TRY(hg_session_agree(&run->session, status));
  for (int i = 0; i < 2; i++) hg_session_max(&run->session, &largest[i]);
  bound_all(j, largest, 8 * (double)LDBL_EPSILON * j->held + (unit + MADE) * j->heat);
  return HG_OK;
}

double jacobi_error(const jacobi *j)
{
  return fmin(rounded_up((j->context.run->reduction + j->rounding) * jacobi_bound(j) + j->sides), j->certain[0]);
}

double jacobi_error_norm(const jacobi *j)
{
  const double points = (double)j->n[0] * (double)j->n[1];
  const double by_change = (j->norm + j->rounding * sqrt(points)) * jacobi_bound_of_norm(j) + j->sides * sqrt(points);
  return rounded_up(fmin(by_change, jacobi_error(j) * sqrt(points)));
}

double jacobi_residual(const jacobi *j)
{
  const double h = jacobi_spacing(j);
  return fmin(rounded_up((j->context.run->reduction + j->rounding) * 4 / (h * h)), j->certain[1]);
}

static void at_most(double *least, double value)
{
  if (*least == 0 || value < *least) *least = value;
}

/* Never returns 0, which means none. */
double jacobi_change_wanted(const jacobi *j, bool exact)
{
  const double h = jacobi_spacing(j), rounding = exact ? 0 : j->rounding, sides = exact ? 0 : j->sides;
  double wanted = j->tolerance;
  if (j->residual > 0) at_most(&wanted, j->residual / rounded_up(1) * h * h / 4 - rounding);
  if (j->error > 0) at_most(&wanted, (j->error / rounded_up(1) - sides) / jacobi_bound(j) - rounding);
  return wanted;
}

static bool is_certain(const jacobi *j, double change)
{
  return (j->tolerance == 0 || change <= j->tolerance) && (j->residual == 0 || jacobi_residual(j) <= j->residual) &&
         (j->error == 0 || jacobi_error(j) <= j->error);
}

hg_status jacobi_tolerance(hg_run *run, void *arg, double *tolerance)
{
  jacobi *j = arg;
  j->context.run = run;
  if (run->stalled || run->graph->ended) {
    HG_TRY(jacobi_certify(j, run));
    *tolerance = is_certain(j, run->reduction) ? INFINITY : 0;
    return HG_OK;
  }
  HG_TRY(jacobi_look(j, run));
  *tolerance = jacobi_change_wanted(j, false);
  if (j->mode.async && isnan(run->reduction)) *tolerance = fmax(jacobi_change_wanted(j, true) / 2, 2 * j->rounding);
  return HG_OK;
}

void jacobi_reached(const hg_job_context *l, int room, char *text)
{
  const jacobi *j = l->self;
  const double change = l->run->reduction;
  if (j->error > 0 && jacobi_error(j) > j->error)
    snprintf(text, (size_t)room, "the error is at most %.4g, --error %g", jacobi_error(j) * 1.0005, j->error);
  else if (j->residual > 0 && jacobi_residual(j) > j->residual)
    snprintf(text, (size_t)room, "|f + lap u| is at most %.4g, --residual %g", jacobi_residual(j) * 1.0005,
             j->residual);
  else
    snprintf(text, (size_t)room, "the change is %.4g, --tolerance %g", change, j->tolerance);
}
