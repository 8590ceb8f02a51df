/* SPDX-License-Identifier: MIT */
#include "job/value_rows.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "base/locale.h"
#include "result/gather.h"

/* Numbers travel as doubles, in which larger whole numbers are not exact. */
#define EXACT 0x1p53

/* The number as a double; NaN: no double holds it exactly. */
static double exactly(double number)
{
  return fabs(number) < EXACT ? number : NAN;
}

static double number_of(const hg_run *r, const hg_field *f, const void *value, int64_t length)
{
  const hg_update *u = r->job->update;
  if (f->number) {
    HG_PROGRAMS_LOCALE;
    return f->number(value, length, r->job->arg);
  }
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
  default: return exactly(is_signed ? (double)v.i64 : (double)v.u64);
  }
}

bool hg_run_fits(const hg_update *u, double number)
{
  const double half = ldexp(1, 8 * (int)u->value_bytes - 1);
  switch (u->value_type) {
  case 'd': return isfinite(number);
  case 'f': return isfinite((float)number);
  case 'b': return number == 0 || number == 1;
  case 'i': return number >= -half && number < half && number == trunc(number) && fabs(number) < EXACT;
  case 'u': return number >= 0 && number < 2 * half && number == trunc(number) && number < EXACT;
  default: return true;
  }
}

const char *hg_run_bound(const hg_update *u, char text[HG_BOUND_MAX])
{
  const int unused = 64 - 8 * (int)u->value_bytes;
  const int64_t exact = (int64_t)EXACT - 1, most = hg_min(INT64_MAX >> unused, exact),
                least = unused ? -most - 1 : -exact;
  const int length = snprintf(text, HG_BOUND_MAX, "does not fit into a value of type '%c' of %d bytes, must be ",
                              u->value_type, (int)u->value_bytes);
  char *end = text + length;
  const size_t room = HG_BOUND_MAX - (size_t)length;
  switch (u->value_type) {
  case 'f': snprintf(end, room, "within +-%g", (double)FLT_MAX); break;
  case 'b': snprintf(end, room, "0 or 1"); break;
  case 'i': snprintf(end, room, "a whole number in %" PRId64 "..%" PRId64, least, most); break;
  case 'u':
    snprintf(end, room, "a whole number in 0..%" PRId64, unused ? (int64_t)(UINT64_MAX >> unused) : exact);
    break;
  default: snprintf(end, room, "finite");
  }
  return text;
}

void hg_run_store(const hg_update *u, double number, void *value)
{
  const int64_t whole = u->value_type == 'u' ? (int64_t)(uint64_t)number : (int64_t)number;
  if (u->value_type == 'd') memcpy(value, &number, sizeof number);
  if (u->value_type == 'f') memcpy(value, &(float){(float)number}, sizeof(float));
  if (u->value_type != 'i' && u->value_type != 'u' && u->value_type != 'b') return;
  switch (u->value_bytes) {
  case 1: memcpy(value, &(int8_t){(int8_t)whole}, 1); break;
  case 2: memcpy(value, &(int16_t){(int16_t)whole}, 2); break;
  case 4: memcpy(value, &(int32_t){(int32_t)whole}, 4); break;
  default: memcpy(value, &whole, 8); break;
  }
}

int64_t hg_first_nonfinite(bool is_float, const void *numbers, int64_t count)
{
  const double *number = numbers;
  const float *single = numbers;
  for (int64_t i = 0; i < count; i++)
    if (is_float ? !isfinite(single[i]) : !isfinite(number[i])) return i;
  return -1;
}

hg_status hg_run_nonfinite(const hg_run *r, int64_t id, int64_t step, const char *file)
{
  const int64_t *n = r->domain.n;
  return hg_fail(HG_MISMATCH,
                 "%s: after step %" PRId64 " the value at (%" PRId64 ", %" PRId64 ", %" PRId64
                 ") is %s; %s was not written",
                 r->name, step, id % n[0], id / n[0] % n[1], id / n[0] / n[1],
                 r->job->number || hg_run_is_real(r) ? "infinite or not a number"
                                                     : "an integer of 2^53 or more, which results cannot represent",
                 file);
}

bool hg_run_keeps(const hg_run *r, const hg_field *f)
{
  return hg_run_is_real(r) && !f->number;
}

/* First unit of a row of a tile. */
static int64_t first_of_row(const hg_run *r, const hg_tile_view *t, int64_t row)
{
  const int64_t *n = r->domain.n, rows = hg_box_extent(&t->core, 1);
  return t->core.lo[0] + n[0] * (t->core.lo[1] + row % rows + n[1] * (t->core.lo[2] + row / rows));
}

void hg_run_some_rows(const hg_run *r, const hg_tile_view *t, int64_t first, int64_t end, hg_row_user *use, void *arg)
{
  const int64_t count = hg_box_extent(&t->core, 0), rows = hg_box_extent(&t->core, 1);
  for (int64_t i = first; i < end; i++)
    use(arg, first_of_row(r, t, i), count, t->values + i % rows * t->row + i / rows * t->layer);
}

/* Values that differ in size are contiguous. */
static void use_lengths(const hg_run *r, const hg_tile_view *t, int64_t rows, hg_row_user *use, void *arg)
{
  const int64_t count = hg_box_extent(&t->core, 0), size = r->job->update->value_bytes;
  const char *next = t->values;
  for (int64_t row = 0; row < rows; row++) {
    const int64_t id = first_of_row(r, t, row);
    use(arg, id, count, next);
    for (int64_t i = 0; i < count; i++) next += hg_run_length(r, id + i) * size;
  }
}

void hg_run_parts(const hg_tile_view *t, hg_part *work, void *arg)
{
  enum { CELLS_OF_A_THREAD = 1 << 16 };
  const int64_t most = hg_box_cells(&t->core) / CELLS_OF_A_THREAD;
  hg_parallel(most < INT_MAX ? (int)most : INT_MAX, work, arg);
}

void hg_run_each_row(const hg_run *r, const hg_tile_view *t, hg_row_user *use, void *arg)
{
  const int64_t rows = hg_box_extent(&t->core, 1) * hg_box_extent(&t->core, 2);
  if (r->job->length)
    use_lengths(r, t, rows, use, arg);
  else
    hg_run_some_rows(r, t, 0, rows, use, arg);
}

double hg_run_missing(const hg_run *r)
{
  const double *missing = hg_grid_missing(r->initial.field);
  if (!missing) return NAN;
  return r->job->update->value_type == 'f' ? (double)(float)*missing : *missing;
}

hg_status hg_run_describe(const hg_run *r, const hg_view *view, hg_field *f)
{
  const hg_update *u = r->job->update;
  HG_TRY(hg_run_check_numbers(r));
  *f = (hg_field){.dims = r->domain.dims,
                  .precision = u->value_type == 'f' && !r->job->number ? HG_FLOAT : HG_DOUBLE,
                  .name = r->job->value_name,
                  .number = r->job->number};
  f->placed = true;
  f->metric = r->options->grid.spacings > 0;
  memcpy(f->n, r->domain.n, sizeof f->n);
  f->where = hg_grid_where(r->initial.field);
  f->missing = hg_run_missing(r);
  f->has_missing = !isnan(f->missing);
  f->scaled = !f->metric && r->options->spacing > 0;
  for (int a = 0; a < 3; a++) f->spacing[a] = f->scaled ? r->options->spacing : r->options->grid.spacing[a];
  for (int a = 0; view && a < 3; a++) {
    const double spacing = f->spacing[a] > 0 ? f->spacing[a] : 1;
    f->n[a] = (hg_box_extent(&view->box, a) + view->stride[a] - 1) / view->stride[a];
    f->first[a] = view->box.lo[a];
    f->stride[a] = view->stride[a];
    f->origin[a] = (double)view->box.lo[a] * spacing;
    f->spacing[a] = (double)view->stride[a] * spacing;
  }
  f->counts_steps = !(r->options->grid.time_step > 0);
  f->time = (double)r->done * (f->counts_steps ? 1 : r->options->grid.time_step);
  return HG_OK;
}

hg_status hg_run_describe_all(const hg_run *r, const hg_view *view, hg_field out[1 + HG_NUMBERS_MAX])
{
  HG_TRY(hg_run_describe(r, view, out));
  for (const hg_number *one = r->job->also; one && one->name; one++, out++) {
    out[1] = out[0];
    out[0].also = &out[1];
    out[1].name = one->name, out[1].number = one->number, out[1].precision = HG_DOUBLE;
  }
  return HG_OK;
}

void hg_run_numbers(const hg_run *r, const hg_field *f, int64_t id, int64_t count, const char *value, void *out)
{
  for (int64_t i = 0; i < count; i++) {
    const int64_t length = hg_run_length(r, id + i);
    const double number = number_of(r, f, value, length);
    if (f->precision == HG_FLOAT)
      ((float *)out)[i] = (float)number;
    else
      ((double *)out)[i] = number;
    value += length * r->job->update->value_bytes;
  }
}

/* A run and where its tiles are sent. */
typedef struct errand {
  const hg_run *run;
  hg_tile_sink *take;
  void *arg;
} errand;

static int64_t elements_of(void *arg, const hg_box *core)
{
  const hg_run *r = ((const errand *)arg)->run;
  const int64_t *n = r->domain.n;
  int64_t elements = 0;
  if (!r->job->length) return hg_box_cells(core);
  for (int64_t z = core->lo[2]; z < core->hi[2]; z++)
    for (int64_t y = core->lo[1]; y < core->hi[1]; y++)
      for (int64_t x = core->lo[0]; x < core->hi[0]; x++) elements += hg_run_length(r, x + n[0] * (y + n[1] * z));
  return elements;
}

static hg_status hand_on(void *arg, const hg_tile_view *t)
{
  const errand *e = arg;
  return e->take(e->arg, t);
}

hg_status hg_run_send_tiles(hg_run *r, hg_tile_sink *take, void *arg)
{
  errand e = {r, take, arg};
  const hg_gathering g = {.session = &r->session,
                          .tiling = r->tiling,
                          .graph = r->graph,
                          .element_bytes = r->job->update->value_bytes,
                          .elements = elements_of,
                          .take = hand_on,
                          .arg = &e};
  return hg_gather(&g);
}
