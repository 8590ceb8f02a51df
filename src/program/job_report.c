/* SPDX-License-Identifier: MIT */
/* Output of a job's run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "program/job_program.h"
#include "result/report.h"

/* Units times steps per second. */
static double rate_of(const hg_job_context *l)
{
  return l->context.seconds > 0 ? (double)hg_run_units(l->run) * (double)l->steps / l->context.seconds : 0;
}

/* "ok", or what is wrong with the result. */
static const char *status_of(const hg_job_context *l)
{
  return l->summary.nonfinite > 0 ? "not finite" : "ok";
}

/* "yes", "no", or "" without a tolerance. */
static const char *convergence_of(const hg_job_context *l)
{
  return l->run->job->tolerance > 0 ? l->run->converged ? "yes" : "no" : "";
}

/* The largest extents of a tile. */
static hg_box largest_tile(const hg_job_context *l)
{
  const hg_tiling *t = l->run->tiling;
  hg_box largest = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < t->tiles; i++) {
    const hg_box core = hg_tile_core(t, i);
    for (int a = 0; a < 3; a++)
      if (hg_box_extent(&core, a) > largest.hi[a]) largest.hi[a] = hg_box_extent(&core, a);
  }
  return largest;
}

static const char *partition_of(const hg_run *r)
{
  return r->job->divide ? "own" : r->job->partition;
}

/* How the shares were made, if the user specified it. */
static const char *shares_of(const hg_run *r)
{
  const hg_division *d = &r->options->grid.division;
  if (d->tables) return ", by speed tables";
  if (r->learnt) return ", by learnt speeds";
  return d->speeds > 0 && !hg_file_has_ending(r->job->partition, ".csv") ? ", by --speeds" : "";
}

void hg_job_columns(const hg_job_context *l, hg_columns *row)
{
  const hg_run *r = l->run;
  const hg_session *s = &r->session;
  hg_column_text(row, "app", r->name);
  hg_column_int(row, "nx", r->domain.n[0]);
  hg_column_int(row, "ny", r->domain.n[1]);
  hg_column_int(row, "nz", r->domain.n[2]);
  hg_column_int(row, "value_bytes", r->job->update->value_bytes);
  hg_column_int(row, "steps", l->steps);
  hg_column_int(row, "block", r->tiling->depth);
  hg_column_int(row, "ranks", s->ranks);
  hg_column_int(row, "cpu_workers", s->cpu_workers);
  hg_column_int(row, "cuda_workers", s->cuda_workers);
  hg_column_text(row, "partition", partition_of(r));
  hg_column_text(row, "sched", s->sched);
  hg_column_int(row, "repeat", l->context.number);
  hg_column_double(row, "seconds", "%.9g", l->context.seconds);
  hg_column_double(row, "gunits_per_s", "%.6g", rate_of(l) * 1e-9);
  hg_column_double(row, "exchanged_bytes", "%.0f", l->exchanged);
  hg_column_double(row, "imbalance", "%.4f", l->busy.imbalance);
  hg_column_double(row, "reduction", "%.17g", r->reduction);
  hg_column_double(row, "dynamic_seconds", "%.6g", r->dynamic_seconds);
  hg_column_int(row, "rebuilt", l->rebuilt);
  hg_column_double(row, "words_told", "%.0f", l->sent);
  hg_column_text(row, "status", status_of(l));
  hg_column_text(row, "converged", convergence_of(l));
}

void hg_stencil_columns(const hg_job_context *l, hg_columns *row)
{
  const hg_run *r = l->run;
  const hg_session *s = &r->session;
  const hg_box tile = largest_tile(l);
  const double rate = rate_of(l) * 1e-9;
  hg_column_text(row, "app", r->name);
  hg_column_int(row, "nx", r->domain.n[0]);
  hg_column_int(row, "ny", r->domain.n[1]);
  hg_column_int(row, "nz", r->domain.n[2]);
  hg_column_text(row, "precision", hg_precision_names[r->job->update->value_bytes == 4]);
  hg_column_int(row, "steps", l->steps);
  hg_column_int(row, "block", r->tiling->depth);
  hg_column_int(row, "tile_w", tile.hi[0]);
  hg_column_int(row, "tile_h", tile.hi[1]);
  hg_column_int(row, "ranks", s->ranks);
  hg_column_int(row, "cpu_workers", s->cpu_workers);
  hg_column_int(row, "cuda_workers", s->cuda_workers);
  hg_column_text(row, "partition", r->job->partition);
  hg_column_text(row, "sched", s->sched);
  hg_column_int(row, "repeat", l->context.number);
  hg_column_double(row, "seconds", "%.9g", l->context.seconds);
  hg_column_double(row, "gstencil_per_s", "%.6g", rate);
  hg_column_double(row, "gbytes_per_s", "%.6g", 2 * rate * (double)r->job->update->value_bytes);
  hg_column_double(row, "halo_bytes", "%.0f", l->exchanged);
  hg_column_double(row, "imbalance", "%.4f", l->busy.imbalance);
  hg_column_text(row, "status", status_of(l));
  hg_column_text(row, "converged", convergence_of(l));
}

/* "4000 x 3000" of a 2-D grid. */
static const char *extents(int dims, const int64_t n[3], char out[100])
{
  int at = snprintf(out, 100, "%" PRId64, n[0]);
  for (int a = 1; a < dims; a++) at += snprintf(out + at, 100 - (size_t)at, " x %" PRId64, n[a]);
  return out;
}

static void print_title(const hg_job_context *l)
{
  const hg_run *r = l->run;
  const hg_update *u = r->job->update;
  char size[100];
  const char *neighbours = hg_run_is_stencil(r) ? "by formula"
                           : r->job->neighbours ? "stored"
                           : r->job->zone       ? "in zones"
                                                : "none";
  const char *precision = u->value_type == 'd' ? ", double" : u->value_type == 'f' ? ", float" : "";
  printf("%s %d-D, %s %s of %" PRId64 " bytes%s%s, neighbours %s, %" PRId64 " step%s in blocks of %d\n", r->name,
         r->domain.dims, extents(r->domain.dims, r->domain.n, size), l->program.noun ? l->program.noun : "units",
         u->value_bytes, r->job->length ? " an element" : "", precision, neighbours, l->steps, l->steps == 1 ? "" : "s",
         r->tiling->depth);
}

static void print_machine(const hg_job_context *l)
{
  const hg_run *r = l->run;
  const hg_update *u = r->job->update;
  const hg_session *s = &r->session;
  hg_report_machine(s);
  printf(", policy %s", s->sched);
  if (u->kernel) printf(", CPU kernel %s", u->kernel);
  if (s->cuda_workers && !hg_update_runs_on_cuda(u)) printf(" (compiled without CUDA: its updates ran on CPUs)");
  putchar('\n');
}

/* Prints time and rates; a step-by-step sweep reads and writes every value once per step. */
static void print_time(const hg_job_context *l)
{
  const double rate = rate_of(l), bytes = 2 * (double)l->run->job->update->value_bytes;
  if (l->steps == 0)
    printf("  time       0 s: no steps\n");
  else if (hg_run_is_stencil(l->run))
    printf("  time       %.4g s: %.3f GStencil/s, as fast as a step-by-step sweep at %.1f GB/s\n", l->context.seconds,
           rate * 1e-9, rate * bytes * 1e-9);
  else
    printf("  time       %.4g s: %.4g million units/s\n", l->context.seconds, rate * 1e-6);
}

static void print_result(const hg_job_context *l)
{
  static const char *const reduction[] = {[HG_MAX] = "largest", [HG_MIN] = "smallest", [HG_SUM] = "sum of"};
  const hg_run *r = l->run;
  const hg_summary *s = &l->summary;
  if (r->job->quantity && !isnan(r->reduction))
    printf("  reduction  %s %s: %.9g after %" PRId64 " step%s\n", reduction[r->job->reduction], r->job->quantity->name,
           r->reduction, r->done, r->done == 1 ? "" : "s");
  if (s->nonfinite > 0)
    printf("  result     %" PRId64 " %s are not finite\n", s->nonfinite, l->program.noun ? l->program.noun : "units");
  else if (s->largest >= s->smallest)
    printf("  result     smallest %.6g, largest %.6g, mean %.6g\n", s->smallest, s->largest, s->mean);
}

/* Predictions for the divisions at the beginning and the end of the run. */
static void print_prediction(const hg_job_context *l)
{
  const double predicted = l->run->predicted * (double)l->steps;
  if (predicted > 0 && l->context.seconds > 0)
    printf("  predicted  %.4g s by the speed tables, %.2f of the time it took\n", predicted,
           predicted / l->context.seconds);
}

void hg_job_text(const hg_job_context *l)
{
  const hg_run *r = l->run;
  const hg_box tile = largest_tile(l);
  char size[100];
  print_title(l);
  print_machine(l);
  if (r->first > 0) printf("  restarted  after step %" PRId64 " of %s\n", r->first, r->options->grid.restart);
  printf("  partition  %s: %d region%s, %d tile%s of at most %s%s\n", partition_of(r), r->tiling->regions,
         r->tiling->regions == 1 ? "" : "s", r->tiling->tiles, r->tiling->tiles == 1 ? "" : "s",
         extents(r->domain.dims, tile.hi, size), shares_of(r));
  if (r->networked)
    printf("  messages   by %s, level %s\n", r->network.path, hg_network_between(&r->network, true)->name);
  print_time(l);
  print_prediction(l);
  if (r->job->rebalance > 0 || r->moves > 0) printf("  rebalanced %d time%s\n", r->moves, r->moves == 1 ? "" : "s");
  printf("  exchanged  %.3f MB between regions; imbalance (max/mean busy time) %.3f\n", l->exchanged * 1e-6,
         l->busy.imbalance);
  if (r->graph->ops->connect && (r->job->neighbours || r->job->zone))
    printf("  neighbours exchange zones were built %" PRId64
           " time%s, ranks sent each other %.0f words; %.3f s between steps\n",
           l->rebuilt, l->rebuilt == 1 ? "" : "s", l->sent, r->dynamic_seconds);
  print_result(l);
  if (l->program.text) l->program.text(l);
}
