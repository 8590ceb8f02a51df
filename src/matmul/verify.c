/* SPDX-License-Identifier: MIT */
#include "matmul/verify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/random.h"

enum { VECTORS = 8, CHUNK = 512 /* rows and columns read at a time */ };

static double epsilon(hg_precision p)
{
  return p == HG_FLOAT ? FLT_EPSILON : DBL_EPSILON;
}

/* The smallest positive number, which is more than a product loses by underflow. */
static double least_number(hg_precision p)
{
  return p == HG_FLOAT ? FLT_TRUE_MIN : DBL_TRUE_MIN;
}

/* Reads a part of a source matrix, rounded as for the product. */
static hg_status read_values(const hg_matmul_problem *p, const hg_matrix *matrix, int64_t row, int64_t col,
                             int64_t rows, int64_t cols, double *out, int64_t ld)
{
  HG_TRY(hg_matrix_read(matrix, row, col, rows, cols, out, ld));
  for (int64_t j = 0; j < cols && p->precision == HG_FLOAT; j++)
    for (int64_t i = 0; i < rows; i++) out[i + j * ld] = (double)(float)out[i + j * ld];
  return HG_OK;
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Of a row. Squares of doubles may be too large or too small for a double. */
static long double sum_of_squares(const double *value, int64_t stride, int64_t cols)
{
  long double sum = 0;
  for (int64_t j = 0; j < cols; j++) sum += (long double)value[j * stride] * value[j * stride];
  return sum;
}

/* Sums for some rows, one per vector, and the rounding errors of these sums. */
typedef struct strip {
  double value[VECTORS][CHUNK], lost[VECTORS][CHUNK];
} strip;

/* Adds the columns' multiples by Knuth's two-sum, so that the check itself has only the rounding error of a single
 * addition, however long the sums are. For the products this is at most |A_i| |Bx| eps / 2. */
static void add_columns(strip *s, const double *column, int rows, int cols, const double *x, int64_t ld)
{
  for (int j = 0; j < cols; j++, column += rows)
    for (int v = 0; v < VECTORS; v++) {
      double *restrict value = s->value[v], *restrict lost = s->lost[v];
      for (int i = 0; i < rows; i++) {
        const double term = column[i] * x[j + v * ld], sum = value[i] + term, added = sum - value[i];
        lost[i] += (value[i] - (sum - added)) + (term - added);
        value[i] = sum;
      }
    }
}

static void take_sums(const strip *s, int rows, double *y, int64_t ld)
{
  for (int v = 0; v < VECTORS; v++)
    for (int i = 0; i < rows; i++) y[i + v * ld] = s->value[v][i] + s->lost[v][i];
}

/* y = M x for this rank's chunks of rows; norm[row] = that of a row of M. All are [rows][VECTORS] by columns. */
static hg_status times(const hg_session *s, const hg_matmul_problem *p, const hg_matrix *matrix, const double *x,
                       double *y, double *norm)
{
  const int64_t rows = hg_matrix_rows(matrix), cols = hg_matrix_cols(matrix);
  double *tile;
  HG_TRY(hg_allocate("a part of a matrix", sizeof *tile * CHUNK * CHUNK, (void **)&tile));
  hg_status status = HG_OK;
  for (int64_t i = (int64_t)s->rank * CHUNK; i < rows; i += (int64_t)s->ranks * CHUNK) {
    const int m = (int)least(CHUNK, rows - i);
    long double square[CHUNK] = {0};
    strip sums = {0};
    for (int64_t j = 0; j < cols && status == HG_OK; j += CHUNK) {
      const int n = (int)least(CHUNK, cols - j);
      status = read_values(p, matrix, i, j, m, n, tile, m);
      if (status != HG_OK) break;
      add_columns(&sums, tile, m, n, x + j, cols);
      for (int r = 0; r < m; r++) square[r] += sum_of_squares(tile + r, m, n);
    }
    take_sums(&sums, m, y + i, rows);
    for (int r = 0; r < m; r++) norm[i + r] = (double)sqrtl(square[r]);
  }
  free(tile);
  return status;
}

/* Reads some rows of a column of C. */
static void read_product(const hg_matmul_part *part, int64_t row, int64_t col, int rows, double *out)
{
  const void *column = hg_matmul_part_c(part, row, col);
  const bool is_float = part->problem->precision == HG_FLOAT;
  for (int i = 0; i < rows; i++) out[i] = is_float ? (double)((const float *)column)[i] : ((const double *)column)[i];
}

/* y = C x for this rank's part. */
static void times_part(const hg_matmul_part *part, const double *x, double *y)
{
  const hg_matmul_problem *p = part->problem;
  for (int64_t i = part->box.lo[1]; i < part->box.hi[1]; i += CHUNK) {
    const int rows = (int)least(CHUNK, part->box.hi[1] - i);
    double column[CHUNK];
    strip sums = {0};
    for (int64_t j = part->box.lo[0]; j < part->box.hi[0]; j++) {
      read_product(part, i, j, rows, column);
      add_columns(&sums, column, rows, 1, x + j, p->n);
    }
    take_sums(&sums, rows, y + i, p->m);
  }
}

/* The vectors of the test. */
typedef struct vectors {
  double *x, *bx, *abx, *cx; /* [n], [k], [m], [m] of VECTORS each */
  double *norm_b, *norm_a;   /* [k], [m]: of rows */
} vectors;

static hg_status make(const hg_matmul_problem *p, uint64_t seed, vectors *v, void **memory)
{
  const int64_t values = VECTORS * (p->n + p->k + 2 * p->m) + p->k + p->m;
  HG_TRY(hg_allocate("the vectors of Freivalds' test", (size_t)values * sizeof(double), memory));
  v->x = *memory;
  v->bx = v->x + VECTORS * p->n;
  v->abx = v->bx + VECTORS * p->k;
  v->cx = v->abx + VECTORS * p->m;
  v->norm_b = v->cx + VECTORS * p->m;
  v->norm_a = v->norm_b + p->k;
  for (int64_t i = 0; i < VECTORS * p->n; i++) v->x[i] = hg_random_unit(seed, (uint64_t)i) < .5 ? -1 : 1;
  return HG_OK;
}

/* A NaN is the worst. */
static double worse(double a, double b)
{
  return isnan(a) || a >= b ? a : b;
}

static double worst(const hg_matmul_problem *p, const vectors *v)
{
  double ratio = 0;
  const long double scale = 8 * epsilon(p->precision) * sqrtl((long double)p->k * sum_of_squares(v->norm_b, 1, p->k));
  const long double lost = (long double)p->k * (long double)p->n * least_number(p->precision);
  for (int64_t i = 0; i < VECTORS * p->m; i++) {
    const double error = fabs(v->cx[i] - v->abx[i]);
    ratio = worse(ratio, (double)(error / (scale * v->norm_a[i % p->m] + lost)));
  }
  return ratio;
}

hg_status hg_matmul_freivalds(const hg_matmul_part *part, uint64_t seed, double *ratio)
{
  const hg_session *s = part->session;
  const hg_matmul_problem *p = part->problem;
  vectors v = {0};
  void *memory = NULL;
  HG_TRY(hg_session_agree(s, make(p, seed, &v, &memory)));
  hg_status status = hg_session_agree(s, times(s, p, p->b, v.x, v.bx, v.norm_b));
  if (status == HG_OK) {
    hg_session_sum_all(s, v.bx, VECTORS * p->k);
    hg_session_sum_all(s, v.norm_b, p->k);
    status = hg_session_agree(s, times(s, p, p->a, v.bx, v.abx, v.norm_a));
  }
  if (status == HG_OK) {
    if (hg_box_cells(&part->box) > 0) times_part(part, v.x, v.cx);
    hg_session_sum_all(s, v.abx, VECTORS * p->m);
    hg_session_sum_all(s, v.norm_a, p->m);
    hg_session_sum_all(s, v.cx, VECTORS * p->m);
    *ratio = worst(p, &v);
  }
  free(memory);
  return status;
}

static void take_modulus(double *value, int64_t count)
{
  for (int64_t i = 0; i < count; i++) value[i] = fabs(value[i]);
}

static void multiply(const hg_matmul_problem *p, const double *a, const double *b, double *c)
{
  hg_dgemm('N', 'N', (int)p->m, (int)p->n, (int)p->k, 1, a, (int)p->m, b, (int)p->k, 0, c, (int)p->m);
}

hg_status hg_matmul_compare(const hg_matmul_problem *p, const hg_field *c, double *ratio)
{
  const int64_t a_size = p->m * p->k, b_size = p->k * p->n, c_size = p->m * p->n;
  double *a;
  HG_TRY(hg_allocate("matrices to compare with", (size_t)(a_size + b_size + 2 * c_size) * sizeof *a, (void **)&a));
  double *b = a + a_size, *right = b + b_size, *bound = right + c_size;
  hg_status status = read_values(p, p->a, 0, 0, p->m, p->k, a, p->m);
  if (status == HG_OK) status = read_values(p, p->b, 0, 0, p->k, p->n, b, p->k);
  if (status == HG_OK) {
    multiply(p, a, b, right);
    take_modulus(a, a_size + b_size);
    multiply(p, a, b, bound);
    *ratio = 0;
  }
  for (int64_t i = 0; i < c_size && status == HG_OK; i++) {
    const double error = fabs(hg_field_get(c, i % p->m * p->n + i / p->m) - right[i]);
    *ratio = worse(*ratio, error / ((double)p->k * (epsilon(p->precision) * bound[i] + least_number(p->precision))));
  }
  free(a);
  return status;
}
