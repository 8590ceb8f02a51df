/* SPDX-License-Identifier: MIT */
/* hetgrid-adr: its context. */
#include "adr.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adr/certificate.h"
#include "adr/problem_file.h"
#include "adr/serial.h"
#include "base/clock.h"
#include "base/log.h"
#include "codelets/simulated_costs.h"
#include "runtime/versions.h"
#include "program/exit.h"
#include "program/outputs.h"
#include "program/program.h"
#include "result/trace_notes.h"
#include "result/checkpoint.h"
#include "result/write.h"
#include "runtime/mpi_backoff.h"

/* Beyond 1 the weights have both signs: then it depends on the time step what is certain. */
static void warn_of_peclet(const adr *a)
{
  const double peclet = hg_adr_peclet(&a->problem);
  char number[32] = "infinite, as D is 0,";
  if (peclet <= 1 || hg_simulated) return;
  const double ratio = hg_adr_certificate(&a->problem, &a->options.settings);
  if (!(ratio >= 1)) return;
  if (isfinite(peclet)) snprintf(number, sizeof number, "%.3g", peclet);
  hg_log(
      HG_WARN,
      "the grid's Peclet number |a| h / (2 D) is %s and the Jacobian's weighted row ratio %.3g, both beyond 1: values "
      "may oscillate between nodes, and sweeps over several blocks may not converge (the run then fails, naming the "
      "step); use more --steps or nodes",
      number, ratio);
}

/* Finds errors in the problem before anything starts. */
static hg_status open_problem(hg_run_context *context)
{
  adr *a = context->self;
  adr_options *o = &a->options;
  a->kernel = hg_adr_kernel_find("auto");
  HG_TRY(o->problem_file ? hg_adr_problem_read(o->problem_file, o->size, &a->problem)
                         : hg_adr_problem_make(o->problem, o->size, &a->problem));
  adr_fit_overlap(o, a->problem.n);
  HG_TRY(hg_adr_step_check(&a->problem, &o->settings));
  if (hg_session_launch_rank() != 0) return HG_OK;
  warn_of_peclet(a);
  HG_TRY(hg_outputs_planned(&o->run, &o->grid));
  HG_TRY(hg_outputs_of_grid(&o->run, &o->grid));
  HG_TRY(hg_outputs_apart(&o->run, "--history", o->history));
  HG_TRY(hg_outputs_beside_checkpoint("--history", o->history, &o->grid));
  HG_TRY(hg_files_apart("--history", o->history, "--phases", o->run.phases_file));
  HG_TRY(hg_outputs_check(&o->run));
  return adr_history_check(o);
}

static void list_consistency(const hg_run_context *context, hg_consistency *list)
{
  const adr *a = context->self;
  hg_adr_list(&a->problem, &a->options.settings, list);
}

/* Finds files that cannot be written before anything is computed. */
static hg_status check_room(const adr *a)
{
  const adr_options *o = &a->options;
  const char *checkpoint = o->grid.checkpoint;
  const double cells = (double)a->problem.n[0] * (double)a->problem.n[1] * (double)a->problem.n[2];
  if (a->session.rank != 0) return HG_OK;
  HG_TRY(hg_outputs_fit(&o->run, 3, 2 * 8 * cells));
  if (!checkpoint) return HG_OK;
  const hg_checkpoint wanted = hg_checkpoint_of(a->context.problem);
  HG_TRY(hg_checkpoint_check(checkpoint, &wanted));
  return hg_output_fits(checkpoint, 3, HG_ADR_RECORD * 8 * cells);
}

static hg_status restore(adr *a)
{
  const adr_options *o = &a->options;
  if (!o->grid.restart) return HG_OK;
  HG_TRY(hg_adr_restore(&a->problem, &o->settings, o->grid.restart, a->context.problem, &a->first, &a->record));
  if (a->first <= adr_last_step(a)) return HG_OK;
  return hg_fail(HG_INVALID, "--stop-after: %" PRId64 ", but %s holds the values after step %" PRId64, o->stop_after,
                 o->grid.restart, a->first);
}

/* The user asked for it, so the costs of exchanges and moves are not considered. */
static hg_status watch(adr *a)
{
  const int64_t *n = a->problem.n;
  return hg_balance_open(&a->session, hg_balance_keeps_owners(&a->session), (double)n[0] * (double)n[1] * (double)n[2],
                         HG_ADR_RECORD * sizeof(double), 1, &a->balance);
}

static hg_status start(hg_run_context *context)
{
  adr *a = context->self;
  const adr_options *o = &a->options;
  HG_TRY(hg_session_join(NULL, &a->session));
  HG_TRY(hg_session_open(&(hg_session_options){.sched = o->grid.sched, .trace = o->run.trace}, &a->session));
  context->session = &a->session;
  context->label = "adr";
  context->total = adr_last_step(a);
  HG_TRY(hg_session_agree(&a->session, restore(a)));
  HG_TRY(hg_session_agree(&a->session, adr_history_open(a)));
  HG_TRY(adr_divide(a, NULL, &a->tiling));
  context->done = o->grid.plan_only;
  if (context->done && hg_context_prints(context)) return hg_report_plan(&a->session, a->tiling, 16, o->run.csv);
  if (context->done) return HG_OK;
  if (!hg_simulated) HG_TRY(hg_session_agree(&a->session, check_room(a)));
  if (o->grid.checkpoint) hg_watch_signals();
  if (o->grid.rebalance > 0) HG_TRY(hg_session_agree(&a->session, watch(a)));
  return hg_adr_graph_make(&a->session, a->tiling, &a->problem, &o->settings, a->kernel, &a->graph);
}

static hg_status load(hg_run_context *context)
{
  adr *a = context->self;
  a->done = a->first;
  a->moves = 0;
  if (a->balance.session) hg_balance_restart(&a->balance);
  return hg_adr_graph_load(a->graph, a->first, a->record);
}

/* --- after a run --- */

static hg_status check_values(adr *a)
{
  const int64_t cells = hg_field_cells(&a->field[0]);
  a->sum = a->largest = 0;
  for (int s = 0; s < 2; s++)
    for (int64_t i = 0; i < cells; i++) {
      const double value = ((const double *)a->field[s].values)[i];
      a->sum += value;
      a->largest = fmax(a->largest, fabs(value));
      if (!isfinite(value)) return hg_fail(HG_MISMATCH, "c%d is %g at node %" PRId64, s + 1, value, i);
    }
  return HG_OK;
}

static hg_status validate(hg_run_context *context)
{
  adr *a = context->self;
  hg_worker_times times[a->session.workers + 1];
  hg_status status = HG_OK;
  hg_graph_times(hg_adr_graph_base(a->graph), times);
  a->busy = hg_report_busy(&a->session, times);
  a->stats = hg_adr_graph_stats(a->graph);
  context->work =
      2. * (double)a->problem.n[0] * (double)a->problem.n[1] * (double)a->problem.n[2] * (double)(a->done - a->first);
  strcpy(context->work_unit, "unknown and step");
  a->error = NAN;
  if (hg_simulated) return HG_OK;
  for (int s = 0; s < 2; s++) hg_field_free(&a->field[s]);
  HG_TRY(hg_adr_gather(&a->session, a->tiling, a->graph, false, a->field));
  if (a->session.rank == 0) status = check_values(a);
  const double *const value[2] = {a->field[0].values, a->field[1].values};
  if (a->session.rank == 0 && status == HG_OK)
    a->error = hg_adr_error(&a->problem, value, hg_adr_time(&a->options.settings, a->done));
  return hg_session_agree(&a->session, status);
}

static void tell_busy(hg_run_context *context, double *seconds)
{
  const adr *a = context->self;
  hg_graph_busy(hg_adr_graph_base(a->graph), seconds);
}

/* Both solutions may be off by what the tolerance allows in each step. */
static hg_status verify(const adr *a)
{
  static const double MANY = 1000;
  const hg_adr_settings *s = &a->options.settings;
  const int64_t cells = hg_field_cells(&a->field[0]);
  hg_adr_result serial;
  double worst = 0;
  HG_TRY(hg_adr_serial(&a->problem, s, a->kernel, a->done, &serial));
  for (int64_t i = 0; i < 2 * cells; i++) {
    const double value = ((const double *)a->field[i / cells].values)[i % cells], wanted = serial.value[i];
    const double off = fabs(value - wanted) / (fabs(wanted) + 1);
    if (!(off <= worst)) worst = off; /* also a NaN */
  }
  free(serial.value);
  if (!(worst <= MANY * s->tolerance))
    return hg_fail(HG_MISMATCH, "--verify: differs from the serial solution by %.3g (relative), must be <= %g", worst,
                   MANY * s->tolerance);
  if (!a->options.run.quiet && !a->options.run.csv)
    printf("  verified   the serial solution differs by %.3g (relative)\n", worst);
  return HG_OK;
}

/* Checks the residual of the result, recomputed in one block: what blocks measured without waiting must be true. */
static hg_status verify_residual(const adr *a, const hg_field before[2])
{
  const hg_adr_settings *s = &a->options.settings;
  const double *const value[2] = {a->field[0].values, a->field[1].values}, *const old[2] = {before[0].values,
                                                                                            before[1].values};
  double residual;
  HG_TRY(hg_adr_serial_residual(&a->problem, s, a->kernel, a->done, value, old, &residual));
  if (!(residual <= s->tolerance))
    return hg_fail(HG_MISMATCH, "--verify: the residual is %.17g (measured: %.17g), must be <= %g", residual,
                   a->stats.residual, s->tolerance);
  if (!a->options.run.quiet && !a->options.run.csv)
    printf("  verified   the residual recomputed in one block is %.3g\n", residual);
  return HG_OK;
}

/* For asynchronous steps of implicit Euler. Collective. */
static hg_status check_residual(adr *a)
{
  const hg_adr_settings *s = &a->options.settings;
  hg_field before[2];
  if (!a->options.verify || !s->async || s->bdf2 || a->done == a->first) return HG_OK;
  HG_TRY(hg_adr_gather(&a->session, a->tiling, a->graph, true, before));
  const hg_status status = a->session.rank == 0 ? verify_residual(a, before) : HG_OK;
  for (int i = 0; i < 2; i++) hg_field_free(&before[i]);
  return hg_session_agree(&a->session, status);
}

/* What the bits depend on, besides the problem. */
static void add_metadata(adr *a)
{
  const hg_adr_settings *s = &a->options.settings;
  hg_adr_describe(&a->session, &a->problem, s, a->done, &a->metadata);
  hg_metadata_add_double(&a->metadata, "tolerance", s->tolerance);
  hg_metadata_add_text(&a->metadata, "mode", adr_mode(a));
  hg_metadata_add_int(&a->metadata, "blocks", a->tiling->tiles);
  hg_metadata_add_int(&a->metadata, "overlap", s->overlap);
  memcpy(a->field[0].origin, a->problem.first, sizeof a->field[0].origin);
  memcpy(a->field[0].spacing, a->problem.h, sizeof a->field[0].spacing);
  a->field[0].metadata = &a->metadata;
  a->field[0].time = hg_adr_time(s, a->done);
}

/* A residual is relative to |u| + 1, so a step may leave small values as they were. */
static void warn_of_small_values(const adr *a)
{
  static const double FEW = 100;
  const double tolerance = a->options.settings.tolerance;
  if (a->done > a->first && a->largest > 0 && a->largest < FEW * tolerance)
    hg_log(HG_WARN,
           "adr: no value is above %.3g, and a step may be wrong by --tolerance %g, since values below 1 count as 1: "
           "scale them, or take a smaller tolerance",
           a->largest, tolerance);
}

static hg_status write_results(adr *a)
{
  warn_of_small_values(a);
  if (a->options.verify) HG_TRY(verify(a));
  add_metadata(a);
  HG_TRY(hg_outputs_write(&a->options.run, &a->field[0]));
  return adr_history_write(a);
}

static hg_status finish(hg_run_context *context)
{
  adr *a = context->self;
  if (!hg_simulated) HG_TRY(check_residual(a));
  HG_TRY(adr_save_end(a)); /* before results, so that it exists even if these cannot be written */
  const hg_status status = a->session.rank == 0 && !hg_simulated ? write_results(a) : HG_OK;
  HG_TRY(hg_session_agree(&a->session, status));
  HG_TRY(hg_checkpointer_finish(&a->checkpointer));
  return hg_context_phases_of_graph(context, hg_adr_graph_base(a->graph), 0);
}

static hg_status describe(hg_run_context *context, const char *folder)
{
  adr *a = context->self;
  char title[200];
  snprintf(title, sizeof title, "adr %s %" PRId64 " x %" PRId64 " x %" PRId64 ", %" PRId64 " steps, policy %.60s",
           a->problem.name, a->problem.n[0], a->problem.n[1], a->problem.n[2], a->done - a->first, a->session.sched);
  return hg_grid_trace_notes(folder, title, hg_adr_graph_base(a->graph));
}

static void release(hg_run_context *context)
{
  adr *a = context->self;
  if (a->graph) hg_graph_free(hg_adr_graph_base(a->graph));
  for (int s = 0; s < 2; s++) hg_field_free(&a->field[s]);
  if (a->tiling) hg_tiling_free(a->tiling);
  free(a->tiling);
  hg_balance_close(&a->balance);
  free(a->record);
  hg_adr_problem_free(&a->problem);
  adr_history_close(a);
  hg_session_close(&a->session);
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static const hg_program program = {.open = open_problem,
                                     .consistency = list_consistency,
                                     .start = start,
                                     .load = load,
                                     .run = adr_run,
                                     .validate = validate,
                                     .busy = tell_busy,
                                     .columns = adr_columns,
                                     .text = adr_text,
                                     .finish = finish,
                                     .describe = describe,
                                     .release = release};
  static adr a;
  a.context =
      (hg_run_context){.program = &program, .options = &a.options.run, .self = &a, .kernels = "adr", .begin = hg_now()};
  hg_program_begin("hetgrid-adr", hg_about);
  a.context.command = adr_parse(argc, argv, &a.options);
  return a.options.golden ? hg_program_end(adr_golden(a.options.golden)) : hg_program_run(&a.context);
}
