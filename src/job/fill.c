/* SPDX-License-Identifier: MIT */
/* Initial values of a job's units: from its `init`, from fields, lines of text, or a checkpoint. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/memory.h"
#include "base/text.h"
#include "input/foreign.h"
#include "job/value_rows.h"

/* First number of a line; one followed by anything but a blank, as in 1,5 or 3x, does not count. */
static double first_number(const char *text)
{
  double number;
  if (!text) return NAN;
  text += strspn(text, " \t");
  const char *end = hg_scan_double(text, text + strlen(text), &number);
  return end && (!*end || *end == ' ' || *end == '\t') ? number : NAN;
}

static hg_status check_number(const hg_run *r, const hg_cell *c, double number)
{
  char bound[HG_BOUND_MAX], place[100];
  if (hg_run_fits(r->job->update, number)) return HG_OK;
  snprintf(place, sizeof place, "(%" PRId64 ", %" PRId64 ", %" PRId64 ")", c->x, c->y, c->z);
  if (r->initial.line) snprintf(place, sizeof place, "line %" PRId64, c->id + 1);
  return hg_fail(HG_FORMAT, "%s: %.15g for unit %" PRId64 " %s: %s", r->job->input, number, c->id,
                 hg_run_bound(r->job->update, bound), place);
}

static hg_status init_unit(const hg_run *r, const hg_cell *c, double number, void *value)
{
  const hg_source *s = &r->initial;
  hg_input input = {.number = number};
  if (s->line) {
    input.text = c->id < s->lines ? s->line[c->id] : NULL;
    input.number = first_number(input.text);
  }
  if (r->job->init) {
    HG_PROGRAMS_LOCALE;
    return r->job->init(c, value, &input, r->job->arg);
  }
  if (isnan(input.number) && s->line) HG_TRY(hg_foreign_check(r->job->input));
  if (isnan(input.number))
    return hg_fail(HG_FORMAT, "%s: line %" PRId64 ": '%s' does not begin with a number", r->job->input, c->id + 1,
                   input.text ? input.text : "");
  HG_TRY(check_number(r, c, input.number));
  hg_run_store(r->job->update, input.number, value);
  return HG_OK;
}

/* Reads values of a checkpoint, where those of a row are contiguous too. */
static hg_status restore_rows(const hg_run *r, const hg_box *box, char *values)
{
  const hg_source *s = &r->initial;
  const int64_t *n = r->domain.n, size = r->job->update->value_bytes, count = hg_box_extent(box, 0);
  for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++) {
      const int64_t id = box->lo[0] + n[0] * (y + n[1] * z);
      const int64_t at = hg_source_offset(s, id, size), bytes = hg_source_offset(s, id + count, size) - at;
      HG_TRY(hg_stored_read(&s->stored, at, (size_t)bytes, values));
      values += bytes;
    }
  return HG_OK;
}

/* Fills values unit by unit, one after the other. @param number  [units] of the input, or NULL */
static hg_status fill_units(const hg_run *r, const hg_box *box, const double *number, void *values)
{
  const int64_t *n = r->domain.n, bytes = r->job->update->value_bytes;
  char *value = values;
  hg_status status = HG_OK;
  int64_t i = 0;
  for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t x = box->lo[0]; x < box->hi[0] && status == HG_OK; x++, i++) {
        const hg_cell c = hg_run_cell(r, x + n[0] * (y + n[1] * z));
        status = init_unit(r, &c, number ? number[i] : NAN, value);
        if (status != HG_OK && !*hg_message())
          hg_fail(status, "unit %" PRId64 " (%" PRId64 ", %" PRId64 ", %" PRId64 "): init failed", c.id, x, y, z);
        value += c.length * bytes;
      }
  return status;
}

/* Reads a box of a field as real numbers of the update's type. */
static hg_status read_numbers(const hg_run *r, hg_grid_input *field, const hg_box *box, void *values)
{
  double *number;
  if (r->job->update->value_type == 'd') return hg_grid_read(field, r->domain.n, box, values);
  HG_TRY(hg_allocate("a part of the input", (size_t)hg_box_cells(box) * sizeof *number, (void **)&number));
  hg_status status = hg_grid_read(field, r->domain.n, box, number);
  if (status == HG_OK) status = hg_grid_round(field, box, number, values);
  free(number);
  return status;
}

static hg_status read_and_fill_units(const hg_run *r, const hg_box *box, void *values)
{
  double *number;
  HG_TRY(hg_allocate("a part of the input", (size_t)hg_box_cells(box) * sizeof *number, (void **)&number));
  hg_status status = hg_grid_read(r->initial.field, r->domain.n, box, number);
  if (status == HG_OK) status = fill_units(r, box, number, values);
  free(number);
  return status;
}

/* The values of a box. */
typedef struct filling {
  const hg_run *run;
  const hg_box *box;
  char *values;
} filling;

static void hold_cell(void *arg, const int64_t at[3], double value)
{
  const filling *f = arg;
  const hg_box *b = f->box;
  const int64_t cell =
      at[0] - b->lo[0] + hg_box_extent(b, 0) * (at[1] - b->lo[1] + hg_box_extent(b, 1) * (at[2] - b->lo[2]));
  hg_run_store(f->run->job->update, value, f->values + cell * f->run->job->update->value_bytes);
}

hg_status hg_run_fill(void *run, const hg_box *box, void *values)
{
  const hg_run *r = run;
  if (r->initial.stored.file) return restore_rows(r, box, values);
  if (!r->initial.field)
    HG_TRY(fill_units(r, box, NULL, values));
  else if (!r->job->init && hg_run_is_real(r))
    HG_TRY(read_numbers(r, r->initial.field, box, values));
  else
    HG_TRY(read_and_fill_units(r, box, values));
  hg_run_each_held(r, box, 0, hold_cell, &(filling){r, box, values});
  return HG_OK;
}

/* Replaces the numbers that were read by those that the job computes; NaN means no data. */
static hg_status make_source(const hg_run *r, const hg_box *box, bool read, void *values)
{
  HG_PROGRAMS_LOCALE;
  const hg_update *u = r->job->update;
  const int64_t *n = r->domain.n;
  char *value = values, bound[HG_BOUND_MAX];
  for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t x = box->lo[0]; x < box->hi[0]; x++, value += u->value_bytes) {
        const hg_cell c = hg_run_cell(r, x + n[0] * (y + n[1] * z));
        const double number = !read ? NAN : u->value_type == 'f' ? (double)*(float *)value : *(double *)value;
        const double made = r->job->source_value(&c, number, r->job->arg);
        if (!isnan(made) && !hg_run_fits(u, made))
          return hg_fail(HG_INVALID, "%s: `source_value` %g of unit %" PRId64 " %s", r->name, made, c.id,
                         hg_run_bound(u, bound));
        hg_run_store(u, made, value);
      }
  return HG_OK;
}

hg_status hg_run_fill_source(void *run, const hg_box *box, void *values)
{
  const hg_run *r = run;
  if (r->source) HG_TRY(read_numbers(r, r->source, box, values));
  return r->job->source_value ? make_source(r, box, r->source, values) : HG_OK;
}
