/* SPDX-License-Identifier: MIT */
/* Matrix Market files, read by CHOLMOD once their banner and size line make sense. */
#include <cholmod.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elimination/matrix.h"

void hg_mtx_free(hg_mtx *m)
{
  free(m->start);
  free(m->row);
  free(m->value);
  *m = (hg_mtx){0};
}

/* First line of the file; the position afterwards is the start again. */
static hg_status read_banner(FILE *f, const char *place, char *banner, size_t size, bool *pattern)
{
  if (!fgets(banner, (int)size, f)) return hg_fail(HG_FORMAT, "%s: empty", place);
  rewind(f);
  if (strncasecmp(banner, "%%MatrixMarket", 14) != 0)
    return hg_fail(HG_FORMAT, "%s: does not begin with %%%%MatrixMarket", place);
  if (strcasestr(banner, "complex") || strcasestr(banner, "hermitian"))
    return hg_fail(HG_FORMAT, "%s: is complex, must be real, integer or pattern", place);
  *pattern = strcasestr(banner, "pattern") != NULL;
  return HG_OK;
}

/* The size line promises what is allocated; an absurd one is refused before. */
static hg_status check_size(FILE *f, const char *place)
{
  char line[1024];
  double rows = 0, cols = 0, entries = 0;
  while (fgets(line, sizeof line, f))
    if (line[0] != '%' && strspn(line, " \t\r\n") < strlen(line)) break;
  int numbers = sscanf(line, "%lf %lf %lf", &rows, &cols, &entries);
  rewind(f);
  double bytes = (numbers == 3 ? entries * 40 + (rows + cols) * 16 : rows * cols * 16);
  if (numbers < 2 || !(rows >= 0 && cols >= 0 && entries >= 0) || rows > INT32_MAX || cols > INT32_MAX)
    return hg_fail(HG_FORMAT, "%s: no size line of two or three numbers from 0 to 2^31-1", place);
  if (bytes > (double)hg_memory_available())
    return hg_fail(HG_MEMORY, "%s: reading it needs %.2f GB, %.2f GB are available", place, bytes / 1e9,
                   (double)hg_memory_available() / 1e9);
  return HG_OK;
}

static hg_status copy(const void *from, size_t bytes, void **to)
{
  HG_TRY(hg_allocate("a matrix", bytes + 1, to));
  if (bytes > 0) memcpy(*to, from, bytes);
  return HG_OK;
}

static hg_status take_sparse(cholmod_sparse *s, hg_mtx *out)
{
  const int32_t *start = s->p;
  size_t entries = s->ncol > 0 ? (size_t)start[s->ncol] : 0;
  HG_TRY(copy(s->p, (s->ncol + 1) * sizeof *out->start, (void **)&out->start));
  HG_TRY(copy(s->i, entries * sizeof *out->row, (void **)&out->row));
  if (s->x) return copy(s->x, entries * sizeof *out->value, (void **)&out->value);
  return hg_allocate("a matrix", entries * sizeof *out->value + 1, (void **)&out->value);
}

static hg_status take(void *object, int kind, bool pattern, const char *place, hg_mtx *out)
{
  hg_status status;
  if (kind == CHOLMOD_DENSE) {
    cholmod_dense *d = object;
    *out = (hg_mtx){.rows = (int64_t)d->nrow, .cols = (int64_t)d->ncol};
    if (d->xtype != CHOLMOD_REAL || d->d != d->nrow) return hg_fail(HG_FORMAT, "%s: must be real", place);
    return copy(d->x, d->nrow * d->ncol * sizeof(double), (void **)&out->value);
  }
  cholmod_sparse *s = object;
  *out = (hg_mtx){.rows = (int64_t)s->nrow, .cols = (int64_t)s->ncol};
  if (s->xtype > CHOLMOD_REAL || s->itype != CHOLMOD_INT) return hg_fail(HG_FORMAT, "%s: must be real", place);
  status = take_sparse(s, out);
  if (status == HG_OK && pattern)
    for (int64_t i = 0; i < out->start[out->cols]; i++) out->value[i] = 1;
  return status;
}

hg_status hg_mtx_read(FILE *f, const char *place, hg_mtx *out)
{
  char banner[1024];
  bool pattern = false;
  int kind = 0;
  cholmod_common common;
  *out = (hg_mtx){0};
  HG_TRY(read_banner(f, place, banner, sizeof banner, &pattern));
  HG_TRY(check_size(f, place));
  cholmod_start(&common);
  common.print = 0;
  void *object = cholmod_read_matrix(f, 1, &kind, &common);
  hg_status status = HG_OK;
  if (!object)
    status = common.status == CHOLMOD_OUT_OF_MEMORY
                 ? hg_fail(HG_MEMORY, "%s: not enough memory to read it", place)
                 : hg_fail(HG_FORMAT, "%s: not a matrix in Matrix Market's format", place);
  else
    status = take(object, kind, pattern, place, out);
  if (object && kind == CHOLMOD_DENSE) cholmod_free_dense((cholmod_dense **)&object, &common);
  if (object && kind == CHOLMOD_SPARSE) cholmod_free_sparse((cholmod_sparse **)&object, &common);
  cholmod_finish(&common);
  if (status != HG_OK) hg_mtx_free(out);
  return status;
}
