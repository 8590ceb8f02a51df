/* SPDX-License-Identifier: MIT */
#include "input/matrix.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "input/gunzip.h"
#include "base/memory.h"
#include "base/text.h"
#include "input/array.h"
#include "input/foreign.h"
#include "input/grid.h"

enum { DENSE_MAX = 1 << 30 }; /* rows: all indices of a matrix fit in 32 bits */

struct hg_matrix {
  char name[1024];
  int64_t rows, cols;
  uint64_t seed;
  hg_status (*read)(const hg_matrix *m, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out, int64_t ld);
  const hg_family *family;
  double *parameter;
  hg_mtx mtx;
  hg_array array;
  hg_hdf5_input hdf5;
};

static hg_status read_family(const hg_matrix *m, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                             int64_t ld)
{
  for (int64_t j = 0; j < cols; j++)
    for (int64_t i = 0; i < rows; i++)
      out[i + j * ld] = m->family->value(m->rows, row + i, col + j, m->parameter, m->seed);
  return HG_OK;
}

static hg_status read_mtx(const hg_matrix *m, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                          int64_t ld)
{
  const hg_mtx *s = &m->mtx;
  for (int64_t j = 0; j < cols; j++) {
    double *column = out + j * ld;
    if (!s->start) {
      memcpy(column, s->value + row + (col + j) * s->rows, (size_t)rows * sizeof *column);
      continue;
    }
    memset(column, 0, (size_t)rows * sizeof *column);
    for (int64_t at = s->start[col + j]; at < s->start[col + j + 1]; at++)
      if (s->row[at] >= row && s->row[at] < row + rows) column[s->row[at] - row] += s->value[at];
  }
  return HG_OK;
}

static hg_status read_array(const hg_matrix *m, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                            int64_t ld)
{
  for (int64_t j = 0; j < cols; j++)
    for (int64_t i = 0; i < rows; i++)
      HG_TRY(hg_array_read(&m->array, m->array.dims == 1 ? (int64_t[3]){row + i} : (int64_t[3]){col + j, row + i}, 1,
                           m->name, &out[i + j * ld]));
  return HG_OK;
}

/* HDF5 is not thread-safe. */
static hg_status read_hdf5(const hg_matrix *m, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                           int64_t ld)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const bool vector = m->hdf5.dims == 1;
  const hg_box box =
      vector ? (hg_box){{row, 0, 0}, {row + rows, 1, 1}} : (hg_box){{col, row, 0}, {col + cols, row + rows, 1}};
  void *values;
  HG_TRY(hg_allocate("a part of the matrix", (size_t)(rows * cols) * sizeof(double) + 1, &values));
  pthread_mutex_lock(&lock);
  hg_status status = hg_hdf5_read(&m->hdf5, m->name, &box, values);
  pthread_mutex_unlock(&lock);
  for (int64_t i = 0; i < rows && status == HG_OK; i++)
    for (int64_t j = 0; j < cols; j++) out[i + j * ld] = ((double *)values)[i * cols + j];
  free(values);
  return status;
}

static const hg_family *find_family(const char *spec, size_t length)
{
  for (const hg_family *f = hg_families; f->name; f++)
    if (strlen(f->name) == length && strncmp(f->name, spec, length) == 0) return f;
  return NULL;
}

/* Parses a family's parameter; a column must be one of the matrix. */
static hg_status parse_parameter(const hg_matrix *m, const hg_family *family, const char *text, double *out)
{
  int64_t column;
  char what[64];
  snprintf(what, sizeof what, "%s: %s", family->name, family->parameter);
  if (strcmp(family->parameter, "column") != 0) return hg_parse_double(text, what, family->least, family->most, out);
  HG_TRY(hg_parse_int(text, what, 0, m->rows - 1, &column));
  *out = (double)column;
  return HG_OK;
}

static hg_status open_family(hg_matrix *m, const hg_family *family, const char *arguments)
{
  char size[64];
  double parameter = family->standard;
  const char *comma = strchr(arguments, ',');
  size_t length = comma ? (size_t)(comma - arguments) : strlen(arguments);
  snprintf(size, sizeof size, "%.*s", (int)(length < 63 ? length : 63), arguments);
  HG_TRY(hg_parse_int(size, family->name, 0, DENSE_MAX, &m->rows));
  if (comma && !*family->parameter) return hg_fail(HG_INVALID, "%s: '%s' takes no parameter", m->name, family->name);
  if (comma) HG_TRY(parse_parameter(m, family, comma + 1, &parameter));
  m->cols = m->rows;
  m->family = family;
  m->read = read_family;
  int64_t vectors = family->prepare ? family->prepare(m->rows, parameter, m->seed, NULL) : 0;
  HG_TRY(hg_allocate("vectors of a family", (size_t)(1 + vectors) * sizeof(double), (void **)&m->parameter));
  m->parameter[0] = parameter;
  if (vectors) family->prepare(m->rows, parameter, m->seed, m->parameter);
  return HG_OK;
}

static hg_status open_sparse(hg_matrix *m, const char *path, hg_status (*open)(const char *, hg_mtx *))
{
  HG_TRY(open(path, &m->mtx));
  m->rows = m->mtx.rows;
  m->cols = m->mtx.cols;
  m->read = read_mtx;
  return HG_OK;
}

static hg_status open_array(hg_matrix *m, const char *path, const char *member)
{
  HG_TRY(hg_file_has_ending(path, ".npz") ? hg_npz_open(path, member, &m->array) : hg_npy_open(path, &m->array));
  if (m->array.dims > 2) return hg_fail(HG_FORMAT, "%s: has %d dimensions, must have 1 or 2", path, m->array.dims);
  m->rows = m->array.dims == 1 ? m->array.n[0] : m->array.n[1];
  m->cols = m->array.dims == 1 ? 1 : m->array.n[0];
  m->read = read_array;
  return HG_OK;
}

static hg_status open_hdf5(hg_matrix *m, const char *path, const char *dataset)
{
  HG_TRY(hg_hdf5_open(path, dataset, &m->hdf5));
  if (m->hdf5.dims > 2) return hg_fail(HG_FORMAT, "%s: has %d dimensions, must have 1 or 2", path, m->hdf5.dims);
  m->rows = m->hdf5.dims == 1 ? m->hdf5.n[0] : m->hdf5.n[1];
  m->cols = m->hdf5.dims == 1 ? 1 : m->hdf5.n[0];
  m->read = read_hdf5;
  return HG_OK;
}

static hg_status open_spec(hg_matrix *m)
{
  char path[HG_PATH_MAX];
  const char *colon = strchr(m->name, ':');
  const hg_family *family = colon ? find_family(m->name, (size_t)(colon - m->name)) : NULL;
  if (family) return open_family(m, family, colon + 1);
  const char *dataset = hg_grid_file(m->name, path);
  if (access(path, F_OK) == 0) HG_TRY(hg_foreign_check(path));
  if (hg_file_is_hdf5(path)) return open_hdf5(m, path, dataset);
  if (!dataset && hg_text_has_ending(path, ".mtx")) return open_sparse(m, path, hg_mtx_open);
  if (!dataset && hg_file_has_ending(path, ".npz") && hg_npz_is_sparse(path))
    return open_sparse(m, path, hg_sparse_npz_open);
  if (hg_file_has_ending(path, ".npz") || (!dataset && hg_file_has_ending(path, ".npy")))
    return open_array(m, path, dataset);
  return hg_fail(HG_INVALID, "'%s' is neither FAMILY:N (see --help) nor a .mtx, .mtx.gz, .npy, .npz or .h5 file",
                 m->name);
}

static hg_status make(const char *name, uint64_t seed, hg_matrix **out)
{
  if (strlen(name) >= sizeof(*out)->name)
    return hg_fail(HG_INVALID, "the file name is longer than %zu characters", sizeof(*out)->name - 1);
  hg_matrix *m = calloc(1, sizeof *m);
  if (!m) return hg_fail(HG_MEMORY, "no memory");
  strcpy(m->name, name);
  m->seed = seed;
  m->hdf5 = (hg_hdf5_input){.file = -1, .dataset = -1};
  *out = m;
  return HG_OK;
}

hg_status hg_matrix_open(const char *spec, uint64_t seed, hg_matrix **out)
{
  hg_matrix *m;
  HG_TRY(make(spec, seed, &m));
  hg_status status = open_spec(m);
  if (status == HG_OK && (m->rows > DENSE_MAX || m->cols > DENSE_MAX))
    status =
        hg_fail(HG_INVALID, "%s: %" PRId64 " x %" PRId64 ", must be at most %d", spec, m->rows, m->cols, DENSE_MAX);
  if (status != HG_OK)
    hg_matrix_close(m);
  else
    *out = m;
  return status;
}

static hg_status make_formula(const char *family, int64_t rows, int64_t cols, double parameter, uint64_t seed,
                              hg_matrix **out)
{
  hg_matrix *m;
  HG_TRY(make(family, seed, &m));
  m->rows = rows;
  m->cols = cols;
  m->family = find_family(family, strlen(family));
  m->read = read_family;
  hg_status status = hg_allocate("a parameter", sizeof(double), (void **)&m->parameter);
  if (status != HG_OK) {
    hg_matrix_close(m);
    return status;
  }
  m->parameter[0] = parameter;
  *out = m;
  return HG_OK;
}

hg_status hg_matrix_random(int64_t rows, int64_t cols, uint64_t seed, hg_matrix **out)
{
  return make_formula("uniform", rows, cols, 1, seed, out);
}

hg_status hg_matrix_ones(int64_t rows, int64_t cols, hg_matrix **out)
{
  return make_formula("ones", rows, cols, 1, 0, out);
}

int64_t hg_matrix_rows(const hg_matrix *m)
{
  return m->rows;
}

bool hg_matrix_is_vector(const hg_matrix *m)
{
  return m->array.dims == 1;
}

int64_t hg_matrix_cols(const hg_matrix *m)
{
  return m->cols;
}

const char *hg_matrix_name(const hg_matrix *m)
{
  return m->name;
}

hg_status hg_matrix_read(const hg_matrix *m, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                         int64_t ld)
{
  if (row < 0 || col < 0 || row + rows > m->rows || col + cols > m->cols)
    return hg_fail(HG_INVALID, "%s: a part outside the matrix", m->name);
  if (rows == 0 || cols == 0) return HG_OK;
  HG_TRY(m->read(m, row, col, rows, cols, out, ld));
  for (int64_t j = 0; j < cols; j++)
    for (int64_t i = 0; i < rows; i++)
      if (!isfinite(out[i + j * ld]))
        return hg_fail(HG_FORMAT, "%s: the value in row %" PRId64 ", column %" PRId64 " is %g, must be finite", m->name,
                       row + i + 1, col + j + 1, out[i + j * ld]);
  return HG_OK;
}

void hg_matrix_close(hg_matrix *m)
{
  if (!m) return;
  hg_mtx_free(&m->mtx);
  hg_array_free(&m->array);
  if (m->hdf5.file >= 0) hg_hdf5_close(&m->hdf5);
  free(m->parameter);
  free(m);
}
