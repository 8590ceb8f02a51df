/* SPDX-License-Identifier: MIT */
/* What must be the same on all ranks, named by the options of the command line where there are any. */
#include "job/parameters.h"
#include "job/run.h"

/* The program's version comes first; the shape follows the inputs, which it may be taken from. */
static void list_problem(const hg_run *r, hg_consistency *list)
{
  const hg_job *j = r->job;
  hg_consistency_text(list, "job", r->name);
  if (r->initial.text)
    hg_consistency_bytes(list, "--input", j->input, r->initial.text, r->initial.bytes);
  else
    hg_consistency_input(list, "--input", j->input);
  hg_consistency_input(list, r->options->source ? r->options->source : "--source", j->source);
  hg_consistency_int(list, "--dimension", j->dims);
  for (int a = 0; a < j->dims; a++)
    hg_consistency_int(list, (const char *const[]){"--size NX", "--size NY", "--size NZ"}[a], j->size[a]);
  hg_consistency_text(list, "update", j->update->name);
  hg_consistency_int(list, "bytes of a value (--precision)", j->update->value_bytes);
  hg_consistency_text(list, "type of a value", (const char[]){j->update->value_type ? j->update->value_type : '-', 0});
  hg_consistency_int(list, "radius", j->update->radius);
  hg_consistency_text(list, "--boundary", j->boundary ? j->boundary : "fixed");
  hg_run_list_sides(r, list);
  hg_consistency_int(list, "--seed", j->seed);
  for (const hg_parameter *p = j->parameter; p && p->name; p++)
    hg_consistency_doubles(list, p->name, 1, (const double[]){hg_parameter_value(j, p)});
  hg_consistency_bytes(list, "bytes of the parameters (with padding: clear them first)", "those",
                       r->parameters ? r->parameters : "", j->parameter_bytes);
  hg_consistency_int(list, "neighbours_every", j->neighbours_every);
  hg_consistency_int(list, "dynamic_every", j->dynamic_every);
}

/* When ranks synchronise. */
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

/* How the job is executed, as far as the job says it; the program compares options. */
static void list_execution(const hg_run *r, hg_consistency *list)
{
  const hg_job *j = r->job;
  hg_consistency_text(list, "--partition", j->divide ? "own" : j->partition);
  hg_consistency_doubles(list, "--rebalance", 1, &j->rebalance);
  hg_consistency_int(list, "--snapshot-every", j->snapshot_every);
  hg_consistency_text(list, "--snapshot", j->snapshot);
  hg_consistency_bytes(list, "--snapshot-box", "that", &j->snapshot_box, sizeof j->snapshot_box);
  hg_consistency_bytes(list, "--snapshot-stride", "that", j->snapshot_stride, sizeof j->snapshot_stride);
  hg_consistency_flag(list, "--snapshot-png", j->snapshot_png);
}

void hg_run_consistency(const hg_run *r, hg_consistency *list)
{
  list_problem(r, list);
  hg_consistency_of_problem(list, false);
  list_steps(r, list);
  list_execution(r, list);
}
