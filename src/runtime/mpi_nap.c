/* SPDX-License-Identifier: MIT */
/* StarPU-MPI's progress thread asks MPI_Test again and again as long as a message is pending. Where it shares a core
 * with a worker, it takes half of it. MPI's profiling interface lets a program put itself before MPI_Test (mpi_nap.h):
 * after some fruitless tests in a row the progress thread sleeps, first shortly, then longer, which costs a message
 * some latency and the worker nothing. Other threads' tests pass through.
 *
 * StarPU-MPI looks for envelopes with its own lock in its hands, which a worker needs when a task ends that a message
 * waits for: such a worker loses up to two naps. To end the nap before was tried: 7 % faster beside a process that
 * spins, 2 % slower on an idle machine, where the other ranks' rounds are in step. */
#include "runtime/mpi_nap.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "runtime/ranks.h"

/* Fruitless tests before the first nap; shortest and longest nap in seconds * 1e-9. Each nap is longer than the one
 * before by a quarter, so that a message is seen late by a quarter of the time it took, at most by the longest nap. */
enum { TESTS = 20, SHORTEST = 20000, LONGEST = 1000000 };

static atomic_bool enabled;

void hg_mpi_nap_enable(void)
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
  static _Thread_local long nap;
  int error = PMPI_Test((MPI_Request *)request, flag, (MPI_Status *)status);
  if (!enabled || !is_progress_thread()) return error;
  if (*flag) {
    fruitless = 0;
    nap = SHORTEST;
  } else if (++fruitless > TESTS) {
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
    nap = nap + nap / 4 < LONGEST ? nap + nap / 4 : LONGEST;
  }
  return error;
}
