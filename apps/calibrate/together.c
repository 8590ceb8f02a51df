/* SPDX-License-Identifier: MIT */
/* Several cores measured together, since they share memory in a run: one is timed while the others do the same. */
#include <pthread.h>
#include <stdatomic.h>

#include "calibrate.h"

typedef struct companion {
  double (*run)(void *arg, int repeats);
  void *arg;
  const atomic_bool *stop;
  pthread_t thread;
} companion;

static void *keep_running(void *arg)
{
  const companion *c = arg;
  while (!atomic_load(c->stop) && c->run(c->arg, 1) >= 0) continue;
  return NULL;
}

hg_timing calibrate_together(double (*run)(void *arg, int repeats), int cores, void *const arg[])
{
  atomic_bool stop = false;
  companion other[cores];
  int started = 1;
  for (; started < cores; started++) {
    companion *c = &other[started];
    *c = (companion){.run = run, .arg = arg[started], .stop = &stop};
    if (pthread_create(&c->thread, NULL, keep_running, c) != 0) break;
  }
  const hg_timing time = started == cores ? calibrate_runs(run, arg[0]) : CALIBRATE_FAILED;
  atomic_store(&stop, true);
  for (int i = 1; i < started; i++) pthread_join(other[i].thread, NULL);
  return time;
}
