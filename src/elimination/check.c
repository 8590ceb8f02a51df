/* SPDX-License-Identifier: MIT */
#include "elimination/check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/blas.h"
#include "base/memory.h"

/* Unit roundoff of a precision, as used in the tests. */
static double epsilon(hg_precision p)
{
  return p == HG_FLOAT ? FLT_EPSILON / 2. : DBL_EPSILON / 2;
}

static double value_at(const hg_lu_tile_view *t, bool is_float, int row, int col)
{
  const int64_t at = row + (int64_t)col * t->ld;
  return is_float ? (double)((const float *)t->values)[at] : ((const double *)t->values)[at];
}

typedef struct scan {
  hg_precision precision;
  double largest, log10;
  int negative, zero;
} scan;

/* Largest |u_ij| (NaN if any is), and logarithm and signs of the diagonal. */
static hg_status scan_tile(void *arg, const hg_lu_tile_view *t)
{
  scan *s = arg;
  for (int j = 0; j < t->cols; j++)
    for (int i = 0; i < t->rows && t->row + i <= t->col + j; i++) {
      double u = value_at(t, s->precision == HG_FLOAT, i, j);
      if (!(fabs(u) <= s->largest)) s->largest = fabs(u);
      if (t->row + i < t->col + j) continue;
      s->log10 += log10(fabs(u));
      s->negative += signbit(u) != 0;
      s->zero += u == 0;
    }
  return HG_OK;
}

hg_status hg_lu_growth(const hg_session *session, hg_elimination *e, double *growth)
{
  const double norm = hg_elimination_metadata(e)->norm_max;
  scan s = {.precision = hg_elimination_precision(e)};
  HG_TRY(hg_session_agree(session, hg_elimination_visit(e, false, scan_tile, &s)));
  hg_session_max(session, &s.largest);
  *growth = norm > 0 ? s.largest / norm : 0;
  return HG_OK;
}

hg_status hg_lu_determinant(const hg_session *session, hg_elimination *e, hg_lu_quality *q)
{
  const int64_t n = hg_elimination_size(e);
  scan s = {.precision = hg_elimination_precision(e)};
  int32_t *pivot = malloc((size_t)(n + 1) * sizeof *pivot);
  if (!pivot) return hg_fail(HG_MEMORY, "no memory for %lld pivots", (long long)n);
  hg_elimination_pivots(e, pivot);
  hg_status status = hg_session_agree(session, hg_elimination_visit(e, false, scan_tile, &s));
  double sums[3] = {s.log10, s.negative, s.zero};
  hg_session_sum_all(session, sums, 3);
  int64_t odd = (int64_t)sums[1];
  for (int64_t i = 0; i < n; i++) odd += pivot[i] != i + 1;
  free(pivot);
  q->has_determinant = true;
  q->sign = sums[2] > 0 ? 0 : odd % 2 ? -1 : 1;
  q->log10_determinant = sums[2] > 0 ? -HUGE_VAL : sums[0];
  return status;
}

static hg_status take_solution(void *arg, const hg_lu_tile_view *t)
{
  hg_field *x = arg;
  for (int i = 0; i < t->rows; i++)
    for (int j = 0; j < t->cols; j++)
      ((double *)x->values)[(t->row + i) * x->n[0] + t->col + j] = value_at(t, x->precision == HG_FLOAT, i, j);
  return HG_OK;
}

hg_status hg_lu_solution(const hg_session *session, hg_elimination *e, const hg_lu_problem *p, hg_field *x)
{
  *x = (hg_field){
      .dims = 2, .n = {hg_matrix_cols(p->b), hg_matrix_rows(p->b), 1}, .precision = p->precision, .name = "solution"};
  HG_TRY(hg_session_agree(session, hg_allocate("the solution", (size_t)hg_field_cells(x) * 8 + 8, &x->values)));
  HG_TRY(hg_session_agree(session, hg_elimination_visit(e, true, take_solution, x)));
  hg_session_sum_all(session, x->values, hg_field_cells(x));
  x->precision = HG_DOUBLE;
  return HG_OK;
}

/* Visits the tiles together with A, which is read again. */
typedef struct comparison {
  const hg_lu_problem *problem;
  const hg_field *x;
  double *sum;   /* residual: [n][nrhs]; factors: [n] */
  double *value; /* a tile of A */
  int64_t room;
} comparison;

static hg_status read_again(comparison *c, const hg_lu_tile_view *t)
{
  const int64_t size = (int64_t)t->rows * t->cols;
  if (size > c->room) {
    free(c->value);
    c->room = 0;
    HG_TRY(hg_allocate("a tile", (size_t)size * sizeof(double), (void **)&c->value));
    c->room = size;
  }
  HG_TRY(hg_matrix_read(c->problem->a, t->row, t->col, t->rows, t->cols, c->value, t->rows));
  for (int64_t i = 0; i < size && c->problem->precision == HG_FLOAT; i++) c->value[i] = (double)(float)c->value[i];
  return HG_OK;
}

static hg_status add_product(void *arg, const hg_lu_tile_view *t)
{
  comparison *c = arg;
  const int nrhs = (int)c->x->n[0];
  HG_TRY(read_again(c, t));
  hg_dgemm('N', 'T', nrhs, t->rows, t->cols, 1, (const double *)c->x->values + t->col * nrhs, nrhs, c->value, t->rows,
           1, c->sum + t->row * nrhs, nrhs);
  return HG_OK;
}

/* Worst column of |sum - B|, scaled. */
static hg_status worst_residual(hg_elimination *e, const comparison *c, double *worst)
{
  const int64_t n = c->x->n[1], nrhs = c->x->n[0];
  double *b;
  HG_TRY(hg_allocate("a right-hand side", (size_t)n * sizeof *b + 8, (void **)&b));
  hg_status status = HG_OK;
  *worst = 0;
  for (int64_t j = 0; j < nrhs && status == HG_OK; j++) {
    double r = 0, norm_x = 0, norm_b = 0;
    status = hg_matrix_read(c->problem->b, 0, j, n, 1, b, n);
    for (int64_t i = 0; i < n && status == HG_OK; i++) {
      double value = c->problem->precision == HG_FLOAT ? (double)(float)b[i] : b[i];
      double x = ((const double *)c->x->values)[i * nrhs + j], difference = c->sum[i * nrhs + j] - value;
      r = fabs(difference) <= r ? r : fabs(difference);
      norm_x = fabs(x) <= norm_x ? norm_x : fabs(x);
      norm_b = fabs(value) <= norm_b ? norm_b : fabs(value);
    }
    double scale = hg_elimination_metadata(e)->norm_inf * norm_x + norm_b;
    double scaled = r == 0 ? 0 : r / scale / epsilon(c->problem->precision) / (double)n;
    if (!(scaled <= *worst)) *worst = scaled;
  }
  free(b);
  return status;
}

hg_status hg_lu_residual(const hg_session *session, hg_elimination *e, const hg_lu_problem *p, const hg_field *x,
                         double *residual)
{
  comparison c = {.problem = p, .x = x};
  const int64_t cells = hg_field_cells(x);
  hg_status status = hg_allocate("the residual", (size_t)cells * sizeof(double) + 8, (void **)&c.sum);
  if (status == HG_OK) status = hg_elimination_visit(e, false, add_product, &c);
  status = hg_session_agree(session, status);
  if (status == HG_OK) {
    hg_session_sum_all(session, c.sum, cells);
    status = worst_residual(e, &c, residual);
  }
  free(c.sum);
  free(c.value);
  return status;
}

static hg_status add_difference(void *arg, const hg_lu_tile_view *t)
{
  comparison *c = arg;
  HG_TRY(read_again(c, t));
  for (int j = 0; j < t->cols; j++)
    for (int i = 0; i < t->rows; i++)
      c->sum[t->col + j] +=
          fabs(value_at(t, c->problem->precision == HG_FLOAT, i, j) - c->value[i + (int64_t)j * t->rows]);
  return HG_OK;
}

hg_status hg_lu_factors_error(const hg_session *session, hg_elimination *e, const hg_lu_problem *p, double *ratio)
{
  comparison c = {.problem = p};
  const int64_t n = hg_elimination_size(e);
  const double norm = hg_elimination_metadata(e)->norm_1;
  hg_status status = hg_allocate("the norm", (size_t)n * sizeof(double) + 8, (void **)&c.sum);
  if (status == HG_OK) status = hg_elimination_visit(e, false, add_difference, &c);
  status = hg_session_agree(session, status);
  if (status == HG_OK) {
    double largest = 0;
    hg_session_sum_all(session, c.sum, n);
    for (int64_t j = 0; j < n; j++)
      if (!(c.sum[j] <= largest)) largest = c.sum[j];
    *ratio = largest == 0 ? 0 : largest / norm / (double)n / epsilon(p->precision);
  }
  free(c.sum);
  free(c.value);
  return status;
}
