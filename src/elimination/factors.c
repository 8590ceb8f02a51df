/* SPDX-License-Identifier: MIT */
#include "elimination/factors.h"

#include <hdf5.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "input/grid.h"
#include "result/hdf5_writer.h"
#include "result/hdf5_trailer.h"

static void exchange(double *a, int64_t stride, int64_t width, int64_t i, int64_t other)
{
  for (int64_t c = 0; c < width && i != other; c++) {
    double kept = a[i * stride + c];
    a[i * stride + c] = a[other * stride + c];
    a[other * stride + c] = kept;
  }
}

/* A block column of the factors, row by row, on every rank. */
typedef struct block_column {
  int64_t col, cols;
  double *value; /* [n][cols] */
  bool is_float;
} block_column;

static hg_status take(void *arg, const hg_lu_tile_view *t)
{
  block_column *b = arg;
  if (t->col != b->col) return HG_OK;
  for (int i = 0; i < t->rows; i++)
    for (int j = 0; j < t->cols; j++) {
      const int64_t at = i + (int64_t)j * t->ld;
      b->value[(t->row + i) * b->cols + j] =
          b->is_float ? (double)((const float *)t->values)[at] : ((const double *)t->values)[at];
    }
  return HG_OK;
}

typedef struct output {
  hg_hdf5_writer writer;
  hid_t set, space;
  int64_t n;
} output;

static bool write_columns(const output *o, const block_column *b)
{
  const hsize_t start[2] = {0, (hsize_t)b->col}, count[2] = {(hsize_t)o->n, (hsize_t)b->cols};
  hid_t memory = H5Screate_simple(2, count, NULL);
  bool good = H5Sselect_hyperslab(o->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
              H5Dwrite(o->set, H5T_NATIVE_DOUBLE, memory, o->space, H5P_DEFAULT, b->value) >= 0;
  H5Sclose(memory);
  return good;
}

static bool write_pivots(const output *o, const int32_t *pivot)
{
  hid_t space = H5Screate_simple(1, (hsize_t[]){(hsize_t)o->n}, NULL);
  hid_t set = (hid_t)hg_hdf5_dataset(&o->writer, "pivots", H5T_NATIVE_INT32, space);
  bool good = set >= 0 && H5Dwrite(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, pivot) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  return good;
}

static bool create(hg_elimination *e, output *o)
{
  const hsize_t shape[2] = {(hsize_t)o->n, (hsize_t)o->n};
  const hid_t type = hg_elimination_precision(e) == HG_FLOAT ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  o->space = H5Screate_simple(2, shape, NULL);
  o->set = (hid_t)hg_hdf5_dataset(&o->writer, "lu", type, o->space);
  return o->set >= 0 && hg_hdf5_put(o->set, "info", H5T_NATIVE_INT64, &hg_elimination_metadata(e)->info);
}

static bool finish(output *o)
{
  bool good = o->set < 0 || H5Dclose(o->set) >= 0;
  H5Sclose(o->space);
  return good;
}

/* For each block column: gathered, exchanged as in LAPACK, written by rank 0. */
static hg_status write_all(const hg_session *s, hg_elimination *e, const char *path, const int32_t *pivot,
                           double *value)
{
  output o = {.set = -1, .n = hg_elimination_size(e)};
  const int64_t nb = hg_elimination_tile_rows(e);
  HG_TRY(hg_session_agree(s, s->rank == 0 ? hg_hdf5_begin(path, &o.writer) : HG_OK));
  bool good = s->rank != 0 || (create(e, &o) && write_pivots(&o, pivot));
  hg_status status = HG_OK;
  for (int64_t col = 0; col < o.n; col += nb) {
    block_column b = {col, o.n - col < nb ? o.n - col : nb, value, hg_elimination_precision(e) == HG_FLOAT};
    memset(value, 0, (size_t)(o.n * b.cols) * sizeof *value);
    status = hg_elimination_visit(e, false, take, &b);
    hg_session_sum_all(s, value, o.n * b.cols);
    for (int64_t i = col + b.cols; i < o.n; i++) exchange(value, b.cols, b.cols, i, pivot[i] - 1);
    if (s->rank == 0) good = good && write_columns(&o, &b);
  }
  if (s->rank == 0) {
    good = finish(&o) && good && status == HG_OK;
    const hg_status end = hg_hdf5_end(&o.writer, good, path);
    if (status == HG_OK) status = end;
  }
  return hg_session_agree(s, status);
}

hg_status hg_lu_factors_write(const hg_session *session, hg_elimination *e, const char *path)
{
  const size_t n = (size_t)hg_elimination_size(e), nb = (size_t)hg_elimination_tile_rows(e);
  double *value = NULL;
  hg_status status =
      hg_allocate("a column of the factors", n * nb * sizeof *value + n * sizeof(int32_t) + 8, (void **)&value);
  HG_TRY(hg_session_agree(session, status));
  int32_t *pivot = (int32_t *)(value + n * nb);
  hg_elimination_pivots(e, pivot);
  status = write_all(session, e, path, pivot, value);
  free(value);
  return status;
}

typedef struct source {
  const char *path;
  hg_hdf5_input lu;
} source;

/* The file is stored by rows, tiles by columns. */
static hg_status read_part(void *arg, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out, int64_t ld)
{
  source *s = arg;
  double *value;
  const hg_box box = {{col, row, 0}, {col + cols, row + rows, 1}};
  HG_TRY(hg_allocate("a column of the factors", (size_t)(rows * cols) * sizeof *value + 8, (void **)&value));
  hg_status status = hg_hdf5_read(&s->lu, s->path, &box, value);
  for (int64_t i = 0; i < rows && status == HG_OK; i++)
    for (int64_t j = 0; j < cols; j++) out[i + j * ld] = value[i * cols + j];
  free(value);
  return status;
}

static hg_status read_pivots(const char *path, int64_t n, int32_t *pivot)
{
  hg_hdf5_input in;
  double *value;
  HG_TRY(hg_hdf5_open(path, "pivots", &in));
  hg_status status =
      in.dims == 1 && in.n[0] == n ? HG_OK : hg_fail(HG_FORMAT, "%s: does not hold %" PRId64 " pivots", path, n);
  if (status == HG_OK) status = hg_allocate("pivots", (size_t)n * sizeof *value + 8, (void **)&value);
  if (status == HG_OK) {
    status = hg_hdf5_read(&in, path, &(hg_box){{0, 0, 0}, {n, 1, 1}}, value);
    for (int64_t i = 0; i < n && status == HG_OK; i++)
      if (value[i] >= (double)(i + 1) && value[i] <= (double)n)
        pivot[i] = (int32_t)value[i];
      else
        status = hg_fail(HG_FORMAT, "%s: pivot %" PRId64 " is row %.15g, must be from %" PRId64 " to %" PRId64, path,
                         i + 1, value[i], i + 1, n);
    free(value);
  }
  hg_hdf5_close(&in);
  return status;
}

static hg_status read_all(hg_elimination *e, source *s, int32_t *pivot)
{
  const int64_t n = hg_elimination_size(e);
  int64_t info = 0;
  if (s->lu.dims != 2 || s->lu.n[0] != n || s->lu.n[1] != n)
    return hg_fail(HG_FORMAT, "%s: holds factors of %" PRId64 " x %" PRId64 ", the matrix has %" PRId64 " rows",
                   s->path, s->lu.n[1], s->lu.n[0], n);
  HG_TRY(read_pivots(s->path, n, pivot));
  if (!hg_hdf5_get(s->lu.dataset, "info", H5T_NATIVE_INT64, &info) || info < 0 || info > n)
    return hg_fail(HG_FORMAT, "%s: has no info from 0 to %" PRId64, s->path, n);
  return hg_elimination_restore(e, pivot, info, read_part, s);
}

/* Factors solve a system only to the precision that they were rounded to. */
static hg_status check_precision(const char *path, hg_precision precision)
{
  hg_hdf5_input lu;
  HG_TRY(hg_hdf5_open(path, "lu", &lu));
  const hid_t type = H5Dget_type((hid_t)lu.dataset);
  const bool rounded = (int64_t)H5Tget_size(type) < hg_precision_bytes(precision);
  H5Tclose(type);
  hg_hdf5_close(&lu);
  if (!rounded) return HG_OK;
  return hg_fail(HG_INVALID, "%s: holds factors in single precision (float32), which need --precision float", path);
}

hg_status hg_lu_factors_check(const hg_session *session, const char *path, hg_precision precision)
{
  HG_TRY(hg_hdf5_check_trailer(session, path, "file of factors"));
  return hg_session_agree(session, check_precision(path, precision));
}

hg_status hg_lu_factors_read(const hg_session *session, hg_elimination *e, const char *path)
{
  source s = {.path = path};
  int32_t *pivot = malloc((size_t)(hg_elimination_size(e) + 1) * sizeof *pivot);
  hg_status status = hg_session_agree(session, pivot ? HG_OK : hg_fail(HG_MEMORY, "no memory for the pivots"));
  if (status == HG_OK) status = hg_hdf5_open(path, "lu", &s.lu);
  status = hg_session_agree(session, status);
  if (status == HG_OK) {
    status = read_all(e, &s, pivot);
    hg_hdf5_close(&s.lu);
  }
  free(pivot);
  return hg_session_agree(session, status);
}

/* Reads a whole matrix in LAPACK's layout. */
static hg_status read_whole(const hg_matrix *a, hg_precision precision, int64_t n, void **out)
{
  double *values;
  HG_TRY(hg_allocate("the matrix for LAPACK", (size_t)(n * n) * sizeof *values + 8, (void **)&values));
  hg_status status = hg_matrix_read(a, 0, 0, n, n, values, n);
  for (int64_t i = 0; precision == HG_FLOAT && status == HG_OK && i < n * n; i++) {
    float rounded = (float)values[i];
    memcpy((char *)values + i * (int64_t)sizeof rounded, &rounded, sizeof rounded);
  }
  if (status != HG_OK)
    free(values);
  else
    *out = values;
  return status;
}

/* LAPACK's factors, and the factors that they are compared with. */
typedef struct reference {
  int64_t n;
  const void *lu;
  const int32_t *pivot;
  bool is_float;
  int64_t info;
  const int32_t *own_pivot;
  const double *own_diagonal;
  int64_t own_info;
} reference;

static double factor_at(const reference *r, int64_t row, int64_t col)
{
  const int64_t at = row + col * r->n;
  return fabs(r->is_float ? (double)((const float *)r->lu)[at] : ((const double *)r->lu)[at]);
}

/* Size of `row` as a candidate for pivot i, relative to the row that LAPACK took: the multiplier that LAPACK has for
 * it, wherever later exchanges have moved it. */
static double relative_size(const reference *r, int64_t i, int64_t row)
{
  int64_t at = row == i ? r->pivot[i] - 1 : row;
  for (int64_t later = i + 1; later < r->n; later++) {
    if (at == later)
      at = r->pivot[later] - 1;
    else if (at == r->pivot[later] - 1)
      at = later;
  }
  return at == i ? 1 : factor_at(r, at, i);
}

/* Bound on the rounding error in column i: 10 n eps times the column's largest value. |LU - PA| <= n eps |L| |U|
 * (Higham, Accuracy and Stability of Numerical Algorithms, theorem 9.3); ten times, since pivots that are not much
 * larger amplify it. */
static double rounding_of(const reference *r, int64_t i)
{
  double largest = 0;
  for (int64_t k = 0; k <= i; k++) largest = fmax(largest, factor_at(r, k, i));
  return 10 * (double)r->n * (r->is_float ? (double)FLT_EPSILON : DBL_EPSILON) * largest;
}

/* Whether rounding decides the order of two candidates for pivot i. */
static bool is_tie(const reference *r, int64_t i, double size)
{
  const double tie = r->is_float ? (double)r->n * FLT_EPSILON : 1e-6, less = fabs(size - 1);
  return less < tie || less * factor_at(r, i, i) <= rounding_of(r, i) || isnan(size);
}

/* If a pivot is rounding error, so are all rows below it. Our pivot must be as small then. */
static hg_status compare_noise(const reference *r, int64_t i, double noise)
{
  if (!(r->own_diagonal[i] > 3 * noise)) return HG_OK;
  return hg_fail(HG_MISMATCH, "verify: pivot %" PRId64 " is %.3g, LAPACK's is a rounding error of at most %.3g", i + 1,
                 r->own_diagonal[i], noise);
}

static hg_status compare(const reference *r, int64_t *compared)
{
  for (*compared = 0; *compared < r->n; ++*compared) {
    const int64_t i = *compared;
    const double noise = rounding_of(r, i);
    if (factor_at(r, i, i) <= noise) return compare_noise(r, i, noise);
    if (r->own_pivot[i] == r->pivot[i]) continue;
    const double size = relative_size(r, i, r->own_pivot[i] - 1);
    if (is_tie(r, i, size)) return HG_OK;
    return hg_fail(HG_MISMATCH, "verify: pivot %" PRId64 " is row %d, LAPACK's is row %d, which is larger by 1 / %.9g",
                   i + 1, r->own_pivot[i], r->pivot[i], size);
  }
  if (r->own_info != r->info)
    return hg_fail(HG_MISMATCH, "verify: info is %" PRId64 ", LAPACK's is %" PRId64, r->own_info, r->info);
  return HG_OK;
}

typedef struct diagonal {
  double *value;
  bool is_float;
} diagonal;

static hg_status take_diagonal(void *arg, const hg_lu_tile_view *t)
{
  const diagonal *d = arg;
  for (int i = 0; i < t->rows && t->row == t->col; i++) {
    const int64_t at = i + (int64_t)i * t->ld;
    d->value[t->row + i] = fabs(d->is_float ? (double)((const float *)t->values)[at] : ((const double *)t->values)[at]);
  }
  return HG_OK;
}

static hg_status verify(hg_elimination *e, const hg_lu_problem *p, const double *own_diagonal, int64_t *compared)
{
  const int64_t n = hg_elimination_size(e);
  const bool is_float = p->precision == HG_FLOAT;
  void *a;
  int32_t *pivot = calloc(2 * (size_t)n + 1, sizeof *pivot), *expected = pivot + n;
  if (!pivot) return hg_fail(HG_MEMORY, "no memory for %" PRId64 " pivots", n);
  hg_elimination_pivots(e, pivot);
  hg_status status = read_whole(p->a, p->precision, n, &a);
  if (status == HG_OK) {
    const int order = (int)n, ld = order > 0 ? order : 1;
    const int info = is_float ? hg_sgetrf(order, order, a, ld, expected) : hg_dgetrf(order, order, a, ld, expected);
    const reference r = {n, a, expected, is_float, info, pivot, own_diagonal, hg_elimination_metadata(e)->info};
    status = compare(&r, compared);
    free(a);
  }
  free(pivot);
  return status;
}

hg_status hg_lu_verify_pivots(const hg_session *session, hg_elimination *e, const hg_lu_problem *p, int64_t *compared)
{
  const int64_t n = hg_elimination_size(e);
  diagonal d = {.is_float = p->precision == HG_FLOAT};
  hg_status status = hg_allocate("pivots", (size_t)n * sizeof *d.value + 8, (void **)&d.value);
  if (status == HG_OK) status = hg_elimination_visit(e, false, take_diagonal, &d);
  status = hg_session_agree(session, status);
  if (status == HG_OK) {
    hg_session_sum_all(session, d.value, n);
    status = hg_session_agree(session, session->rank == 0 ? verify(e, p, d.value, compared) : HG_OK);
  }
  free(d.value);
  return status;
}
