/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *precision_name(const hg_heat_problem *p)
{
  return p->precision == HG_FLOAT ? "float" : "double";
}

static double cells(const hg_heat_problem *p)
{
  return (double)p->n[0] * (double)p->n[1] * (double)p->n[2];
}

static double stencils_per_second(const hg_heat_run *r)
{
  return r->seconds > 0 ? cells(r->problem) * (double)r->steps / r->seconds : 0;
}

/* Largest extents of a tile. */
static hg_box largest_tile(const hg_tiling *t)
{
  hg_box largest = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < t->tiles; i++) {
    hg_box core = hg_tile_core(t, i);
    for (int a = 0; a < 3; a++)
      if (hg_box_extent(&core, a) > largest.hi[a]) largest.hi[a] = hg_box_extent(&core, a);
  }
  return largest;
}

hg_busy hg_report_busy(const hg_session *s, const hg_worker_times *times)
{
  double largest = 0, sum = 0, communicate = 0, compute = 0;
  for (int w = 0; w < s->workers; w++) {
    if (times[w].busy > largest) largest = times[w].busy;
    sum += times[w].busy;
    communicate += times[w].unpack + times[w].pack;
    compute += times[w].compute;
  }
  hg_session_max(s, &largest);
  hg_session_sum(s, &sum);
  hg_session_sum(s, &communicate);
  hg_session_sum(s, &compute);
  return (hg_busy){.imbalance = sum > 0 ? largest * s->all_workers / sum : 1,
                   .communicate = communicate / s->all_workers,
                   .compute = compute / s->all_workers};
}

hg_status hg_report_measure(hg_heat_run *run, hg_stencil *stencil)
{
  const hg_session *s = run->session;
  hg_worker_times times[s->workers + 1];
  hg_stencil_times(stencil, times);
  const hg_busy busy = hg_report_busy(s, times);
  run->imbalance = busy.imbalance;
  run->phase[0] = busy.communicate;
  run->phase[1] = busy.compute;
  run->phase[2] = run->seconds - busy.communicate - busy.compute;
  hg_session_sum(s, &run->halo_bytes);
  return HG_OK;
}

void hg_report_csv_header(void)
{
  puts("app,nx,ny,nz,precision,steps,block,tile_w,tile_h,ranks,cpu_workers,cuda_workers,partition,sched,repeat,seconds,"
       "gstencil_per_s,gbytes_per_s,halo_bytes,imbalance,status");
}

void hg_report_csv(const hg_heat_run *r, const char *status)
{
  const hg_heat_problem *p = r->problem;
  const hg_session *s = r->session;
  hg_box tile = largest_tile(r->tiling);
  double rate = stencils_per_second(r);
  printf("heat,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%" PRId64 ",%d,%" PRId64 ",%" PRId64
         ",%d,%d,%d,%s,%s,%d,%.9g,%.6g,%.6g,%.0f,%.4f,%s\n",
         p->n[0], p->n[1], p->n[2], precision_name(p), r->steps, r->tiling->depth, tile.hi[0], tile.hi[1], s->ranks,
         s->cpu_workers, s->cuda_workers, r->partition, s->sched, r->repeat, r->seconds, rate * 1e-9,
         rate * 2e-9 * (double)hg_precision_bytes(p->precision), r->halo_bytes, r->imbalance, status);
  fflush(stdout);
}

void hg_report_text(const hg_heat_run *r)
{
  const hg_heat_problem *p = r->problem;
  const hg_session *s = r->session;
  hg_box tile = largest_tile(r->tiling);
  double rate = stencils_per_second(r);
  printf("heat %d-D, %" PRId64 " x %" PRId64 " x %" PRId64 " cells, %s, %" PRId64 " steps in blocks of %d\n", p->dims,
         p->n[0], p->n[1], p->n[2], precision_name(p), r->steps, r->tiling->depth);
  printf("  ran on     %d CPU and %d CUDA workers of %d ranks, policy %s, CPU kernel %s\n", s->cpu_workers,
         s->cuda_workers, s->ranks, s->sched, r->kernel);
  printf("  partition  %s: %d regions, %d tiles of at most %" PRId64 " x %" PRId64 " x %" PRId64 "\n", r->partition,
         r->tiling->regions, r->tiling->tiles, tile.hi[0], tile.hi[1], tile.hi[2]);
  printf("  time       %.4g s: %.3f GStencil/s, as fast as a step-by-step sweep at %.1f GB/s\n", r->seconds,
         rate * 1e-9, rate * 2e-9 * (double)hg_precision_bytes(p->precision));
  printf("  exchanged  %.3f MB between regions; imbalance (max/mean busy time) %.3f\n", r->halo_bytes * 1e-6,
         r->imbalance);
  if (r->change >= 0) printf("  change     %.6g at most in the last step\n", r->change);
}

void hg_report_phases(const hg_session *s, const hg_worker_times *times, double seconds, const hg_own_phases *own)
{
  int first = 0;
  while (s->worker_rank[first] != s->rank) first++;
  for (int r = 0; r < s->ranks; r++) {
    if (r == 0 && s->rank == 0)
      printf("phases in seconds\n%6s %8s %12s %12s %12s %12s %12s %12s\n", "rank", "worker", "initialise",
             "communicate", "compute", "dynamic", "idle", "finalise");
    if (r == s->rank)
      for (int w = 0; w < s->workers; w++)
        printf("%6d %6d %s %12.6f %12.6f %12.6f %12.6f %12.6f %12.6f\n", s->rank, w,
               s->kind[first + w] == HG_CUDA_WORKER ? "G" : "C", own->initialise, times[w].unpack + times[w].pack,
               times[w].compute, own->dynamic, seconds - times[w].busy - own->dynamic, own->finalise);
    fflush(stdout);
    hg_session_barrier(s);
  }
}

hg_status hg_report_plan(const hg_heat_problem *p, const hg_session *s, const hg_tiling *t)
{
  printf("%6s %5s %6s %10s %10s %10s %10s %10s %14s %6s %16s\n", "region", "rank", "device", "x", "y", "z", "columns",
         "rows", "cells", "tiles", "bytes in / step");
  for (int i = 0; i < t->regions; i++) {
    const hg_region *r = &t->region[i];
    int tiles = r->mesh[0] * r->mesh[1] * r->mesh[2];
    double bytes = 0;
    for (int j = 0; j < tiles; j++) {
      hg_piece *list = NULL;
      int count = 0;
      HG_TRY(hg_tile_pieces(t, r->first_tile + j, &list, &count));
      for (int k = 0; k < count; k++)
        if (hg_tile_region(t, list[k].from) != r)
          bytes += (double)(hg_box_cells(&list[k].box) * hg_precision_bytes(p->precision));
      free(list);
    }
    printf("%6d %5d %6s %10" PRId64 " %10" PRId64 " %10" PRId64 " %10" PRId64 " %10" PRId64 " %14" PRId64
           " %6d %16.0f\n",
           i, r->rank, s->kind[i] == HG_CUDA_WORKER ? "CUDA" : "CPU", r->box.lo[0], r->box.lo[1], r->box.lo[2],
           hg_box_extent(&r->box, 0), hg_box_extent(&r->box, 1), hg_box_cells(&r->box), tiles, bytes / t->depth);
  }
  printf("blocks of %d steps; margins of that depth\n", t->depth);
  return HG_OK;
}
