/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

void hg_report_machine(const hg_session *s)
{
  printf("  ran on     %d CPU and %d CUDA workers of %d rank%s", s->cpu_workers, s->cuda_workers, s->ranks,
         s->ranks == 1 ? "" : "s");
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

static void print_phase_names(FILE *out, bool csv, bool energy)
{
  if (csv)
    fputs("rank,worker,kind,initialise,communicate,compute,dynamic,idle,finalise", out);
  else
    fprintf(out, "phases in seconds\n%6s %8s %12s %12s %12s %12s %12s %12s", "rank", "worker", "initialise",
            "communicate", "compute", "dynamic", "idle", "finalise");
  if (energy && csv) fputs(",busy_s,wait_s,idle_s,joules", out);
  if (energy && !csv) fprintf(out, " %12s %12s %12s %12s", "busy", "waiting", "unused", "joules");
  fputc('\n', out);
}

enum { OWN = 6, JOULES = 4, NUMBERS = OWN + JOULES }; /* numbers per worker */

static void fill_rows(const hg_session *s, const hg_worker_times *times, double seconds, const hg_own_phases *own,
                      const hg_worker_energy *energy, double (*row)[NUMBERS])
{
  for (int w = 0; w < s->workers; w++) {
    const hg_worker_times *t = &times[w];
    const hg_worker_energy e = energy ? energy[w] : (hg_worker_energy){0};
    const double number[NUMBERS] = {own->initialise,
                                    t->unpack + t->pack,
                                    t->compute,
                                    own->dynamic + t->dynamic,
                                    seconds - t->busy - own->dynamic,
                                    own->finalise,
                                    e.busy,
                                    e.wait,
                                    e.idle,
                                    e.joules};
    memcpy(row[s->first_worker + w], number, sizeof number);
  }
}

static void print_phases(FILE *out, bool csv, const hg_session *s, const hg_worker_energy *energy,
                         const double (*row)[NUMBERS])
{
  print_phase_names(out, csv, energy);
  for (int i = 0, worker = 0; i < s->all_workers; i++, worker++) {
    const double *n = row[i];
    if (i > 0 && s->worker_rank[i] != s->worker_rank[i - 1]) worker = 0;
    fprintf(out,
            csv ? "%d,%d,%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g" : "%6d %6d %s %12.6f %12.6f %12.6f %12.6f %12.6f %12.6f",
            s->worker_rank[i], worker, s->kind[i] == HG_CUDA_WORKER ? "G" : "C", n[0], n[1], n[2], n[3], n[4], n[5]);
    if (energy)
      fprintf(out, csv ? ",%.9g,%.9g,%.9g,%.9g" : " %12.6f %12.6f %12.6f %12.6g", n[OWN], n[OWN + 1], n[OWN + 2],
              n[OWN + 3]);
    fputc('\n', out);
  }
}

/* On rank 0. */
static hg_status write_phases(const hg_session *s, const hg_worker_energy *energy, const double (*row)[NUMBERS],
                              const char *path)
{
  char temporary[HG_PATH_MAX];
  FILE *out = stdout;
  if (path) HG_TRY(hg_file_begin(path, temporary, &out));
  print_phases(out, path, s, energy, row);
  return path ? hg_file_end(out, temporary, path, HG_OK) : HG_OK;
}

hg_status hg_report_phases(const hg_session *s, const hg_worker_times *times, double seconds, const hg_own_phases *own,
                           const hg_worker_energy *energy, const char *path)
{
  double(*row)[NUMBERS] = calloc((size_t)s->all_workers + 1, sizeof *row);
  HG_TRY(
      hg_session_agree(s, row ? HG_OK : hg_fail(HG_MEMORY, "no memory for the phases of %d workers", s->all_workers)));
  fill_rows(s, times, seconds, own, energy, row);
  hg_session_sum_all(s, &row[0][0], (int64_t)s->all_workers * NUMBERS);
  const hg_status status = s->rank == 0 ? write_phases(s, energy, (const double(*)[NUMBERS])row, path) : HG_OK;
  free(row);
  return hg_session_agree(s, status);
}

/* Bytes that the tiles of a region read from other regions per block of steps. */
static hg_status incoming(const hg_tiling *t, const hg_region *r, int64_t value_bytes, double *bytes)
{
  *bytes = 0;
  for (int j = 0; j < r->mesh[0] * r->mesh[1] * r->mesh[2]; j++) {
    hg_halo_piece *list = NULL;
    int count = 0;
    HG_TRY(hg_tile_halo_pieces(t, r->first_tile + j, &list, &count));
    for (int k = 0; k < count; k++)
      if (hg_tile_region(t, list[k].from) != r) *bytes += (double)(hg_box_cells(&list[k].box) * value_bytes);
    free(list);
  }
  return HG_OK;
}

hg_status hg_report_plan(const hg_session *s, const hg_tiling *t, int64_t value_bytes, bool csv)
{
  static const char *const names[] = {"region",  "rank", "device", "x",     "y",     "z",
                                      "columns", "rows", "layers", "cells", "tiles", "bytes in / step"};
  static const int width[] = {6, 5, 6, 8, 8, 8, 8, 8, 8, 14, 6, 16};
  if (csv) puts("region,rank,device,x,y,z,columns,rows,layers,cells,tiles,bytes_in_per_step");
  for (int i = 0; i < 12 && !csv; i++) printf("%*s%c", width[i], names[i], i < 11 ? ' ' : '\n');
  for (int i = 0; i < t->regions; i++) {
    const hg_region *r = &t->region[i];
    const hg_box *b = &r->box;
    double bytes;
    HG_TRY(incoming(t, r, value_bytes, &bytes));
    const int64_t number[] = {i,
                              r->rank,
                              0,
                              b->lo[0],
                              b->lo[1],
                              b->lo[2],
                              hg_box_extent(b, 0),
                              hg_box_extent(b, 1),
                              hg_box_extent(b, 2),
                              hg_box_cells(b),
                              r->mesh[0] * r->mesh[1] * r->mesh[2]};
    for (int c = 0; c < 11; c++)
      if (c == 2)
        printf("%*s%c", csv ? 0 : width[c], s->kind[i] == HG_CUDA_WORKER ? "CUDA" : "CPU", csv ? ',' : ' ');
      else
        printf("%*" PRId64 "%c", csv ? 0 : width[c], number[c], csv ? ',' : ' ');
    printf("%*.0f\n", csv ? 0 : width[11], bytes / t->depth);
  }
  if (!csv) printf("blocks of %d steps; margins of the same depth\n", t->depth);
  return HG_OK;
}
