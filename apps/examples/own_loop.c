/* SPDX-License-Identifier: MIT */
/* A loop of the program's own, without hg_main: it looks at one unit now and then, changes another, and ends when it
 * has seen enough. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>
#include <stdio.h>

enum { N = 40 }; /* columns and rows */

HG_UPDATE(warm)
{
  return (hg_at(u, -1, 0) + hg_at(u, 1, 0) + hg_at(u, 0, -1) + hg_at(u, 0, 1)) / 4;
}

/* The left side is warm; sides keep their values. */
static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input, (void)arg;
  *(double *)value = cell->x == 0 ? 100 : 0;
  return HG_OK;
}

/* Heats a corner too, then goes on until the middle is as warm as that. */
static hg_status warm_up(hg_run *run, double wanted)
{
  const int64_t corner = N - 1, middle = N / 2 * N + N / 2; /* x + nx y */
  const double hot = 100;
  double value = 0;
  HG_TRY(hg_values_set(run, 1, &corner, &hot, sizeof hot));
  while (value < wanted && !hg_is_finished(run)) {
    HG_TRY(hg_advance(run, 100));
    HG_TRY(hg_values_get(run, 1, &middle, &value, sizeof value)); /* by all ranks, wherever it is */
    if (hg_rank(run) == 0) printf("after %lld steps %.3f\n", (long long)hg_steps_done(run), value);
  }
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(void)
{
  const hg_job job = {.size = {N, N, 1}, .update = &warm, .init = start, .steps = 10000, .output = "warm.npy"};
  hg_run *run = NULL;
  hg_status status = hg_start(&job, &run);
  if (status == HG_OK) status = warm_up(run, 20);
  if (status == HG_OK)
    status = hg_finish(run); /* writes the output */
  else
    hg_free(run);
  if (status != HG_OK) fprintf(stderr, "own_loop: %s\n", hg_message());
  return status == HG_OK ? 0 : 1;
}
