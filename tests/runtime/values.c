/* SPDX-License-Identifier: MIT */
/* Values of single units by their numbers, whatever the graph and the tile that holds them. */
#include <unistd.h>

#include "codelets/heat_update.h"
#include "hetgrid.h"
#include "tap.h"

enum { NX = 7, NY = 6, NZ = 5, UNITS = NX * NY * NZ };

/* A unit's value is its number. */
static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  *(double *)value = (double)cell->id;
  return HG_OK;
}

static void compute(const hg_units *u, int64_t count, void *out)
{
  const int64_t first = u->at[0] + NX * (u->at[1] + NY * u->at[2]);
  for (int64_t i = 0; i < count; i++) ((double *)out)[i] = (double)(first + i);
}

/* How many units' values are not their numbers, but for one that was set; -1: they cannot be had. */
static int wrong_values(hg_run *run, int64_t changed, double value)
{
  int64_t id[UNITS];
  double got[UNITS];
  int wrong = 0;
  for (int i = 0; i < UNITS; i++) id[i] = UNITS - 1 - i;
  if (hg_values_get(run, UNITS, id, got, sizeof *got) != HG_OK) return -1;
  for (int i = 0; i < UNITS; i++) wrong += got[i] != (id[i] == changed ? value : (double)id[i]);
  return wrong;
}

static void are_found(const hg_job *job, const char *name)
{
  hg_run *run;
  const int64_t one = UNITS - NX - 3;
  const double half = .5;
  if (!tap_ok(hg_start(job, &run) == HG_OK && hg_advance(run, 1) == HG_OK, "%s: a step %s", name, hg_message())) return;
  tap_int(wrong_values(run, -1, 0), 0, "... units that have not their own values");
  hg_values_set(run, 1, &one, &half, sizeof half);
  tap_int(wrong_values(run, one, half), 0, "... and after one of them was set");
  hg_abandon(run);
}

static void compute_nothing(const hg_units *u, int64_t count, void *out)
{
  (void)u;
  memset(out, 0, (size_t)count);
}

/* What a job of bytes makes of an input of one row of three numbers. */
static hg_status start_bytes(const char *numbers, unsigned char got[3])
{
  static const int64_t id[] = {0, 1, 2};
  const hg_update bytes = {.name = "bytes", .value_bytes = 1, .value_type = 'u', .run = compute_nothing, .radius = 1};
  char path[64];
  hg_run *run;
  snprintf(path, sizeof path, "/tmp/hetgrid-values-%d.csv", (int)getpid());
  FILE *f = fopen(path, "w");
  if (!f || fputs(numbers, f) < 0 || fclose(f) != 0) return HG_IO;
  hg_status status = hg_start(&(hg_job){.dims = 2, .size = {3, 1}, .update = &bytes, .input = path}, &run);
  unlink(path);
  if (status != HG_OK) return status;
  status = hg_values_get(run, 3, id, got, 1);
  hg_abandon(run);
  return status;
}

static void numbers_fit_into_values(void)
{
  unsigned char got[3] = {0, 0, 0};
  const hg_status status = start_bytes("0,7.5,255\n", got);
  tap_ok(status == HG_OK && got[0] == 0 && got[1] == 7 && got[2] == 255, "bytes are read: %d %d %d %s", got[0], got[1],
         got[2], hg_message());
  tap_ok(start_bytes("0,7,256\n", got) == HG_FORMAT, "256 is none: %s", hg_message());
  tap_ok(start_bytes("0,-1,2\n", got) == HG_FORMAT, "nor is -1: %s", hg_message());
}

int main(void)
{
  const hg_update heat = hg_heat_update(3, hg_heat_kernel_find("auto"), false),
                  batch = {.name = "batch", .value_bytes = 8, .value_type = 'd', .run = compute, .independent = true};
  hg_heat_coef alpha = {{0, 0, 0}};
  const hg_job stencil = {.dims = 3,
                          .size = {NX, NY, NZ},
                          .update = &heat,
                          .init = start,
                          .steps = 2,
                          .parameters = &alpha,
                          .parameter_bytes = sizeof alpha};
  are_found(&stencil, "a stencil");
  are_found(&(hg_job){.dims = 3, .size = {NX, NY, NZ}, .update = &batch, .steps = 2}, "independent units");
  numbers_fit_into_values();
  return tap_done();
}
