/* SPDX-License-Identifier: MIT */
/* StarPU-MPI's progress thread asks MPI_Test again and again as long as a message is pending. Where it shares a core
 * with a worker, it takes half of it. MPI's profiling interface lets a program put itself before MPI_Test
 * (mpi_backoff.h): after some fruitless tests in a row the progress thread sleeps, first shortly, then longer, which
 * costs a message some latency and the worker nothing. Other threads' tests pass through.
 *
 * StarPU-MPI looks for envelopes with its own lock in its hands, which a worker needs when a task ends that a message
 * waits for: such a worker loses up to two delays. To end the delay before was tried: 7 % faster beside a process that
 * spins, 2 % slower on an idle machine, where the other ranks' rounds are in step. */
#include "runtime/mpi_backoff.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "runtime/ranks.h"

/* Fruitless tests before the first delay; shortest and longest delay in seconds * 1e-9. Each delay is longer than the
 * one before by a quarter, so that a message is seen late by a quarter of the time it took, at most by the longest
 * delay. */
enum { TESTS = 20, SHORTEST = 20000, LONGEST = 1000000 };

static atomic_bool enabled;

void hg_mpi_backoff_enable(void)
{
  enabled = true;
}

/* StarPU names the thread. */
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
