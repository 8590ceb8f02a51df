/* SPDX-License-Identifier: MIT */
/* A job's values on rank 0: as a field for files and pictures, as bytes for checkpoints. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "codelets/pieces.h"
#include "job/run.h"
#include "result/gather.h"
#include "result/values_hdf5.h"
#include "result/write.h"

/* --- as numbers -------------------------------------------------------------------------------------------------- */

static double number_of(const hg_run *r, const void *value, int64_t length)
{
  const hg_update *u = r->job->update;
  if (r->job->number) return r->job->number(value, length, r->job->arg);
  union {
    double d;
    float f;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
  } v;
  memcpy(&v, value, (size_t)u->value_bytes);
  if (u->value_type == 'd') return v.d;
  if (u->value_type == 'f') return (double)v.f;
  const bool is_signed = u->value_type == 'i';
  switch (u->value_bytes) {
  case 1: return is_signed ? v.i8 : v.u8;
  case 2: return is_signed ? v.i16 : v.u16;
  case 4: return is_signed ? (double)v.i32 : (double)v.u32;
  default: return is_signed ? (double)v.i64 : (double)v.u64;
  }
}

/* Where the values of tiles go. */
typedef struct sink {
  const hg_run *run;
  hg_field *field;       /* as numbers */
  unsigned char *values; /* or as bytes */
  const int64_t *offset; /* [units + 1] bytes before each value, or NULL: all have the same size */
} sink;

/* Where the cells of a box lie in the whole grid. */
static hg_piece_cells cells_of(const hg_run *r, const hg_box *core)
{
  const int64_t *n = r->domain.n;
  return (hg_piece_cells){.first = core->lo[0] + n[0] * (core->lo[1] + n[1] * core->lo[2]),
                          .stride = {1, n[0], n[0] * n[1]},
                          .n = {hg_box_extent(core, 0), hg_box_extent(core, 1), hg_box_extent(core, 2)}};
}

/* Real numbers, as they are. */
static hg_status keep_reals(void *arg, int tile, const hg_box *core, const void *values)
{
  (void)tile;
  const sink *s = arg;
  const hg_piece_cells cells = cells_of(s->run, core);
  hg_piece_unpack(&cells, (int)s->run->job->update->value_bytes, s->field->values, values);
  return HG_OK;
}

static hg_status keep_numbers(void *arg, int tile, const hg_box *core, const void *values)
{
  (void)tile;
  const sink *s = arg;
  const hg_run *r = s->run;
  const int64_t *n = r->domain.n;
  const char *value = values;
  for (int64_t z = core->lo[2]; z < core->hi[2]; z++)
    for (int64_t y = core->lo[1]; y < core->hi[1]; y++)
      for (int64_t x = core->lo[0]; x < core->hi[0]; x++) {
        const int64_t id = x + n[0] * (y + n[1] * z), length = hg_run_length(r, id);
        const double number = number_of(r, value, length);
        if (s->field->precision == HG_FLOAT)
          ((float *)s->field->values)[id] = (float)number;
        else
          ((double *)s->field->values)[id] = number;
        value += length * r->job->update->value_bytes;
      }
  return HG_OK;
}

static int64_t elements_of(void *arg, const hg_box *core)
{
  const hg_run *r = ((const sink *)arg)->run;
  const int64_t *n = r->domain.n;
  int64_t elements = 0;
  if (!r->job->length) return hg_box_cells(core);
  for (int64_t z = core->lo[2]; z < core->hi[2]; z++)
    for (int64_t y = core->lo[1]; y < core->hi[1]; y++)
      for (int64_t x = core->lo[0]; x < core->hi[0]; x++) elements += hg_run_length(r, x + n[0] * (y + n[1] * z));
  return elements;
}

static hg_gathering gathering_of(hg_run *r, hg_tile_sink *take, sink *to)
{
  return (hg_gathering){.session = &r->session,
                        .tiling = r->tiling,
                        .graph = r->graph,
                        .element_bytes = r->job->update->value_bytes,
                        .elements = elements_of,
                        .take = take,
                        .arg = to};
}

hg_status hg_run_gather(hg_run *r, hg_field *f)
{
  const hg_update *u = r->job->update;
  if (!r->job->number && (!u->value_type || u->arrays))
    return hg_fail(HG_INVALID, "job '%s': to write values that are not single numbers it needs `number`", r->name);
  *f = (hg_field){.dims = r->domain.dims,
                  .precision = u->value_type == 'f' && !r->job->number ? HG_FLOAT : HG_DOUBLE,
                  .name = r->job->value_name};
  memcpy(f->n, r->domain.n, sizeof f->n);
  const hg_status status = r->session.rank == 0 ? hg_field_make(f) : HG_OK;
  sink to = {.run = r, .field = f};
  const bool as_they_are = hg_run_is_real(r) && !r->job->number;
  const hg_gathering g = gathering_of(r, as_they_are ? keep_reals : keep_numbers, &to);
  hg_status gathered = hg_session_agree(&r->session, status);
  if (gathered == HG_OK) gathered = hg_gather(&g);
  if (gathered != HG_OK) hg_field_free(f);
  return gathered;
}

hg_status hg_run_write(hg_run *r, int count, const char *const *path)
{
  hg_field f;
  hg_status status = HG_OK;
  if (count == 0) return HG_OK;
  HG_TRY(hg_run_gather(r, &f));
  for (int i = 0; i < count && status == HG_OK && r->session.rank == 0; i++) status = hg_output_write(path[i], &f);
  hg_field_free(&f);
  return hg_session_agree(&r->session, status);
}

/* --- as bytes ---------------------------------------------------------------------------------------------------- */

static hg_status keep_bytes(void *arg, int tile, const hg_box *core, const void *values)
{
  (void)tile;
  const sink *s = arg;
  const hg_run *r = s->run;
  const int64_t *n = r->domain.n, size = r->job->update->value_bytes;
  const char *value = values;
  if (!s->offset) {
    const hg_piece_cells cells = cells_of(r, core);
    hg_piece_unpack(&cells, (int)size, s->values, values);
    return HG_OK;
  }
  for (int64_t z = core->lo[2]; z < core->hi[2]; z++)
    for (int64_t y = core->lo[1]; y < core->hi[1]; y++)
      for (int64_t x = core->lo[0]; x < core->hi[0]; x++) {
        const int64_t id = x + n[0] * (y + n[1] * z);
        const int64_t bytes = s->offset[id + 1] - s->offset[id];
        memcpy(s->values + s->offset[id], value, (size_t)bytes);
        value += bytes;
      }
  return HG_OK;
}

/* Bytes before each value where they differ in size; *total of all. */
static hg_status list_offsets(const hg_run *r, int64_t **offset, int64_t *total)
{
  const int64_t units = hg_run_units(r), size = r->job->update->value_bytes;
  *offset = NULL;
  *total = units * size;
  if (!r->job->length) return HG_OK;
  HG_TRY(hg_allocate("the sizes of all values", ((size_t)units + 1) * sizeof **offset, (void **)offset));
  for (int64_t i = 0; i < units; i++) (*offset)[i + 1] = (*offset)[i] + hg_run_length(r, i) * size;
  *total = (*offset)[units];
  return HG_OK;
}

/* What a file holds; nothing for a formula. */
static void mix_contents(uint64_t *h, const char *source)
{
  char path[HG_PATH_MAX];
  void *bytes;
  size_t size;
  hg_grid_file(source, path);
  if (hg_file_map(path, &bytes, &size) != HG_OK) return;
  hg_hash_mix(h, bytes, size);
  munmap(bytes, size);
}

uint64_t hg_run_identity(const hg_run *r)
{
  const hg_job *j = r->job;
  uint64_t h = HG_HASH_START;
  hg_hash_mix(&h, r->name, strlen(r->name) + 1);
  hg_hash_mix(&h, &r->domain.dims, sizeof r->domain.dims);
  hg_hash_mix(&h, r->domain.n, sizeof r->domain.n);
  hg_hash_mix(&h, &j->update->value_bytes, sizeof j->update->value_bytes);
  for (int i = 0; i < 6; i++) {
    const hg_side *side = &r->side[i / 2][i % 2];
    const double value = side->has_value ? side->value : 0;
    const int kind[2] = {(int)side->kind, side->has_value};
    hg_hash_mix(&h, kind, sizeof kind);
    hg_hash_mix(&h, &value, sizeof value);
  }
  if (r->parameters) hg_hash_mix(&h, r->parameters, j->parameter_bytes);
  if (j->source) {
    hg_hash_mix(&h, j->source, strlen(j->source) + 1);
    mix_contents(&h, j->source);
    hg_hash_mix(&h, &j->seed, sizeof j->seed);
  }
  return h;
}

hg_status hg_run_checkpoint(hg_run *r, const char *path)
{
  sink to = {.run = r};
  int64_t *offset = NULL, total = 0;
  hg_status status = HG_OK;
  if (r->session.rank == 0) {
    status = list_offsets(r, &offset, &total);
    to.offset = offset;
    if (status == HG_OK) status = hg_allocate("the gathered values", (size_t)total, (void **)&to.values);
  }
  const hg_gathering g = gathering_of(r, keep_bytes, &to);
  status = hg_session_agree(&r->session, status);
  if (status == HG_OK) status = hg_gather(&g);
  if (status == HG_OK && r->session.rank == 0)
    status = hg_values_write(path, to.values, total, &(hg_checkpoint){.step = r->done, .identity = hg_run_identity(r)});
  free(to.values);
  free(offset);
  return hg_session_agree(&r->session, status);
}

hg_status hg_run_restore(hg_run *r, const char *path)
{
  hg_checkpoint c;
  int64_t total;
  HG_TRY(list_offsets(r, &r->initial.offset, &total));
  HG_TRY(hg_values_read(path, total, hg_run_identity(r), &c, &r->initial.values));
  if (c.step > r->job->steps)
    return hg_fail(HG_INVALID, "--steps: %" PRId64 " steps, but %s holds the values after %" PRId64, r->job->steps,
                   path, c.step);
  r->first = c.step;
  return HG_OK;
}

hg_status hg_finish(hg_run *r)
{
  HG_TRY(hg_run_given(r, "hg_finish"));
  hg_status status = hg_run_write(r, r->job->output != NULL, &r->job->output);
  hg_abandon(r);
  return status;
}
