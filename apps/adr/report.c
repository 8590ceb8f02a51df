/* SPDX-License-Identifier: MIT */
/* What hetgrid-adr prints. */
#include <inttypes.h>
#include <math.h>

#include "adr.h"
#include "codelets/simulated_costs.h"
#include "result/report.h"

static const char *inner_name(const adr *a)
{
  const hg_adr_settings *s = &a->options.settings;
  return s->global ? "global" : s->bicg ? "bicg" : "bicgstab";
}

const char *adr_mode(const adr *a)
{
  return a->options.settings.async ? "async" : "sync";
}

/* Unknowns times sweeps of Newton's method. */
static double rate(const adr *a)
{
  const int64_t *n = a->problem.n;
  const double unknowns = 2. * (double)n[0] * (double)n[1] * (double)n[2];
  return a->context.seconds > 0 ? unknowns * (double)a->stats.sweeps / a->context.seconds : 0;
}

static void work_columns(const adr *a, hg_columns *row)
{
  hg_column_double(row, "seconds", "%.9g", a->context.seconds);
  hg_column_int(row, "newton", a->stats.sweeps);
  hg_column_int(row, "sweeps_min", a->stats.fewest);
  hg_column_int(row, "sweeps_max", a->stats.most);
  hg_column_double(row, "linear", "%.0f", a->stats.iterations);
  hg_column_int(row, "snapshots", a->stats.snapshots);
  hg_column_int(row, "fallbacks", a->stats.fallbacks);
  hg_column_int(row, "staleness", a->stats.staleness);
  hg_column_double(row, "munknowns_newton_per_s", "%.6g", rate(a) * 1e-6);
  hg_column_known(row, "residual", "%.6g", !hg_simulated && !isnan(a->stats.residual), a->stats.residual);
  hg_column_known(row, "max_error", "%.9g", !isnan(a->error), a->error);
  hg_column_known(row, "sum", "%.17g", !hg_simulated && !isnan(a->sum), a->sum);
  hg_column_double(row, "imbalance", "%.4f", a->busy.imbalance);
  hg_column_text(row, "status", hg_simulated ? "simulated" : isfinite(a->sum) ? "ok" : "not finite");
}

void adr_columns(const hg_run_context *context, hg_columns *row)
{
  const adr *a = context->self;
  const hg_session *s = context->session;
  hg_column_text(row, "app", "adr");
  hg_column_text(row, "problem", a->problem.name);
  hg_column_int(row, "nx", a->problem.n[0]);
  hg_column_int(row, "ny", a->problem.n[1]);
  hg_column_int(row, "nz", a->problem.n[2]);
  hg_column_int(row, "steps", a->done - a->first);
  hg_column_text(row, "scheme", hg_adr_scheme_names[a->options.settings.bdf2]);
  hg_column_text(row, "mode", adr_mode(a));
  hg_column_int(row, "overlap", a->options.settings.overlap);
  hg_column_text(row, "inner", inner_name(a));
  hg_column_int(row, "ranks", s->ranks);
  hg_column_int(row, "cpu_workers", s->cpu_workers);
  hg_column_int(row, "cuda_workers", s->cuda_workers);
  hg_column_text(row, "partition", a->options.grid.division.partition);
  hg_column_text(row, "sched", s->sched);
  hg_column_int(row, "repeat", context->number);
  work_columns(a, row);
}

static void print_work(const adr *a)
{
  const hg_adr_stats *t = &a->stats;
  printf("  time       %.4g s: %.4g million unknowns x Newton sweeps / s\n", a->context.seconds, rate(a) * 1e-6);
  printf("  sweeps     %" PRId64 ", %" PRId64 " to %" PRId64
         " per step; %.0f iterations of %s in %s precision; imbalance "
         "%.3f\n",
         t->sweeps, t->fewest, t->most, t->iterations,
         a->options.settings.global ? "bicgstab over all blocks" : inner_name(a),
         a->options.settings.in_double ? "double" : "single", a->busy.imbalance);
}

static void print_mode(const adr *a)
{
  const hg_adr_stats *t = &a->stats;
  if (!a->options.settings.async) return;
  printf("  async      %" PRId64 " to %" PRId64 " sweeps per block and step; detection %s: %" PRId64
         " snapshots; at most %" PRId64 " consecutive sweeps without new values; %" PRId64
         " steps made synchronously, %" PRId64 " of them because convergence was not proven\n",
         t->fewest, t->most, hg_detection_names[a->options.settings.detection.kind], t->snapshots, t->staleness,
         t->fallbacks, t->uncertain);
}

void adr_text(const hg_run_context *context)
{
  const adr *a = context->self;
  const hg_session *s = context->session;
  const int64_t *n = a->problem.n;
  printf("adr %s, %" PRId64 " x %" PRId64 " x %" PRId64 " nodes, %" PRId64 " step%s of %.6g s (%s)\n", a->problem.name,
         n[0], n[1], n[2], a->done - a->first, a->done - a->first == 1 ? "" : "s", hg_adr_time(&a->options.settings, 1),
         hg_adr_scheme_names[a->options.settings.bdf2]);
  hg_report_machine(s);
  printf(", policy %s, CPU kernel %s\n", s->sched, a->kernel->name);
  if (a->first > 0) printf("  restarted  after step %" PRId64 " of %s\n", a->first, a->options.grid.restart);
  printf("  partition  %s: %d block%s, overlap %d\n", a->options.grid.division.partition, a->tiling->tiles,
         a->tiling->tiles == 1 ? "" : "s", a->options.settings.overlap);
  if (a->balance.session) printf("  rebalanced %d time%s\n", a->moves, a->moves == 1 ? "" : "s");
  print_work(a);
  print_mode(a);
  if (hg_simulated) return;
  printf("  residual   %.3g; sum of both species %.15g\n", a->stats.residual, a->sum);
  if (!isnan(a->error)) printf("  error      at most %.6g, against the exact solution\n", a->error);
}
