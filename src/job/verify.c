/* SPDX-License-Identifier: MIT */
/* Serial reference for any update with neighbours by formula: the whole grid with margins, one step per sweep, row by
 * row. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "job/value_rows.h"

typedef struct serial {
  const hg_run *run;
  const hg_job *job;
  int64_t pad[3];    /* layers of margin on each side of an axis */
  int64_t wide[3];   /* extents with margins */
  int64_t stride[3]; /* bytes */
  char *now, *next;
} serial;

hg_status hg_job_check_verify(const hg_job *j)
{
  const char *why = !j->update || !j->update->run ? "its update has no function for single units"
                    : j->update->radius == 0      ? "its neighbours are not given by formula (HG_RADIUS)"
                    : j->dynamic                  ? "its `dynamic` may change values between steps"
                                                  : NULL;
  return why ? hg_fail(HG_INVALID, "--verify: not supported for this application: %s", why) : HG_OK;
}

static char *at(const serial *s, char *values, int64_t x, int64_t y, int64_t z)
{
  return values + (x + s->pad[0]) * s->stride[0] + (y + s->pad[1]) * s->stride[1] + (z + s->pad[2]) * s->stride[2];
}

/* Number of layers at a side that keep their values. */
static int64_t held(const serial *s, int axis, int high)
{
  return s->run->side[axis][high].kind == HG_FIXED ? s->pad[axis] : 0;
}

/* Copies one layer of the padded grid to another. */
static void copy_layer(const serial *s, int axis, int64_t from, int64_t to)
{
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int64_t i = 0; i < s->wide[u]; i++)
    for (int64_t j = 0; j < s->wide[v]; j++) {
      char *cell = s->now + i * s->stride[u] + j * s->stride[v];
      memcpy(cell + to * s->stride[axis], cell + from * s->stride[axis], (size_t)s->stride[0]);
    }
}

static void fill_margins(const serial *s)
{
  for (int axis = 0; axis < s->job->dims; axis++) {
    const int64_t n = s->job->size[axis], p = s->pad[axis];
    for (int high = 0; high < 2; high++)
      for (int64_t i = 0; i < p; i++) { /* layers, outwards */
        const hg_boundary kind = s->run->side[axis][high].kind;
        const int64_t to = high ? p + n + i : p - 1 - i;
        if (kind == HG_PERIODIC) copy_layer(s, axis, high ? to - n : to + n, to);
        if (kind == HG_INSULATED) copy_layer(s, axis, high ? p + n - 1 - i : p + i, to);
      }
  }
}

/* Rows around a unit, by dz, then dy. */
static void find_rows(const serial *s, int64_t x, int64_t y, int64_t z, const void **row)
{
  for (int64_t dz = -s->pad[2]; dz <= s->pad[2]; dz++)
    for (int64_t dy = -s->pad[1]; dy <= s->pad[1]; dy++) *row++ = at(s, s->now, x, y + dy, z + dz);
}

static hg_status advance_row(const serial *s, int64_t step, int64_t y, int64_t z)
{
  const int64_t *n = s->job->size, first = held(s, 0, 0), end = n[0] - held(s, 0, 1);
  const void *row[(2 * s->pad[1] + 1) * (2 * s->pad[2] + 1)];
  hg_fault fault = {.kind = HG_FAULT_NONE};
  hg_units units = {
      .n = {n[0], n[1], n[2]}, .at = {first, y, z}, .step = step, .parameters = s->job->parameters, .fault = &fault};
  memcpy(at(s, s->next, 0, y, z), at(s, s->now, 0, y, z), (size_t)(n[0] * s->stride[0]));
  for (int axis = 1; axis < s->job->dims; axis++) {
    const int64_t i = axis == 1 ? y : z;
    if (i < held(s, axis, 0) || i >= n[axis] - held(s, axis, 1)) return HG_OK;
  }
  find_rows(s, first, y, z, row);
  units.row = row;
  if (end > first) s->job->update->run(&units, end - first, at(s, s->next, first, y, z));
  return fault.kind == HG_FAULT_NONE
             ? HG_OK
             : hg_fail(HG_MISMATCH, "verify: the update fails serially at unit %" PRId64 " in step %" PRId64,
                       fault.unit, step);
}

static void hold_cell(void *arg, const int64_t place[3], double value)
{
  const serial *s = arg;
  hg_run_store(s->job->update, value, at(s, s->now, place[0], place[1], place[2]));
}

static hg_status advance(serial *s)
{
  const hg_box whole = {{0, 0, 0}, {s->job->size[0], s->job->size[1], s->job->size[2]}};
  for (int64_t step = s->run->first; step < s->run->done; step++) {
    if (hg_run_sides_are_due(s->run, step)) hg_run_each_held(s->run, &whole, step, hold_cell, s);
    fill_margins(s);
    for (int64_t z = 0; z < s->job->size[2]; z++)
      for (int64_t y = 0; y < s->job->size[1]; y++) HG_TRY(advance_row(s, step, y, z));
    char *swap = s->now;
    s->now = s->next;
    s->next = swap;
  }
  return HG_OK;
}

static hg_status load(const serial *s)
{
  const int64_t *n = s->job->size, row = n[0] * s->stride[0];
  void *values;
  HG_TRY(hg_allocate("a row of the grid", (size_t)row, &values));
  hg_status status = HG_OK;
  for (int64_t z = 0; z < n[2] && status == HG_OK; z++)
    for (int64_t y = 0; y < n[1] && status == HG_OK; y++) {
      memset(values, 0, (size_t)row);
      status = hg_run_fill((void *)(uintptr_t)s->run, &(hg_box){{0, y, z}, {n[0], y + 1, z + 1}}, values);
      memcpy(at(s, s->now, 0, y, z), values, (size_t)row);
    }
  free(values);
  return status;
}

static void store(const serial *s, hg_field *f)
{
  const int64_t *n = s->job->size, size = hg_precision_bytes(f->precision);
  for (int64_t z = 0; z < n[2]; z++)
    for (int64_t y = 0; y < n[1]; y++) {
      const int64_t id = n[0] * (y + n[1] * z);
      char *numbers = (char *)f->values + id * size, *values = at(s, s->now, 0, y, z);
      if (hg_run_keeps(s->run, f))
        memcpy(numbers, values, (size_t)(n[0] * size));
      else
        hg_run_numbers(s->run, f, id, n[0], values, numbers);
    }
}

hg_status hg_run_verify(const hg_run *r, const hg_field *result)
{
  serial s = {.run = r, .job = r->job};
  hg_field expected = {0};
  s.stride[0] = r->job->update->value_bytes;
  for (int a = 0; a < 3; a++) {
    s.pad[a] = a < r->job->dims ? r->job->update->radius : 0;
    s.wide[a] = r->job->size[a] + 2 * s.pad[a];
    if (a > 0) s.stride[a] = s.stride[a - 1] * s.wide[a - 1];
  }
  const size_t bytes = (size_t)(s.stride[2] * s.wide[2]);
  hg_status status = hg_allocate("the serial result", bytes, (void **)&s.now);
  if (status == HG_OK) status = hg_allocate("the serial result", bytes, (void **)&s.next);
  if (status == HG_OK) status = load(&s);
  if (status == HG_OK) status = advance(&s);
  if (status == HG_OK) status = hg_field_make_like(result, &expected);
  if (status == HG_OK) store(&s, &expected);
  if (status == HG_OK) status = hg_field_compare(result, &expected);
  hg_field_free(&expected);
  free(s.now);
  free(s.next);
  return status;
}
