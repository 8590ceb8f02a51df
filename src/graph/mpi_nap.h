/* SPDX-License-Identifier: MIT */
/* For programs that let StarPU-MPI's progress thread nap: mpi_nap.c, which is compiled into the program. */
#ifndef HG_GRAPH_MPI_NAP_H
#define HG_GRAPH_MPI_NAP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether that thread has no core of its own in this process, so that a worker computes faster when it naps. False
 * before the session starts. Any thread. */
bool hg_mpi_may_nap(void);

#ifdef __cplusplus
}
#endif
#endif
