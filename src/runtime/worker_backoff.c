/* SPDX-License-Identifier: MIT */
/* A StarPU CPU worker without a task polls. If it shares its core with the submitting thread, StarPU-MPI's progress
 * thread or another rank's worker, it takes time that these need to bring it a task. StarPU calls a hook whenever a
 * worker has polled in vain. After a while the hook sleeps for a quarter of the time the worker has been idle, so a
 * task starts late by at most that share. */
#include "runtime/worker_backoff.h"

#include <starpu.h>
#include <starpu_expert.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"

/* Seconds: a worker that was away for longer than AWAY had a task; it polls for PATIENCE before it sleeps, at most
 * LONGEST at a time. */
static const double AWAY = 1e-5, PATIENCE = 2e-5, LONGEST = 1e-4;

static int hook = -1;

/* The kernel ends a sleep up to 50 microseconds late, to coalesce timers, unless a thread sets another slack. */
static void sleep_exactly(double seconds)
{
  static _Thread_local bool exact;
  if (!exact) exact = prctl(PR_SET_TIMERSLACK, 1000UL) == 0;
  nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

static unsigned back_off(void *unused)
{
  static _Thread_local double since, looked;
  (void)unused;
  if (starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CPU_WORKER) return 1; /* a GPU's polls its kernels */
  const double now = hg_now();
  if (now - looked > AWAY) since = now;
  const double idle = now - since;
  if (idle > PATIENCE) sleep_exactly(idle / 4 < LONGEST ? idle / 4 : LONGEST);
  looked = hg_now();
  return 1;
}

void hg_worker_backoff_begin(void)
{
  if (hook < 0) hook = starpu_idle_hook_register(back_off, NULL);
}

void hg_worker_backoff_end(void)
{
  if (hook >= 0) starpu_idle_hook_deregister(hook);
  hook = -1;
}
