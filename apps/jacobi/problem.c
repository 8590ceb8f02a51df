/* SPDX-License-Identifier: MIT */
/* The problems: their start, their sources, and what is known about them. */
#include <math.h>
#include <string.h>

#include "input/georeference.h"
#include "jacobi.h"

/* Distances between points of a map in m; 0: it has no coordinates, or there is no map. */
static hg_status read_map(const hg_job *job, bool needed, double spacing[2])
{
  double origin[2];
  hg_grid_input *in;
  spacing[0] = spacing[1] = 0;
  if (job->init || !hg_grid_is_file(job->input)) return HG_OK;
  HG_TRY(hg_job_open_field(job, false, true, &in));
  const bool placed = hg_georeference_places(hg_grid_where(in), origin, spacing);
  const bool in_degrees = placed && hg_georeference_unit(hg_grid_where(in)) == HG_GEO_DEGREES;
  hg_grid_close(in);
  for (int a = 0; a < 2; a++) spacing[a] = placed && !in_degrees ? fabs(spacing[a]) : 0;
  if (!in_degrees || !needed) return HG_OK;
  return hg_fail(HG_INVALID,
                 "--problem: the coordinates of %s are in degrees, so --spacing must give the distance of its cells "
                 "in m",
                 job->input);
}

static bool differ(double a, double b)
{
  return fabs(a - b) > 1e-9 * fabs(a);
}

static hg_status check_axes(const char *what, const double spacing[2])
{
  static const double LEAST = 1e-100; /* squares and their inverses must be doubles */
  if (differ(spacing[0], spacing[1]))
    return hg_fail(HG_INVALID, "%s: points are %g apart along x and %g along y, must be equal", what, spacing[0],
                   spacing[1]);
  if (spacing[0] >= LEAST && spacing[0] <= 1 / LEAST) return HG_OK;
  return hg_fail(HG_INVALID, "%s: points are %g apart, must be in %g..%g", what, spacing[0], LEAST, 1 / LEAST);
}

/* A map's distance is also written to files. */
hg_status jacobi_take_spacing(jacobi *j, const hg_job *job)
{
  hg_grid_options *g = &j->context.options.grid;
  double map[2];
  const bool given = g->spacings > 0;
  HG_TRY(read_map(job, !given, map));
  if (given) HG_TRY(check_axes("--spacing", g->spacing));
  if (map[0] > 0) HG_TRY(check_axes(job->input, map));
  if (given && map[0] > 0 && differ(g->spacing[0], map[0]))
    return hg_fail(HG_INVALID, "--spacing: %g, but the cells of %s are %g apart", g->spacing[0], job->input, map[0]);
  j->h = given ? g->spacing[0] : map[0];
  if (!given && j->h > 0) {
    g->spacings = 1;
    g->spacing[0] = g->spacing[1] = g->spacing[2] = j->h;
  }
  j->context.options.spacing = jacobi_spacing(j);
  return HG_OK;
}

double jacobi_spacing(const jacobi *j)
{
  return j->h > 0 ? j->h : 1 / (double)(j->n[0] - 1);
}

double jacobi_bound(const jacobi *j)
{
  const double n = (double)(j->n[0] < j->n[1] ? j->n[0] : j->n[1]) - 1;
  return n * n / 2;
}

/* 1 - cos a = 2 sin^2(a / 2), which avoids cancellation. */
double jacobi_bound_of_norm(const jacobi *j)
{
  const double x = sin(M_PI / 2 / (double)(j->n[0] - 1)), y = sin(M_PI / 2 / (double)(j->n[1] - 1));
  return 1 / (x * x + y * y);
}

double jacobi_rho(const jacobi *j)
{
  return (cos(M_PI / (double)(j->n[0] - 1)) + cos(M_PI / (double)(j->n[1] - 1))) / 2;
}

int64_t jacobi_halving(const jacobi *j)
{
  return (int64_t)ceil(2 * jacobi_bound_of_norm(j));
}

/* sin(pi i h), with exact argument reduction if i h is large. */
static double sine_by_spacing(int64_t i, double h)
{
  static const long double PI = 3.14159265358979323846264338327950288L;
  const double product = (double)i * h, rest = fma((double)i, h, -product);
  const long double x = (long double)fmod(product, 2) + rest;
  return x == 0 || x == 1 ? 0 : (double)sinl(PI * x);
}

/* sin(pi x) at point i of an axis, exactly 0 if x is an integer. */
static double arch(const jacobi *j, int64_t i)
{
  const int64_t n = j->n[0] - 1, within = i % n;
  if (j->h > 0) return sine_by_spacing(i, j->h);
  if (within == 0) return 0;
  const double sine = sin(M_PI * (double)within / (double)n);
  return i / n % 2 ? -sine : sine;
}

hg_status jacobi_start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  const jacobi *j = arg;
  (void)input;
  const bool last = cell->y == cell->n[1] - 1 && strcmp(j->problem, "laplace") == 0;
  const double u = last ? arch(j, cell->x) : 0;
  if (j->is_float)
    *(float *)value = (float)u;
  else
    *(double *)value = u;
  return HG_OK;
}

double jacobi_source(const hg_cell *cell, double f, void *arg)
{
  jacobi *j = arg;
  const double h = jacobi_spacing(j);
  if (strcmp(j->problem, "poisson") == 0) f = 2 * M_PI * M_PI * arch(j, cell->x) * arch(j, cell->y);
  const double q = h * h * f / 4;
  j->largest = fmax(j->largest, fabs(q));
  return q;
}

double jacobi_first_change(const jacobi *j)
{
  const double h = jacobi_spacing(j);
  if (j->field) return NAN;
  if (strcmp(j->problem, "laplace") == 0) {
    double largest = 0; /* in the last row */
    for (int64_t i = 0; i < j->n[0]; i++) largest = fmax(largest, fabs(arch(j, i)));
    return largest / 4;
  }
  return strcmp(j->problem, "poisson") == 0 ? h * h * M_PI * M_PI / 2 : NAN;
}

/* A sweep over the inner points, written independently of the kernels. */
#define SWEEP(TYPE)                                                                                                    \
  static void sweep_##TYPE(const int64_t n[2], const TYPE *u, TYPE *next, const TYPE *q)                               \
  {                                                                                                                    \
    for (int64_t y = 1; y < n[1] - 1; y++)                                                                             \
      for (int64_t x = 1; x < n[0] - 1; x++) {                                                                         \
        const int64_t i = x + n[0] * y;                                                                                \
        const TYPE sum = (u[i - 1] + u[i + 1]) / 4 + (u[i - n[0]] + u[i + n[0]]) / 4;                                  \
        next[i] = q ? sum + q[i] : sum;                                                                                \
      }                                                                                                                \
  }

SWEEP(double)
SWEEP(float)

static void sweep_all(hg_job_context *l, hg_field *state, hg_field *next, const void *q)
{
  const jacobi *j = l->self;
  hg_progress bar;
  hg_progress_begin(&bar, l->context.options->quiet ? HG_PROGRESS_OFF : l->context.options->progress, "verify",
                    l->run->done);
  memcpy(next->values, state->values, (size_t)(hg_field_cells(state) * hg_precision_bytes(state->precision)));
  for (int64_t i = 0; i < l->run->done; i++) {
    if (j->is_float)
      sweep_float(j->n, state->values, next->values, q);
    else
      sweep_double(j->n, state->values, next->values, q);
    void *values = state->values;
    state->values = next->values;
    next->values = values;
    hg_progress_update(&bar, i + 1);
  }
  hg_progress_end(&bar);
}

/* Allocates memory for a sweep, and its source. */
static hg_status prepare(hg_job_context *l, const hg_field *result, hg_field *next, hg_field *q)
{
  const hg_box whole = {{0, 0, 0}, {result->n[0], result->n[1], 1}};
  HG_TRY(hg_field_make_like(result, next));
  if (!l->run->source && !l->run->job->source_value) return HG_OK;
  HG_TRY(hg_field_make_like(result, q));
  return hg_run_fill_source(l->run, &whole, q->values);
}

static hg_status compare_all(hg_job_context *l, const hg_field *result, hg_field *state, hg_field *next, hg_field *q)
{
  const hg_box whole = {{0, 0, 0}, {result->n[0], result->n[1], 1}};
  HG_TRY(hg_field_make_like(result, state));
  HG_TRY(prepare(l, result, next, q));
  HG_TRY(hg_run_fill(l->run, &whole, state->values));
  sweep_all(l, state, next, q->values);
  return hg_field_compare(result, state);
}

hg_status jacobi_verify(hg_job_context *l, const hg_field *result)
{
  hg_field state = {0}, next = {0}, q = {0};
  if (l->run->first > 0) return hg_fail(HG_UNSUPPORTED, "--verify: not supported after --restart");
  const hg_status status = compare_all(l, result, &state, &next, &q);
  hg_field_free(&state);
  hg_field_free(&next);
  hg_field_free(&q);
  return status;
}

/* Largest |next - result|, with NaN winning, and the 2-norm. */
static double change_between(const hg_field *result, const hg_field *next, double *norm)
{
  double change = 0;
  hg_exact squares = {0};
  for (int64_t i = 0; i < hg_field_cells(result); i++) {
    const double d = fabs(hg_field_get(next, i) - hg_field_get(result, i));
    change = d > change || isnan(d) ? d : change;
  }
  const double scale = hg_change_scale(change);
  for (int64_t i = 0; i < hg_field_cells(result); i++) {
    const double d = (hg_field_get(next, i) - hg_field_get(result, i)) * scale;
    hg_exact_add(&squares, d * d);
  }
  *norm = sqrt(hg_exact_round(&squares)) / scale;
  return change;
}

static hg_status compare_change(hg_job_context *l, const hg_field *result, hg_field *next, hg_field *q)
{
  const jacobi *j = l->self;
  const size_t bytes = (size_t)(hg_field_cells(result) * hg_precision_bytes(result->precision));
  HG_TRY(prepare(l, result, next, q));
  memcpy(next->values, result->values, bytes);
  if (j->is_float)
    sweep_float(j->n, result->values, next->values, q->values);
  else
    sweep_double(j->n, result->values, next->values, q->values);
  double norm;
  const double change = change_between(result, next, &norm);
  if (change == l->run->reduction && norm == j->norm) return HG_OK;
  return hg_fail(HG_MISMATCH,
                 "--verify: a sweep changes the result by %.17g (2-norm %.17g), the run measured %.17g (%.17g)", change,
                 norm, l->run->reduction, j->norm);
}

hg_status jacobi_verify_change(hg_job_context *l, const hg_field *result)
{
  hg_field next = {0}, q = {0};
  const hg_status status = compare_change(l, result, &next, &q);
  hg_field_free(&next);
  hg_field_free(&q);
  return status;
}
