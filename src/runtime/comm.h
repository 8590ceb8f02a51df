/* SPDX-License-Identifier: MIT */
/* The communicators of a session (hg_session.comms), for the parts of the library that send
 * messages. */
#ifndef HG_RUNTIME_COMM_H
#define HG_RUNTIME_COMM_H

#include <mpi.h>
#include <stdbool.h>

struct hg_comms {
  MPI_Comm own;   /**< of the library's messages and collectives */
  MPI_Comm tasks; /**< of StarPU-MPI, which receives from anyone there */
};

/** From now on a call of MPI that fails on this communicator, or on one duplicated from it, ends all of its ranks with
 * a line and status 1, whatever the program wants of its own communicators: nobody here could go on, and the other
 * ranks would wait for ever. */
void hg_comm_guard(MPI_Comm comm);

/** Waits for all requests without taking the processor from others, `seconds` at most (0: as long as it takes). Returns
 * whether they are complete. */
bool hg_wait_quietly(int count, MPI_Request *request, double seconds);
#endif
