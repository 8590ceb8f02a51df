/* SPDX-License-Identifier: MIT */
/* --verify: runs the serial reference from the initial state. */
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/memory.h"
#include "heat.h"

/* Copies a box read as doubles into place, rounded to the field's precision. */
static hg_status round_into(const hg_field *f, const hg_grid_input *in, const hg_box *box, const double *values,
                            int64_t first)
{
  if (f->precision == HG_FLOAT) return hg_grid_round(in, box, values, (float *)f->values + first);
  memcpy((double *)f->values + first, values, (size_t)hg_box_cells(box) * sizeof *values);
  return HG_OK;
}

/* Reads a whole input layer by layer (a layer: a row of a 2-D grid, a plane of a 3-D one). */
static hg_status read_whole(const hg_job_context *l, bool initial, hg_field *f)
{
  static const hg_side free_side[3][2];
  const int slow = f->dims - 1;
  const int64_t layers = f->dims == 1 ? 1 : f->n[slow], layer = hg_field_cells(f) / layers;
  hg_grid_input *in = NULL;
  double *values;
  HG_TRY(hg_allocate("a layer of the input", (size_t)layer * sizeof *values, (void **)&values));
  hg_status status = hg_job_open_field(l->run->job, l->run->options->masks, initial, &in);
  for (int64_t i = 0; i < layers && status == HG_OK; i++) {
    hg_box box = {{0, 0, 0}, {f->n[0], f->n[1], f->n[2]}};
    if (f->dims > 1) box.lo[slow] = i, box.hi[slow] = i + 1;
    status = hg_grid_read_initial(in, f->dims, f->n, initial ? l->run->side : free_side, &box, values);
    if (status == HG_OK) status = round_into(f, in, &box, values, i * layer);
  }
  free(values);
  hg_grid_close(in);
  return status;
}

static void advance(const hg_run *r, bool is_field, int64_t steps, hg_field *state, void *scratch, const void *q)
{
  const hg_heat_coef *alpha = r->job->parameters;
  int kind[3][2];
  heat_side_kinds(r->side, kind);
  if (is_field && state->precision == HG_FLOAT)
    heat_field_reference_float(state->dims, state->n, kind, alpha, steps, state->values, scratch, q);
  else if (is_field)
    heat_field_reference_double(state->dims, state->n, kind, alpha, steps, state->values, scratch, q);
  else if (state->precision == HG_FLOAT)
    hg_heat_reference_float(state->dims, state->n, kind, alpha, steps, state->values, scratch, q);
  else
    hg_heat_reference_double(state->dims, state->n, kind, alpha, steps, state->values, scratch, q);
}

static void hold_cell(void *arg, const int64_t at[3], double value)
{
  hg_field *f = arg;
  const int64_t i = at[0] + f->n[0] * (at[1] + f->n[1] * at[2]);
  if (f->precision == HG_FLOAT)
    ((float *)f->values)[i] = (float)value;
  else
    ((double *)f->values)[i] = value;
}

/* Advances piece by piece; between pieces, sides are set and progress is shown. */
static void advance_all(hg_job_context *l, hg_field *state, void *scratch, const void *q)
{
  const hg_run *r = l->run;
  const hg_box whole = {{0, 0, 0}, {state->n[0], state->n[1], state->n[2]}};
  const int64_t steps = r->done, every = r->follows ? r->job->boundary_every : INT64_MAX;
  const int64_t piece = 1 + (1 << 24) / hg_field_cells(state);
  hg_progress bar;
  hg_progress_begin(&bar, l->context.options->quiet ? HG_PROGRESS_OFF : l->context.options->progress, "verify", steps);
  for (int64_t done = 0; done < steps;) {
    const int64_t next = hg_min(hg_min(piece, every - done % every), steps - done);
    if (hg_run_sides_are_due(r, done)) hg_run_each_held(r, &whole, done, hold_cell, state);
    advance(r, heat_has_field(l->self), next, state, scratch, q);
    hg_progress_update(&bar, done += next);
  }
  hg_progress_end(&bar);
}

hg_status heat_verify(hg_job_context *l, const hg_field *result)
{
  const hg_job *j = l->run->job;
  hg_field state = {0}, scratch = {0}, q = {0};
  hg_status status = hg_field_make_like(result, &state);
  if (status == HG_OK) status = read_whole(l, true, &state);
  if (status == HG_OK) status = hg_field_make_like(result, &scratch);
  if (status == HG_OK && (j->source || j->source_value)) status = hg_field_make_like(result, &q);
  if (status == HG_OK && j->source) status = read_whole(l, false, &q);
  if (status == HG_OK && j->source_value) heat_make_source(j, &q);
  if (status == HG_OK) advance_all(l, &state, scratch.values, q.values);
  if (status == HG_OK) status = hg_field_compare(result, &state);
  hg_field_free(&state);
  hg_field_free(&scratch);
  hg_field_free(&q);
  return status;
}
