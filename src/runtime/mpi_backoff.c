/* SPDX-License-Identifier: MIT */
/* StarPU-MPI's progress thread calls MPI_Test in a loop while a message is pending. If it shares a core with a worker,
 * it takes half of the core. MPI's profiling interface lets a program intercept MPI_Test (mpi_backoff.h): after some
 * fruitless tests in a row the progress thread sleeps, first briefly, then longer. This costs a message some latency
 * and the worker nothing. Tests of other threads pass through.
 *
 * StarPU-MPI tests for envelopes while it holds its lock. A worker needs this lock when a task ends that a message
 * waits for, and so loses up to two delays. Ending the delay earlier was tried: it was 7 % faster beside a spinning
 * process, but 2 % slower on an idle machine, where the ranks' rounds are in step. */
#include "runtime/mpi_backoff.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "runtime/ranks.h"

/* Fruitless tests before the first delay; shortest and longest delay in seconds * 1e-9. Each delay is a quarter longer
 * than the one before. A message is thus noticed late by at most a quarter of the time it took, and at most by the
 * longest delay. */
enum { TESTS = 20, SHORTEST = 20000, LONGEST = 1000000 };

static atomic_bool enabled;

void hg_mpi_backoff_enable(void)
{
  enabled = true;
}

/* StarPU gives this thread a name. */
static bool is_progress_thread(void)
{
  static _Thread_local int known = -1;
  char name[32] = "";
  if (known < 0) {
    pthread_getname_np(pthread_self(), name, sizeof name);
    known = strcmp(name, "MPI") == 0;
  }
  return known;
}

int hg_mpi_test(void *request, int *flag, void *status)
{
  static _Thread_local int fruitless;
  static _Thread_local long delay;
  int error = PMPI_Test((MPI_Request *)request, flag, (MPI_Status *)status);
  if (!enabled || !is_progress_thread()) return error;
  if (*flag) {
    fruitless = 0;
    delay = SHORTEST;
  } else if (++fruitless > TESTS) {
    nanosleep(&(struct timespec){.tv_nsec = delay}, NULL);
    delay = delay + delay / 4 < LONGEST ? delay + delay / 4 : LONGEST;
  }
  return error;
}
