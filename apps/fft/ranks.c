/* SPDX-License-Identifier: MIT */
/* Several ranks: each has a slab of planes and, after the transposition of a cube, a slab of rows of columns. Rank 0
 * has the whole array only if it reads it from a file, or to verify. */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/npy.h"
#include "fft.h"
#include "result/shared_file.h"

static hg_status find_rows(fft *f, int stage, int array, fft_rows *out)
{
  const hg_divisible *job = &f->context.stage[stage];
  const hg_item_array *a = &job->array[array];
  hg_item_part part;
  HG_TRY(hg_item_part_find(f->context.run[stage], array, &part));
  *out = (fft_rows){part.base,   a->rows > 0 ? a->rows : 1, part.count * a->bytes,
                    part.stride, part.first * a->bytes,     job->grid[0] * a->bytes};
  return HG_OK;
}

static int last_array(const fft *f, int stage)
{
  return f->context.stage[stage].arrays - 1;
}

/* --- before the first pass --- */

static hg_status scatter(fft *f, hg_status mine, const void *values)
{
  HG_TRY(hg_session_agree(&f->context.session, mine));
  return hg_item_part_scatter(f->context.run[0], 0, values);
}

static hg_status scatter_file(fft *f)
{
  void *file = NULL;
  size_t size = 0;
  const void *values = NULL;
  hg_status status = HG_OK;
  if (f->context.session.rank == 0) status = fft_map(f->options.input, &f->options.shape, &file, &size, &values);
  status = scatter(f, status, values);
  if (file) munmap(file, size);
  return status;
}

static hg_status scatter_random(fft *f)
{
  void *values = NULL;
  hg_status status = HG_OK;
  if (f->context.session.rank == 0) {
    status = hg_allocate("random values", f->in_bytes, &values);
    if (status == HG_OK) status = fft_fill(f, values);
  }
  status = scatter(f, status, values);
  free(values);
  return status;
}

hg_status fft_load_slabs(fft *f)
{
  const fft_shape *s = &f->options.shape;
  fft_rows rows;
  if (f->options.input) return scatter_file(f);
  if (s->real && s->inverse) return scatter_random(f);
  const hg_status status = find_rows(f, 0, 0, &rows);
  if (status == HG_OK) fft_fill_rows(f, &rows);
  return hg_session_agree(&f->context.session, status);
}

hg_status fft_transpose(fft *f)
{
  return hg_item_part_hand_over(f->context.run[0], last_array(f, 0), f->context.run[1], 0);
}

/* --- after the last pass --- */

static hg_status allocate_whole(fft *f)
{
  if (f->context.session.rank > 0) return HG_OK;
  HG_TRY(hg_allocate("the values", f->in_bytes, &f->in));
  return hg_allocate("the transform", f->out_bytes, &f->out);
}

hg_status fft_gather_whole(fft *f)
{
  const int last = f->context.stages - 1;
  if (f->gathered) return HG_OK;
  f->gathered = true;
  HG_TRY(hg_session_agree(&f->context.session, allocate_whole(f)));
  HG_TRY(hg_item_part_gather(f->context.run[0], 0, f->in));
  return hg_item_part_gather(f->context.run[last], last_array(f, last), f->out);
}

static hg_status write_head(const void *shape, hg_shared_file *file)
{
  const fft_shape *s = shape;
  uint8_t header[HG_NPY_HEAD_MAX];
  const int64_t n[3] = {s->n[0], s->n[1], fft_width(s, fft_is_spectrum(s, true))};
  const size_t size = hg_npy_header_write(fft_type(s, fft_is_spectrum(s, true)), s->flat ? 2 : 3, n + s->flat, header);
  HG_TRY(hg_file_create(file->path, file->temporary, &file->fd));
  hg_shared_put(file, 0, header, size);
  file->first = (int64_t)size;
  return HG_OK;
}

static void put(hg_shared_file *file, const fft_rows *r)
{
  for (int64_t i = 0; i < r->rows && r->bytes > 0; i++)
    hg_shared_put(file, r->at + i * r->pitch, r->base + i * r->stride, (size_t)r->bytes);
}

/* If ranks cannot access rank 0's file, rank 0 writes all of it. */
static hg_status put_whole(fft *f, hg_shared_file *file)
{
  HG_TRY(fft_gather_whole(f));
  if (f->context.session.rank == 0) hg_shared_put(file, 0, f->out, f->out_bytes);
  return HG_OK;
}

/* Finds this rank's part of the transform. Collective. */
static hg_status find_result(fft *f, fft_rows *rows)
{
  const int last = f->context.stages - 1;
  *rows = (fft_rows){f->out, 1, (int64_t)f->out_bytes, 0, 0, 0};
  if (f->context.session.ranks == 1) return HG_OK;
  return hg_session_agree(&f->context.session, find_rows(f, last, last_array(f, last), rows));
}

hg_status fft_check(fft *f)
{
  fft_rows r;
  double nonfinite = 0;
  HG_TRY(find_result(f, &r));
  for (int64_t i = 0; i < r.rows && r.bytes > 0; i++)
    nonfinite += (double)fft_nonfinite(r.base + i * r.stride, (size_t)r.bytes, f->options.shape.single);
  hg_session_sum(&f->context.session, &nonfinite);
  if (nonfinite <= 0) return HG_OK;
  return hg_fail(HG_MISMATCH, "fft: %.0f numbers of the transform are infinite or not a number; nothing was written",
                 nonfinite);
}

hg_status fft_write(fft *f, const char *path)
{
  const hg_session *s = &f->context.session;
  const bool divided = s->ranks > 1;
  fft_rows rows;
  hg_shared_file file;
  HG_TRY(find_result(f, &rows));
  HG_TRY(hg_shared_begin(s, path, write_head, &f->options.shape, &file));
  hg_status status = HG_OK;
  if (divided && !file.everywhere)
    status = put_whole(f, &file);
  else
    put(&file, &rows);
  return hg_shared_end(&file, status);
}
