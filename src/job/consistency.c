/* SPDX-License-Identifier: MIT */
/* What a job must be on all ranks: by the options of its command line, where there are such. */
#include <stdio.h>

#include "job/parameters.h"
#include "job/run.h"

/* The program's version comes first, the shape after the inputs that it may be of. */
static void list_problem(const hg_run *r, hg_consistency *list)
{
  const hg_job *j = r->job;
  hg_consistency_text(list, "job", r->name);
  if (r->initial.text)
    hg_consistency_bytes(list, "--input", j->input, r->initial.text, r->initial.bytes);
  else
    hg_consistency_input(list, "--input (--init)", j->input);
  hg_consistency_input(list, "--source", j->source);
  hg_consistency_int(list, "--dimension", j->dims);
  for (int a = 0; a < j->dims; a++)
    hg_consistency_int(list, (const char *const[]){"--size NX", "--size NY", "--size NZ"}[a], j->size[a]);
  hg_consistency_text(list, "update", j->update->name);
  hg_consistency_int(list, "bytes of a value (--precision)", j->update->value_bytes);
  hg_consistency_text(list, "type of a value", (const char[]){j->update->value_type ? j->update->value_type : '-', 0});
  hg_consistency_int(list, "radius", j->update->radius);
  hg_consistency_text(list, "--boundary", j->boundary ? j->boundary : "fixed");
  hg_consistency_int(list, "--seed", j->seed);
  for (const hg_parameter *p = j->parameter; p && p->name; p++)
    hg_consistency_doubles(list, p->name, 1, (const double[]){hg_parameter_value(j, p)});
  hg_consistency_bytes(list, "bytes of the parameters", "those", r->parameters ? r->parameters : "",
                       j->parameter_bytes);
  hg_consistency_int(list, "neighbours_every", j->neighbours_every);
  hg_consistency_int(list, "dynamic_every", j->dynamic_every);
}

/* When ranks meet. */
static void list_steps(const hg_run *r, hg_consistency *list)
{
  const hg_job *j = r->job;
  hg_consistency_int(list, "--steps", j->steps);
  hg_consistency_doubles(list, "--tolerance", 1, &j->tolerance);
  hg_consistency_int(list, "--check-every", j->check_every);
  hg_consistency_int(list, "--neighbours", j->neighbour_limit);
  hg_consistency_int(list, "reduction", j->reduction);
  hg_consistency_text(list, "quantity", j->quantity ? j->quantity->name : NULL);
}

static void list_execution(const hg_run *r, hg_consistency *list)
{
  const hg_grid_options *o = &r->options->grid;
  char tile[80] = "chosen";
  if (o->tile[0])
    snprintf(tile, sizeof tile, "%lld,%lld,%lld", (long long)o->tile[0], (long long)o->tile[1], (long long)o->tile[2]);
  hg_consistency_text(list, "--partition", r->job->divide ? "own" : r->job->partition);
  hg_consistency_text(list, "--speeds tables:", o->division.tables);
  hg_consistency_doubles(list, "--speeds", o->division.speeds, o->division.speed);
  hg_consistency_text(list, "--objective", hg_criterion_names[o->division.objective]);
  hg_consistency_doubles(list, "--rebalance", 1, &r->job->rebalance);
  hg_consistency_flag(list, "--models", o->models != NULL);
  hg_consistency_int(list, "--block (0: chosen)", o->block);
  hg_consistency_text(list, "--tile", tile);
  hg_consistency_text(list, "--checkpoint", o->checkpoint);
  hg_consistency_int(list, "--checkpoint-every", o->checkpoint_every);
  hg_consistency_doubles(list, "--checkpoint-minutes", 1, &o->checkpoint_seconds);
  hg_consistency_input(list, "--restart", o->restart);
  hg_consistency_int(list, "--snapshot-every", r->job->snapshot_every);
  hg_consistency_text(list, "--snapshot", r->job->snapshot);
  hg_consistency_bytes(list, "--snapshot-box", "that", &r->job->snapshot_box, sizeof r->job->snapshot_box);
  hg_consistency_bytes(list, "--snapshot-stride", "that", r->job->snapshot_stride, sizeof r->job->snapshot_stride);
  hg_consistency_flag(list, "--snapshot-png", r->job->snapshot_png);
  hg_consistency_flag(list, "--plan-only", o->plan_only);
}

void hg_run_alike(const hg_run *r, hg_consistency *list)
{
  list_problem(r, list);
  hg_consistency_of_problem(list, false);
  list_steps(r, list);
  list_execution(r, list);
}
