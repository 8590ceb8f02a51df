/* SPDX-License-Identifier: MIT */
#include "program/job_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "codelets/simulated_costs.h"
#include "program/exit.h"
#include "program/outputs.h"
#include "result/trace_notes.h"
#include "result/checkpoint.h"
#include "result/write.h"

static hg_job_context *of(hg_run_context *l)
{
  return l->self;
}

/* --- before the runs ---------------------------------------------------------------------------------------------- */

hg_status hg_job_options_check(const hg_command *command, void *context)
{
  hg_job_context *l = context;
  hg_job *j = &l->job;
  l->context.command = command;
  l->sized = hg_option_given(command, "size");
  for (int a = j->dims; a < 3 && l->sized; a++) j->size[a] = 1;
  if (j->seed == 0 && hg_option_given(command, "seed")) j->seed = -1;
  return HG_OK;
}

hg_status hg_job_sides_check(const hg_command *command, const hg_job *j)
{
  if (!hg_option_given(command, "boundary-every") || hg_boundary_follows(j->boundary)) return HG_OK;
  return hg_fail(HG_INVALID, "--boundary-every: no side of --boundary follows a FILE.csv");
}

/* The job's own output is treated like one from the command line. */
static hg_status open_job(hg_run_context *context)
{
  hg_job_context *l = of(context);
  const hg_grid_options *g = &l->options.grid;
  hg_run_options *o = context->options;
  HG_TRY(hg_outputs_planned(o, g));
  if (l->job.output && o->outputs < HG_OUTPUTS_MAX) o->output[o->outputs++] = l->job.output;
  l->options.trace = o->trace;
  l->options.runs = o->repeat;
  l->options.warm = o->warmup > 0;
  l->options.picture = o->picture;
  l->options.grid.division.powers = o->energy.modelled;
  l->options.new_input = l->options.new_input && !l->sized;
  l->job.rebalance = g->rebalance;
  HG_TRY(hg_outputs_of_grid(o, g));
  return hg_outputs_check(o);
}

static hg_status check_checkpoint(const hg_run *r, const char *path)
{
  const hg_checkpoint c = hg_checkpoint_of(r->problem);
  return hg_checkpoint_check(path, &c);
}

/* The contents of files are known now: finds out before computing what cannot be written. */
static hg_status check_room(const hg_job_context *l)
{
  const hg_run *r = l->run;
  const hg_run_options *o = l->context.options;
  const double bytes = (double)hg_run_units(r) * (double)r->job->update->value_bytes;
  if (o->outputs > 0) HG_TRY(hg_run_check_numbers(r));
  if (r->job->snapshot_every > 0) HG_TRY(hg_outputs_beside_series(o, l->options.grid.checkpoint, hg_run_series(r)));
  hg_status status = r->session.rank == 0 ? hg_outputs_fit(o, r->domain.dims, bytes) : HG_OK;
  const char *checkpoint = r->session.rank == 0 ? l->options.grid.checkpoint : NULL;
  if (status == HG_OK && checkpoint) status = check_checkpoint(r, checkpoint);
  if (status == HG_OK && checkpoint) status = hg_output_fits(checkpoint, r->domain.dims, bytes);
  return hg_session_agree(&r->session, status);
}

/* The job's own fields are compared when it starts. */
static void list_job(const hg_run_context *context, hg_consistency *list)
{
  const hg_job_context *l = context->self;
  if (l->program.consistency) l->program.consistency(l, list);
}

static hg_status start_job(hg_run_context *context)
{
  hg_job_context *l = of(context);
  l->options.problem = context->problem;
  HG_TRY(hg_run_start(&l->job, &l->options, &l->run));
  context->session = &l->run->session;
  context->label = l->run->name;
  context->total = l->run->job->steps;
  if (hg_simulated && l->run->job->rebalance > 0)
    return hg_fail(HG_UNSUPPORTED, "--rebalance: not supported in virtual time");
  context->done = l->options.grid.plan_only;
  if (l->program.print_prediction && hg_context_prints(context) && !context->options->csv)
    l->program.print_prediction(l);
  if (context->done && hg_context_prints(context))
    return hg_report_plan(context->session, l->run->tiling, l->run->job->update->value_bytes, context->options->csv);
  if (context->done || hg_simulated) return HG_OK;
  if (l->options.grid.checkpoint) hg_watch_signals();
  return check_room(l);
}

static hg_status load_job(hg_run_context *context)
{
  hg_job_context *l = of(context);
  const bool loaded = context->number == -context->options->warmup; /* at the start */
  if (!loaded) HG_TRY(hg_run_load(l->run));
  l->exchanged = l->run->graph->exchanged;
  return HG_OK;
}

/* --- the run, with checkpoints ------------------------------------------------------------------------------------ */

/* A run that may be interrupted checks for it from time to time: often enough to end in time, rarely enough to cost
 * nothing. The number of steps between checks doubles until they take LONG_ENOUGH seconds. */
typedef struct lookout {
  int64_t steps;
  double since; /* time of the last check */
} lookout;

static int64_t next_look(const hg_job_context *l, const lookout *look)
{
  const hg_run *r = l->run;
  const int64_t every = l->options.grid.checkpoint_every;
  int64_t stop = r->job->steps;
  if (!l->options.grid.checkpoint) return stop;
  if (r->done + look->steps < stop) stop = r->done + look->steps;
  if (every > 0 && (r->done / every + 1) * every < stop) stop = (r->done / every + 1) * every;
  return stop;
}

/* All ranks agree. */
static void adapt(const hg_run *r, lookout *look)
{
  static const double LONG_ENOUGH = .25;
  double seconds = hg_now() - look->since;
  hg_session_max(&r->session, &seconds);
  if (seconds < LONG_ENOUGH && look->steps < r->job->steps) look->steps *= 2;
  if (seconds > 4 * LONG_ENOUGH && look->steps > 1) look->steps /= 2;
  look->since = hg_now();
}

/* Completes the previous checkpoint first. */
static hg_status save(hg_job_context *l)
{
  hg_run *r = l->run;
  hg_checkpointer *c = &l->checkpointer;
  int64_t step = 0;
  hg_status status = hg_run_saved(r, &step);
  HG_TRY(hg_checkpointer_tolerate(c, status, step, false));
  status = hg_run_checkpoint(r, l->options.grid.checkpoint);
  if (status == HG_OK && c->signal) status = hg_run_saved(r, NULL);
  HG_TRY(hg_checkpointer_tolerate(c, status, r->done, r->finished || c->signal));
  c->saved = hg_now();
  return HG_OK;
}

static hg_status run_job(hg_run_context *context)
{
  hg_job_context *l = of(context);
  hg_run *r = l->run;
  hg_checkpointer *c = &l->checkpointer;
  lookout look = {.steps = r->tiling->depth, .since = hg_now()};
  *c = hg_checkpointer_begin(&l->options.grid);
  r->bar = &context->bar;
  hg_status status = HG_OK;
  while (!r->finished && !c->signal && status == HG_OK) {
    status = hg_advance(r, next_look(l, &look) - r->done);
    if (status != HG_OK || !l->options.grid.checkpoint) continue;
    adapt(r, &look);
    if (hg_checkpointer_is_time(c, &r->session, r->done, r->finished)) status = save(l);
  }
  r->bar = NULL;
  l->steps = r->done - r->first;
  return status == HG_OK ? hg_checkpointer_end(c, r->done) : status;
}

/* --- after it ----------------------------------------------------------------------------------------------------- */

static void measure(hg_job_context *l)
{
  const hg_run *r = l->run;
  const char *noun = l->program.noun ? l->program.noun : "units";
  l->context.work = (double)hg_run_units(r) * (double)l->steps;
  snprintf(l->context.work_unit, sizeof l->context.work_unit, "%.*s and step", (int)strlen(noun) - 1, noun);
  hg_worker_times times[r->session.workers + 1];
  hg_graph_times(r->graph, times);
  l->busy = hg_report_busy(&r->session, times);
  l->exchanged = r->graph->exchanged - l->exchanged;
  hg_session_sum(&r->session, &l->exchanged);
  l->rebuilt = r->graph->connections.rebuilt;
  l->sent = (double)r->graph->connections.sent;
  hg_session_sum(&r->session, &l->sent);
}

static hg_status check_values(const hg_job_context *l)
{
  const hg_run *r = l->run;
  const hg_summary *s = &l->summary;
  if (s->nonfinite == 0) return HG_OK;
  const hg_cell c = hg_run_cell(r, s->first);
  return hg_fail(HG_MISMATCH,
                 "%s: %" PRId64 " values are infinite or not a number after step %" PRId64 ", the first at (%" PRId64
                 ", %" PRId64 ", %" PRId64 "); nothing was written",
                 r->name, s->nonfinite, r->done, c.x, c.y, c.z);
}

static void warn_of_no_convergence(const hg_job_context *l)
{
  const hg_run *r = l->run;
  const hg_job *j = r->job;
  char reached[200] = "nothing was measured";
  if (!isnan(r->reduction) && l->program.reached)
    l->program.reached(l, sizeof reached, reached);
  else if (!isnan(r->reduction))
    snprintf(reached, sizeof reached, "the %.40s is %.4g, --tolerance %g", j->quantity->name, r->reduction,
             j->tolerance);
  hg_log(HG_WARN, "%s: not converged: after %" PRId64 " step%s %s%s", r->name, r->done, r->done == 1 ? "" : "s",
         reached, r->stalled ? "; rounding errors keep it from falling further" : "");
}

static hg_status validate_job(hg_run_context *context)
{
  hg_job_context *l = of(context);
  const hg_job *j = l->run->job;
  measure(l);
  HG_TRY(hg_run_summary(l->run, &l->summary));
  HG_TRY(check_values(l));
  if (l->program.validated) HG_TRY(l->program.validated(l));
  if (j->tolerance > 0 && !l->run->converged && hg_context_is_last(context) && !hg_simulated) warn_of_no_convergence(l);
  return HG_OK;
}

static void tell_busy(hg_run_context *context, double *seconds)
{
  hg_graph_busy(of(context)->run->graph, seconds);
}

static void print_columns(const hg_run_context *context, hg_columns *row)
{
  const hg_job_context *l = context->self;
  (l->program.columns ? l->program.columns : hg_job_columns)(l, row);
}

static void print_text(const hg_run_context *context)
{
  hg_job_text(context->self);
}

static hg_status write_files(hg_job_context *l)
{
  const hg_run_options *o = l->context.options;
  const bool prints = l->context.session->rank == 0 && !o->quiet;
  hg_progress bar;
  hg_progress_begin(&bar, prints ? o->progress : HG_PROGRESS_OFF, "writing", o->outputs);
  const hg_status status = hg_run_write(l->run, o->outputs, o->output, &bar);
  hg_progress_end(&bar);
  for (int i = 0; i < o->outputs && status == HG_OK && prints; i++) hg_outputs_print(o, i);
  return status;
}

static hg_status verify(hg_job_context *l)
{
  hg_field f;
  HG_TRY(hg_run_gather(l->run, &f));
  const hg_status status = l->context.session->rank == 0 ? l->program.verify(l, &f) : HG_OK;
  hg_field_free(&f);
  HG_TRY(hg_session_agree(l->context.session, status));
  if (hg_context_prints(&l->context) && !l->context.options->csv)
    printf("  verified   %s\n", l->program.verified ? l->program.verified : "equal to the serial result, bit for bit");
  return HG_OK;
}

/* A result to be verified is written only if it is right. */
static hg_status finish_results(hg_job_context *l)
{
  if (hg_simulated) return HG_OK;
  if (l->verify) HG_TRY(verify(l));
  return write_files(l);
}

static hg_status finish_job(hg_run_context *context)
{
  hg_job_context *l = of(context);
  int64_t step = 0;
  HG_TRY(finish_results(l));
  HG_TRY(hg_context_phases_of_graph(context, l->run->graph, l->run->dynamic_seconds));
  HG_TRY(hg_run_write_models(l->run));
  const hg_status saved = hg_run_saved(l->run, &step);
  if (l->checkpointer.unsaved == HG_OK) HG_TRY(hg_checkpointer_tolerate(&l->checkpointer, saved, step, true));
  return hg_checkpointer_finish(&l->checkpointer);
}

/* In virtual time the partition is a file that hetgrid-simulate wrote for the run and named after the partitioner. */
static void name_partition(const hg_run *r, char name[100])
{
  const char *slash = hg_simulated ? strrchr(r->job->partition, '/') : NULL;
  snprintf(name, 100, "%.99s", slash ? slash + 1 : r->job->partition);
  if (slash) name[strcspn(name, ".")] = '\0';
}

static hg_status describe_job(hg_run_context *context, const char *folder)
{
  const hg_job_context *l = of(context);
  const hg_run *r = l->run;
  const int64_t *n = r->domain.n;
  char title[400], partition[100];
  name_partition(r, partition);
  snprintf(title, sizeof title,
           "%.100s %" PRId64 " x %" PRId64 " x %" PRId64 ", %" PRId64 " step%s in blocks of %d, %s, policy %s", r->name,
           n[0], n[1], n[2], l->steps, l->steps == 1 ? "" : "s", r->tiling->depth, partition, r->session.sched);
  return hg_grid_trace_notes(folder, title, r->graph);
}

static void release_job(hg_run_context *context)
{
  hg_free(of(context)->run);
}

int hg_job_program_run(hg_job_context *l)
{
  static const hg_program program = {.open = open_job,
                                     .consistency = list_job,
                                     .start = start_job,
                                     .load = load_job,
                                     .run = run_job,
                                     .validate = validate_job,
                                     .busy = tell_busy,
                                     .columns = print_columns,
                                     .text = print_text,
                                     .finish = finish_job,
                                     .describe = describe_job,
                                     .release = release_job};
  l->context.program = &program;
  l->context.options = &l->results;
  l->context.self = l;
  l->context.communicator = l->job.communicator;
  return hg_program_run(&l->context);
}
