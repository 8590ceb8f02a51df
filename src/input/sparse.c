/* SPDX-License-Identifier: MIT */
/* Sparse matrices as scipy.sparse.save_npz writes them: members `format`, `shape`, `data`, and
 *   csr, csc  indices[entries], indptr[rows (columns) + 1]
 *   coo       row[entries], col[entries] */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/array.h"
#include "input/matrix.h"

/* The members of the archive and the indices made from them. */
typedef struct reader {
  const char *path;
  char format[8];
  hg_array shape, data, first, second; /* first, second: indptr and indices, or row and col */
  int64_t *row, *col;                  /* of each entry */
} reader;

static hg_status open_vector(const char *path, const char *member, hg_array *out)
{
  HG_TRY(hg_npz_open(path, member, out));
  return out->dims == 1 ? HG_OK : hg_fail(HG_FORMAT, "%s: %s has %d dimensions, must have 1", path, member, out->dims);
}

static hg_status read_whole(const reader *r, const hg_array *a, int64_t at, const char *what, int64_t most,
                            int64_t *out)
{
  double value;
  HG_TRY(hg_array_read(a, (int64_t[3]){at}, 1, r->path, &value));
  if (!(value >= 0 && value <= (double)most && value == (double)(int64_t)value))
    return hg_fail(HG_FORMAT, "%s: %s %" PRId64 " is %g, must be in 0..%" PRId64, r->path, what, at, value, most);
  *out = (int64_t)value;
  return HG_OK;
}

static hg_status open_members(reader *r)
{
  HG_TRY(hg_npz_word(r->path, "format", r->format, sizeof r->format));
  const bool pairs = strcmp(r->format, "coo") == 0;
  if (!pairs && strcmp(r->format, "csr") != 0 && strcmp(r->format, "csc") != 0)
    return hg_fail(HG_FORMAT, "%s: a sparse matrix of format %s, must be csr, csc or coo; tocsr() makes one", r->path,
                   r->format);
  HG_TRY(open_vector(r->path, "shape", &r->shape));
  if (r->shape.n[0] != 2)
    return hg_fail(HG_FORMAT, "%s: a sparse array of %" PRId64 " dimensions, must have 2", r->path, r->shape.n[0]);
  HG_TRY(open_vector(r->path, "data", &r->data));
  HG_TRY(open_vector(r->path, pairs ? "row" : "indptr", &r->first));
  return open_vector(r->path, pairs ? "col" : "indices", &r->second);
}

static hg_status read_pairs(const reader *r, const hg_mtx *m, int64_t entries)
{
  if (r->first.n[0] != entries || r->second.n[0] != entries)
    return hg_fail(HG_FORMAT,
                   "%s: data, row and col hold %" PRId64 ", %" PRId64 " and %" PRId64 " values, must be equally many",
                   r->path, entries, r->first.n[0], r->second.n[0]);
  for (int64_t i = 0; i < entries; i++) {
    HG_TRY(read_whole(r, &r->first, i, "row", m->rows - 1, &r->row[i]));
    HG_TRY(read_whole(r, &r->second, i, "col", m->cols - 1, &r->col[i]));
  }
  return HG_OK;
}

/* Reads compressed rows or columns, `lines` of them. */
static hg_status read_lines(const reader *r, int64_t lines, int64_t across, int64_t entries, int64_t *line,
                            int64_t *index)
{
  int64_t at, end = 0;
  if (r->first.n[0] != lines + 1 || r->second.n[0] < entries)
    return hg_fail(HG_FORMAT,
                   "%s: indptr holds %" PRId64 " values and indices %" PRId64 ", must hold %" PRId64 " and %" PRId64,
                   r->path, r->first.n[0], r->second.n[0], lines + 1, entries);
  HG_TRY(read_whole(r, &r->first, 0, "indptr", 0, &at));
  for (int64_t i = 0; i < lines; i++) {
    HG_TRY(read_whole(r, &r->first, i + 1, "indptr", entries, &end));
    for (; at < end; at++) {
      line[at] = i;
      HG_TRY(read_whole(r, &r->second, at, "indices", across - 1, &index[at]));
    }
    if (end < at)
      return hg_fail(HG_FORMAT, "%s: indptr %" PRId64 " is %" PRId64 ", less than the previous one", r->path, i + 1,
                     end);
  }
  return at == entries
             ? HG_OK
             : hg_fail(HG_FORMAT, "%s: indptr ends at %" PRId64 ", there are %" PRId64 " values", r->path, at, entries);
}

/* Sorts entries by column. While column j is filled, start[j + 1] is its next position. */
static hg_status sort_by_columns(const reader *r, hg_mtx *m, int64_t entries)
{
  HG_TRY(hg_allocate("a matrix", (size_t)(m->cols + 2) * sizeof *m->start, (void **)&m->start));
  HG_TRY(hg_allocate("a matrix", (size_t)entries * sizeof *m->row + 1, (void **)&m->row));
  HG_TRY(hg_allocate("a matrix", (size_t)entries * sizeof *m->value + 1, (void **)&m->value));
  for (int64_t i = 0; i < entries; i++) m->start[r->col[i] + 2]++;
  for (int64_t j = 0; j <= m->cols; j++) m->start[j + 1] += m->start[j];
  for (int64_t i = 0; i < entries; i++) {
    const int64_t at = m->start[r->col[i] + 1]++;
    m->row[at] = (int32_t)r->row[i];
    HG_TRY(hg_array_read(&r->data, (int64_t[3]){i}, 1, r->path, &m->value[at]));
  }
  return HG_OK;
}

static hg_status read_matrix(reader *r, hg_mtx *m)
{
  HG_TRY(open_members(r));
  const int64_t entries = r->data.n[0];
  HG_TRY(read_whole(r, &r->shape, 0, "shape", INT32_MAX, &m->rows));
  HG_TRY(read_whole(r, &r->shape, 1, "shape", INT32_MAX, &m->cols));
  HG_TRY(hg_allocate("entries", (size_t)entries * sizeof *r->row, (void **)&r->row));
  HG_TRY(hg_allocate("entries", (size_t)entries * sizeof *r->col, (void **)&r->col));
  if (r->format[2] == 'o') HG_TRY(read_pairs(r, m, entries));
  if (r->format[2] == 'r') HG_TRY(read_lines(r, m->rows, m->cols, entries, r->row, r->col));
  if (r->format[2] == 'c') HG_TRY(read_lines(r, m->cols, m->rows, entries, r->col, r->row));
  return sort_by_columns(r, m, entries);
}

hg_status hg_sparse_npz_open(const char *path, hg_mtx *out)
{
  reader r = {.path = path};
  *out = (hg_mtx){0};
  const hg_status status = read_matrix(&r, out);
  hg_array_free(&r.shape);
  hg_array_free(&r.data);
  hg_array_free(&r.first);
  hg_array_free(&r.second);
  free(r.row);
  free(r.col);
  if (status != HG_OK) hg_mtx_free(out);
  return status;
}
