/* SPDX-License-Identifier: MIT */
#include "job/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static double units_per_second(const hg_run *r, const hg_job_timing *t)
{
  return t->seconds > 0 ? (double)hg_run_units(r) * (double)t->steps / t->seconds : 0;
}

void hg_job_measure(hg_run *r, hg_job_timing *t)
{
  hg_worker_times times[r->session.workers + 1];
  hg_run_times(r, times);
  t->busy = hg_report_busy(&r->session, times);
  hg_session_sum(&r->session, &t->exchanged);
  const hg_connections c = r->graph ? hg_units_connections(r->graph) : (hg_connections){0};
  t->rebuilt = c.rebuilt;
  t->told = (double)c.sent;
  hg_session_sum(&r->session, &t->told);
}

void hg_job_csv_header(void)
{
  puts(
      "app,nx,ny,nz,value_bytes,steps,block,ranks,cpu_workers,cuda_workers,partition,sched,repeat,seconds,gunits_per_s,"
      "exchanged_bytes,imbalance,reduction,dynamic_seconds,rebuilt,words_told,status");
}

void hg_job_csv(const hg_run *r, const hg_job_timing *t)
{
  const int64_t *n = r->domain.n;
  const hg_session *s = &r->session;
  printf("%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d,%d,%d,%d,%s,%s,%d,%.9g,%.6g,%.0f,%.4f,"
         "%.17g,%.6g,%" PRId64 ",%.0f,ok\n",
         r->name, n[0], n[1], n[2], r->job->update->value_bytes, t->steps, r->tiling->depth, s->ranks, s->cpu_workers,
         s->cuda_workers, r->job->divide ? "own" : r->job->partition, s->sched, t->repeat, t->seconds,
         units_per_second(r, t) * 1e-9, t->exchanged, t->busy.imbalance, r->reduction, r->dynamic_seconds, t->rebuilt,
         t->told);
  fflush(stdout);
}

static const char *kind_of(const hg_run *r)
{
  return r->stencil ? "by formula" : r->job->neighbours ? "stored" : r->job->zone ? "in zones" : "none";
}

void hg_job_text(const hg_run *r, const hg_job_timing *t)
{
  static const char *const reduction[] = {[HG_MAX] = "largest", [HG_MIN] = "smallest", [HG_SUM] = "sum of"};
  const int64_t *n = r->domain.n;
  const hg_session *s = &r->session;
  const hg_job *j = r->job;
  printf("%s %d-D, %" PRId64 " x %" PRId64 " x %" PRId64 " units of %" PRId64 " bytes%s, neighbours %s, %" PRId64
         " steps in blocks of %d\n",
         r->name, r->domain.dims, n[0], n[1], n[2], j->update->value_bytes, j->length ? " an element" : "", kind_of(r),
         t->steps, r->tiling->depth);
  printf("  ran on     %d CPU and %d CUDA workers of %d ranks, policy %s%s\n", s->cpu_workers, s->cuda_workers,
         s->ranks, s->sched,
         s->cuda_workers && !j->update->launch ? " (compiled without CUDA: its updates ran on CPUs)" : "");
  printf("  partition  %s: %d regions, %d tiles\n", j->divide ? "the application's" : j->partition, r->tiling->regions,
         r->tiling->tiles);
  printf("  time       %.4g s: %.4g million units/s\n", t->seconds, units_per_second(r, t) * 1e-6);
  if (j->rebalance > 0) printf("  rebalanced %d times\n", r->moves);
  printf("  exchanged  %.3f MB between regions; imbalance (max/mean busy time) %.3f\n", t->exchanged * 1e-6,
         t->busy.imbalance);
  if (r->graph && (j->neighbours || j->zone))
    printf("  neighbours exchange zones were built %" PRId64
           " times, ranks told each other %.0f words; %.3f s between steps\n",
           t->rebuilt, t->told, r->dynamic_seconds);
  if (j->quantity && !isnan(r->reduction))
    printf("  reduction  %s %s: %.9g after %" PRId64 " steps\n", reduction[j->reduction], j->quantity->name,
           r->reduction, r->done);
}
