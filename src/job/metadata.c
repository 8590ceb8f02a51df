/* SPDX-License-Identifier: MIT */
/* Metadata of a job's files: where their values come from. */
#include "job/run.h"

#include <inttypes.h>
#include <stdio.h>

#include "job/parameters.h"

static void add_size(const hg_run *r, hg_metadata *f)
{
  char text[100];
  int at = snprintf(text, sizeof text, "%" PRId64, r->domain.n[0]);
  for (int a = 1; a < r->domain.dims; a++)
    at += snprintf(text + at, sizeof text - (size_t)at, ",%" PRId64, r->domain.n[a]);
  hg_metadata_add_text(f, "size", text);
}

static void add_space_and_time(const hg_run *r, hg_metadata *f)
{
  static const char *const names[3] = {"dx", "dy", "dz"};
  const hg_grid_options *o = &r->options->grid;
  for (int a = 0; a < r->domain.dims && o->spacings; a++) hg_metadata_add_double(f, names[a], o->spacing[a]);
  if (!(o->time_step > 0)) return;
  hg_metadata_add_double(f, "time_step", o->time_step);
  hg_metadata_add_double(f, "time", (double)r->done * o->time_step);
}

void hg_run_metadata(const hg_run *r, hg_metadata *f)
{
  const hg_job *j = r->job;
  hg_metadata_begin(f);
  hg_metadata_add_int(f, "ranks", r->session.ranks);
  hg_metadata_add_text(f, "job", r->name);
  add_size(r, f);
  hg_metadata_add_int(f, "step", r->done);
  add_space_and_time(r, f);
  if (hg_run_is_real(r)) hg_metadata_add_text(f, "precision", hg_precision_names[j->update->value_type == 'f']);
  if (j->boundary) hg_metadata_add_text(f, "boundary", j->boundary);
  if (j->input) hg_metadata_add_text(f, "input", j->input);
  if (r->options->masks) hg_metadata_add_text(f, "nodata", "mask");
  if (j->source) hg_metadata_add_text(f, r->options->source ? r->options->source + 2 : "source", j->source);
  hg_metadata_add_int(f, "seed", j->seed);
  for (const hg_parameter *p = j->parameter; p && p->name; p++)
    hg_metadata_add_double(f, p->name, hg_parameter_value(j, p));
  if (r->options->metadata) r->options->metadata(r->options->arg, j, f);
}
