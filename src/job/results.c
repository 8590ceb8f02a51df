/* SPDX-License-Identifier: MIT */
/* A job's values as numbers: in files, and gathered on rank 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "job/value_rows.h"
#include "result/write.h"

/* Destination of rows. */
typedef struct sink {
  const hg_run *run;
  const hg_view *view; /* part of the grid, or NULL: all of it */
  const hg_field *field;
  hg_shared_file file;
  char *numbers;     /* buffer for the numbers of a row */
  int64_t nonfinite; /* first cell found in the field that is not finite, or -1 */
} sink;

/* The wanted part of a row, as numbers. @param[in,out] id, count  place of the first in the field, and their number */
static const char *pick(const sink *s, int64_t *id, int64_t *count, const char *values)
{
  const hg_view *v = s->view;
  const int64_t *n = s->run->domain.n, size = hg_precision_bytes(s->field->precision);
  const int64_t at[3] = {*id % n[0], *id / n[0] % n[1], *id / n[0] / n[1]}, end = at[0] + *count;
  const bool kept = hg_run_keeps(s->run, s->field);
  if (!kept) hg_run_numbers(s->run, s->field, *id, *count, values, s->numbers);
  const char *number = kept ? values : s->numbers;
  if (!v) return number;
  *count = 0;
  for (int a = 1; a < 3; a++)
    if (at[a] < v->box.lo[a] || at[a] >= v->box.hi[a] || (at[a] - v->box.lo[a]) % v->stride[a] != 0) return NULL;
  const int64_t skipped = at[0] > v->box.lo[0] ? (at[0] - v->box.lo[0] + v->stride[0] - 1) / v->stride[0] : 0;
  for (int64_t x = v->box.lo[0] + skipped * v->stride[0]; x < end && x < v->box.hi[0]; x += v->stride[0])
    memmove(s->numbers + (*count)++ * size, number + (x - at[0]) * size, (size_t)size);
  const int64_t y = (at[1] - v->box.lo[1]) / v->stride[1], z = (at[2] - v->box.lo[2]) / v->stride[2];
  *id = skipped + s->field->n[0] * (y + s->field->n[1] * z);
  return s->numbers;
}

static void keep_row(void *arg, int64_t id, int64_t count, const char *values)
{
  const sink *s = arg;
  const int64_t size = hg_precision_bytes(s->field->precision);
  const char *numbers = pick(s, &id, &count, values);
  if (count > 0) memcpy((char *)s->field->values + id * size, numbers, (size_t)(count * size));
}

static hg_status keep_tile(void *arg, const hg_tile_view *t)
{
  hg_run_each_row(((const sink *)arg)->run, t, keep_row, arg);
  return HG_OK;
}

static void put_row(void *arg, int64_t id, int64_t count, const char *values)
{
  sink *s = arg;
  const int64_t size = hg_precision_bytes(s->field->precision);
  const char *numbers = pick(s, &id, &count, values);
  const int64_t first = s->nonfinite < 0 ? hg_first_nonfinite(s->field->precision == HG_FLOAT, numbers, count) : -1;
  if (first >= 0) s->nonfinite = id + first;
  if (count > 0) hg_shared_put(&s->file, id * size, numbers, (size_t)(count * size));
}

static hg_status put_tile(void *arg, const hg_tile_view *t)
{
  hg_run_each_row(((const sink *)arg)->run, t, put_row, arg);
  return HG_OK;
}

/* Collective. @param f  with its description, without values */
static hg_status open_sink(hg_run *r, const hg_view *view, const hg_field *f, sink *s)
{
  *s = (sink){.run = r, .view = view, .field = f, .nonfinite = -1};
  return hg_session_agree(
      &r->session, hg_allocate("a row of numbers", (size_t)r->domain.n[0] * sizeof(double), (void **)&s->numbers));
}

/* The values of a described field on rank 0. Collective. */
static hg_status gather_values(hg_run *r, const hg_view *view, hg_field *f)
{
  sink to;
  hg_status status = open_sink(r, view, f, &to);
  if (status == HG_OK) status = hg_session_agree(&r->session, r->session.rank == 0 ? hg_field_make(f) : HG_OK);
  if (status == HG_OK) status = hg_run_send_tiles(r, keep_tile, &to);
  if (status != HG_OK) hg_field_free(f);
  free(to.numbers);
  return status;
}

static hg_status gather_view(hg_run *r, const hg_view *view, hg_field *f)
{
  *f = (hg_field){.dims = 0};
  HG_TRY(hg_run_describe(r, view, f));
  f->metadata = &r->metadata;
  f->picture = &r->options->picture;
  return gather_values(r, view, f);
}

hg_status hg_run_gather(hg_run *r, hg_field *f)
{
  return gather_view(r, NULL, f);
}

/* A value that is not finite is no result. @param cell  of the field, or -1 */
static hg_status check_finite(const hg_run *r, const hg_field *f, const hg_view *v, int64_t cell, const char *path)
{
  if (cell < 0) return HG_OK;
  int64_t at[3] = {cell % f->n[0], cell / f->n[0] % f->n[1], cell / f->n[0] / f->n[1]};
  for (int a = 0; a < 3 && v; a++) at[a] = v->box.lo[a] + at[a] * v->stride[a];
  return hg_run_nonfinite(r, at[0] + r->domain.n[0] * (at[1] + r->domain.n[1] * at[2]), r->done, path);
}

static hg_status check_values(const hg_run *r, const hg_field *f, const hg_view *v, const char *path)
{
  return check_finite(r, f, v, hg_first_nonfinite(f->precision == HG_FLOAT, f->values, hg_field_cells(f)), path);
}

/* Gathers the further numbers that .h5 and .nc files hold. */
static hg_status gather_also(hg_run *r, const hg_view *view, const char *path, hg_field *f)
{
  hg_status status = HG_OK;
  if (!hg_file_is_hdf5(path)) f->also = NULL;
  for (hg_field *i = f + 1; i[-1].also && status == HG_OK; i++) {
    status = gather_values(r, view, i);
    if (status == HG_OK)
      status = hg_session_agree(&r->session, r->session.rank == 0 ? check_values(r, i, view, path) : HG_OK);
  }
  return status;
}

/* Every rank writes its own tiles directly from the state. */
static hg_status write_tiles(hg_run *r, const hg_view *view, const char *path, bool described)
{
  hg_field f[1 + HG_NUMBERS_MAX] = {{.dims = 0}};
  sink s = {.numbers = NULL};
  HG_TRY(hg_run_describe_all(r, view, f));
  f->metadata = &r->metadata;
  hg_status status = gather_also(r, view, path, f);
  if (status == HG_OK) status = open_sink(r, view, f, &s);
  if (status == HG_OK) status = hg_output_begin(&r->session, path, f, &s.file);
  if (status == HG_OK) {
    hg_status put = s.file.everywhere ? hg_run_visit(r, put_tile, &s) : hg_run_send_tiles(r, put_tile, &s);
    if (put == HG_OK) put = check_finite(r, f, view, s.nonfinite, path);
    status = described ? hg_output_end(&s.file, f, put) : hg_shared_end(&s.file, put);
  }
  for (int i = 1; i <= HG_NUMBERS_MAX; i++) hg_field_free(&f[i]);
  free(s.numbers);
  return status;
}

static hg_status write_field(const hg_run *r, const hg_field *f, const hg_view *v, const char *path)
{
  HG_TRY(check_values(r, f, v, path));
  return hg_output_write(path, f);
}

hg_status hg_run_write_view(hg_run *r, const hg_view *view, const char *path)
{
  hg_field f;
  HG_TRY(hg_run_check_holes(r, path));
  if (hg_output_is_shared(path)) return write_tiles(r, view, path, false);
  HG_TRY(gather_view(r, view, &f));
  const hg_status status = r->session.rank == 0 ? write_field(r, &f, view, path) : HG_OK;
  hg_field_free(&f);
  return hg_session_agree(&r->session, status);
}

/* Writes a file from one rank. @param f  the gathered values, empty before the first file */
static hg_status write_gathered(hg_run *r, const char *path, hg_field *f)
{
  if (!f->dims) HG_TRY(hg_run_gather(r, f));
  return hg_session_agree(&r->session, r->session.rank == 0 ? write_field(r, f, NULL, path) : HG_OK);
}

static hg_status write_one(hg_run *r, const char *path, hg_field *f)
{
  return hg_output_is_shared(path) ? write_tiles(r, NULL, path, true) : write_gathered(r, path, f);
}

hg_status hg_run_write(hg_run *r, int count, const char *const *path, hg_progress *bar)
{
  char name[HG_PATH_MAX];
  hg_field f = {.dims = 0};
  hg_status status = HG_OK;
  hg_session_bcast(&r->session, &count, sizeof count); /* the files of rank 0 are written */
  if (count > 0) HG_TRY(hg_run_check_holes(r, "the result"));
  if (count > 0) hg_run_metadata(r, &r->metadata);
  for (int i = 0; i < count && status == HG_OK; i++) {
    if (bar) hg_progress_update(bar, i);
    if (r->session.rank == 0) snprintf(name, sizeof name, "%s", path[i]);
    hg_session_bcast(&r->session, name, sizeof name);
    status = write_one(r, name, &f);
  }
  hg_field_free(&f);
  return status;
}
