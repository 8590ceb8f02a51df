/* SPDX-License-Identifier: MIT */
/* Facts of the discrete heat equation, checked on runs through the whole graph. */
#include <stdlib.h>
#include <unistd.h>

#include "codelets/heat/heat_update.h"
#include "job/run.h"
#include "tap.h"

/* A problem and its job. */
typedef struct problem {
  int dims;
  int64_t n[3], steps, tile[3];
  hg_heat_coef alpha;
  const char *input, *boundary;
  int block;
} problem;

/* Runs it and gathers the result; `before`, if not NULL, gets the initial state. */
static bool run(problem *p, hg_field *before, hg_field *after)
{
  const hg_update update = hg_heat_update(p->dims, hg_heat_kernel_find("auto"), false);
  const hg_job job = {.name = "heat",
                      .dims = p->dims,
                      .size = {p->n[0], p->n[1], p->n[2]},
                      .update = &update,
                      .steps = p->steps,
                      .boundary = p->boundary,
                      .symmetric = true,
                      .parameters = &p->alpha,
                      .parameter_bytes = sizeof p->alpha,
                      .partition = "rows",
                      .input = p->input};
  hg_job_options options = {.grid = {.block = p->block}};
  hg_run *r;
  memcpy(options.grid.tile, p->tile, sizeof p->tile);
  hg_status status = hg_run_start(&job, &options, &r);
  if (status == HG_NO_WORKER) {
    tap_skip(hg_message());
    exit(tap_done());
  }
  if (status != HG_OK) {
    tap_ok(false, "run: %s", hg_message());
    return false;
  }
  if (before) status = hg_run_gather(r, before);
  if (status == HG_OK) status = hg_advance(r, p->steps);
  if (status == HG_OK) status = hg_run_gather(r, after);
  if (status != HG_OK) tap_ok(false, "run: %s", hg_message());
  hg_free(r);
  return status == HG_OK;
}

static void summarise(const hg_field *f, double *smallest, double *largest, double *sum)
{
  long double total = 0;
  *smallest = *largest = hg_field_get(f, 0);
  for (int64_t i = 0; i < hg_field_cells(f); i++) {
    double v = hg_field_get(f, i);
    if (v < *smallest) *smallest = v;
    if (v > *largest) *largest = v;
    total += v;
  }
  *sum = (double)total;
}

static void insulated_grids_keep_their_heat(void)
{
  for (int dims = 1; dims <= 3; dims++) {
    problem p = {.dims = dims,
                 .n = {61, dims > 1 ? 37 : 1, dims > 2 ? 23 : 1},
                 .steps = 40,
                 .tile = {20, 13, 7},
                 .alpha = {{.15, .1, .12}},
                 .input = "random",
                 .boundary = "insulated",
                 .block = 5};
    for (int axis = dims; axis < 3; axis++) p.alpha.a[axis] = 0;
    hg_field before = {0}, after = {0};
    double low, high, sum0, sum1;
    if (!run(&p, &before, &after)) return;
    summarise(&before, &low, &high, &sum0);
    summarise(&after, &low, &high, &sum1);
    tap_near(sum1 / sum0, 1, 1e-13, "heat is conserved in an insulated grid");
    tap_ok(low > 0 && high < 1, "temperatures stay within the initial ones (%g .. %g)", low, high);
    hg_field_free(&before);
    hg_field_free(&after);
  }
}

/* sin(2 pi m x / n) is an eigenvector of the periodic update with the factor 1 - 4 a sin^2(pi m / n). */
static void sine_modes_decay_by_the_discrete_factor(void)
{
  enum { NX = 96, NY = 60, MX = 3, MY = 2, STEPS = 75 };
  char path[] = "/tmp/hetgrid-sine-XXXXXX.csv";
  int fd = mkstemps(path, 4);
  FILE *f = fdopen(fd, "w");
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++)
      fprintf(f, "%.17g%c", sin(2 * M_PI * MX * x / NX) * sin(2 * M_PI * MY * y / NY), x < NX - 1 ? ',' : '\n');
  fclose(f);
  problem p = {.dims = 2,
               .n = {NX, NY, 1},
               .steps = STEPS,
               .tile = {40, 17, 1},
               .alpha = {{.2, .15, 0}},
               .input = path,
               .boundary = "periodic",
               .block = 8};
  hg_field out = {0};
  if (!run(&p, NULL, &out)) return;
  double sx = sin(M_PI * MX / NX), sy = sin(M_PI * MY / NY),
         factor = pow(1 - 4 * .2 * sx * sx - 4 * .15 * sy * sy, STEPS);
  double worst = 0;
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) {
      double want = factor * sin(2 * M_PI * MX * x / NX) * sin(2 * M_PI * MY * y / NY);
      worst = fmax(worst, fabs(hg_field_get(&out, x + (int64_t)NX * y) - want));
    }
  tap_near(worst, 0, 1e-14, "a sine mode decays by (1 - 4 ax sin^2 - 4 ay sin^2)^steps");
  hg_field_free(&out);
  unlink(path);
}

static void plates_reach_the_linear_profile(void)
{
  problem p = {.dims = 1, .n = {33, 1, 1}, .steps = 20000, .tile = {10, 1, 1}, .alpha = {{.4}}, .input = "plates"};
  p.block = 16;
  hg_field out = {0};
  if (!run(&p, NULL, &out)) return;
  double worst = 0;
  for (int x = 0; x < 33; x++) worst = fmax(worst, fabs(hg_field_get(&out, x) - (100 - 80 * x / 32.)));
  tap_near(worst, 0, 1e-9, "between two plates the steady state is a line");
  hg_field_free(&out);
}

/* The same description means the same in every run. */
static void jobs_are_not_changed(void)
{
  const hg_heat_coef alpha = {{.1, 0, 0}};
  const hg_update update = hg_heat_update(1, hg_heat_kernel_find("auto"), false);
  hg_heat_coef mine = alpha;
  const hg_job job = {.update = &update,
                      .size = {50},
                      .steps = -1,
                      .parameters = &mine,
                      .parameter_bytes = sizeof mine,
                      .input = "plates"};
  hg_job before = job;
  for (int i = 0; i < 2; i++) {
    hg_run *run;
    if (hg_start(&job, &run) != HG_OK) {
      tap_ok(false, "start: %s", hg_message());
      return;
    }
    hg_advance(run, 7);
    tap_ok(hg_steps_done(run) == 0, "a job of 0 steps does none, the %s time", i ? "second" : "first");
    hg_free(run);
  }
  tap_ok(memcmp(&job, &before, sizeof job) == 0 && memcmp(&mine, &alpha, sizeof mine) == 0, "a job stays as it was");
}

int main(void)
{
  insulated_grids_keep_their_heat();
  sine_modes_decay_by_the_discrete_factor();
  plates_reach_the_linear_profile();
  jobs_are_not_changed();
  return tap_done();
}
