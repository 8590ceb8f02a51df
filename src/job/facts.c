/* SPDX-License-Identifier: MIT */
/* What a job's files say of where their values come from. */
#include "job/run.h"

#include <inttypes.h>
#include <stdio.h>

#include "job/parameters.h"

static void add_size(const hg_run *r, hg_facts *f)
{
  char text[100];
  int at = snprintf(text, sizeof text, "%" PRId64, r->domain.n[0]);
  for (int a = 1; a < r->domain.dims; a++)
    at += snprintf(text + at, sizeof text - (size_t)at, ",%" PRId64, r->domain.n[a]);
  hg_facts_add_text(f, "size", text);
}

static void add_space_and_time(const hg_run *r, hg_facts *f)
{
  static const char *const names[3] = {"dx", "dy", "dz"};
  const hg_grid_options *o = &r->options->grid;
  for (int a = 0; a < r->domain.dims && o->spacings; a++) hg_facts_add_real(f, names[a], o->spacing[a]);
  if (!(o->time_step > 0)) return;
  hg_facts_add_real(f, "time_step", o->time_step);
  hg_facts_add_real(f, "time", (double)r->done * o->time_step);
}

void hg_run_facts(const hg_run *r, hg_facts *f)
{
  const hg_job *j = r->job;
  hg_facts_begin(f);
  hg_facts_add_whole(f, "ranks", r->session.ranks);
  hg_facts_add_text(f, "job", r->name);
  add_size(r, f);
  hg_facts_add_whole(f, "step", r->done);
  add_space_and_time(r, f);
  if (hg_run_is_real(r)) hg_facts_add_text(f, "precision", hg_precision_names[j->update->value_type == 'f']);
  if (j->boundary) hg_facts_add_text(f, "boundary", j->boundary);
  if (j->input) hg_facts_add_text(f, "input", j->input);
  if (j->source) hg_facts_add_text(f, "source", j->source);
  hg_facts_add_whole(f, "seed", j->seed);
  for (const hg_parameter *p = j->parameter; p && p->name; p++) hg_facts_add_real(f, p->name, hg_parameter_value(j, p));
  if (r->options->facts) r->options->facts(r->options->arg, j, f);
}
