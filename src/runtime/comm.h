/* SPDX-License-Identifier: MIT */
/* Communicators of a session (hg_session.comms), for the parts of the library that send messages. */
#ifndef HG_RUNTIME_COMM_H
#define HG_RUNTIME_COMM_H

#include <mpi.h>
#include <stdbool.h>

struct hg_comms {
  MPI_Comm own;   /**< for the library's messages and collectives */
  MPI_Comm tasks; /**< for StarPU-MPI, which receives from any source there */
};

/** Makes an MPI call that fails on this communicator, or on one duplicated from it, end all of its ranks with a
 * message and status 1, whatever error handlers the program's own communicators have: this rank could not continue,
 * and the others would wait for ever. */
void hg_comm_guard(MPI_Comm comm);

/** Waits for all requests without polling, for at most `seconds` (0: without limit). Returns whether they are
 * complete. */
bool hg_wait_quietly(int count, MPI_Request *request, double seconds);
#endif
