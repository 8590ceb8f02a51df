/* SPDX-License-Identifier: MIT */
#include "codelets/energy_codelet.h"

#include <string.h>

static double watts_of[STARPU_NMAXWORKERS]; /* 0: unknown */

void hg_energy_model_fill(int workers, const double *watts)
{
  memset(watts_of, 0, sizeof watts_of);
  for (int i = 0; i < workers && i < STARPU_NMAXWORKERS; i++) watts_of[i] = watts[i];
}

/* J. An unknown time is NAN. */
static double joules(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  if (!(watts_of[worker] > 0)) return 0;
  const double us = starpu_task_worker_expected_length(task, worker, 0, implementation);
  return us > 0 ? watts_of[worker] * us * 1e-6 : 0;
}

struct starpu_perfmodel hg_energy_model = {
    .type = STARPU_PER_WORKER, .symbol = "hetgrid_energy", .worker_cost_function = joules};
