/* SPDX-License-Identifier: MIT */
#include "graph/comm.h"

#include <time.h>

#include "base/clock.h"

bool hg_wait_quietly(int count, MPI_Request *request, double seconds)
{
  enum { SHORTEST = 1000, LONGEST = 200000 }; /* ns */
  const double begin = hg_now();
  int done = 0;
  for (long pause = SHORTEST; MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE) == MPI_SUCCESS && !done;) {
    if (seconds > 0 && hg_now() - begin > seconds) return false;
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    if (pause < LONGEST) pause *= 2;
  }
  return done;
}
