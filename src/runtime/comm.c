/* SPDX-License-Identifier: MIT */
#include "runtime/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"

static void end_all(MPI_Comm *comm, int *code, ...)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length, rank;
  MPI_Error_string(*code, text, &length);
  MPI_Comm_rank(*comm, &rank);
  hg_log(HG_ERROR, "rank %d: MPI: %s", rank, text);
  fflush(NULL);
  MPI_Abort(*comm, EXIT_FAILURE);
}

void hg_comm_guard(MPI_Comm comm)
{
  static MPI_Errhandler handler = MPI_ERRHANDLER_NULL; /* kept until MPI ends */
  if (handler == MPI_ERRHANDLER_NULL) MPI_Comm_create_errhandler(end_all, &handler);
  MPI_Comm_set_errhandler(comm, handler);
}

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
