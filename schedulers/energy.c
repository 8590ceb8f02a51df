/* SPDX-License-Identifier: MIT */
/* What the joules of a task are worth in seconds, so that a policy weighs them: STARPU_SCHED_GAMMA
 * is the us that a joule is worth (StarPU's dmda has the same; unset it is 0 here and nothing is
 * weighed), STARPU_IDLE_POWER the W that a machine draws as long as anything runs.
 *
 *   cost = finish + gamma (E_task + idle power x what it lengthens the run by)
 *
 * E_task is the codelet's energy model where it has one, else the worker's full power, if somebody
 * has said it, times the time expected. */
#include <math.h>
#include <string.h>

#include "schedulers/energy.h"
#include "schedulers/hints.h"

static double full_power[STARPU_NMAXWORKERS]; /* W, by StarPU's worker ids; 0: unknown */

void hg_sched_set_powers(int workers, const double *watts)
{
  memset(full_power, 0, sizeof full_power);
  for (int i = 0; i < workers && i < STARPU_NMAXWORKERS; i++) full_power[i] = watts[i];
}

double hg_sched_energy_penalty(const hg_policy *p, struct starpu_task *task, int w, double seconds, double longer)
{
  if (p->gamma <= 0 || !isfinite(seconds)) return 0;
  const int id = p->worker[w].id;
  const double modelled = starpu_task_worker_expected_energy(task, (unsigned)id, p->context, 0);
  return p->gamma * ((modelled > 0 ? modelled : full_power[id] * seconds) + p->idle_power * fmax(longer, 0));
}
