/* SPDX-License-Identifier: MIT */
/* The ranks of a session: MPI processes (ranks_mpi.c), or nodes of a simulated machine (ranks_simulated.c). These
 * files also define the communication functions of session.h. Internal to runtime/. */
#ifndef HG_RUNTIME_RANKS_H
#define HG_RUNTIME_RANKS_H

#include <starpu.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct hg_session hg_session;

/** Number of cores of a rank from which on one is reserved for the thread that submits tasks. */
enum { HG_CORES_TO_SPARE_ONE = 8 };

/** Configures StarPU for the ranks, before it starts. Collective. HG_INVALID. */
hg_status hg_ranks_prepare(hg_session *session, struct starpu_conf *conf);

/** Whether the session has all ranks that the launcher started. */
bool hg_ranks_are_all(const hg_session *session);

/** Collects the workers of all ranks once StarPU has started: all ranks compute the same partition. */
hg_status hg_ranks_collect(hg_session *session);

/** Ends the session after StarPU has stopped: waits for all ranks and undoes what join and prepare changed in this
 * process. Collective. */
void hg_ranks_leave(hg_session *session);

/** Allows StarPU-MPI's progress thread to back off (mpi_backoff.h). */
void hg_mpi_backoff_enable(void);
#endif
