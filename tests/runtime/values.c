/* SPDX-License-Identifier: MIT */
/* Values of single units by their numbers, whatever the graph and the tile that holds them. */
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
  return tap_done();
}
