/* SPDX-License-Identifier: MIT */
/* How a session comes by its ranks: processes of MPI (ranks_mpi.c), or nodes of a simulated machine
 * (ranks_simulated.c), which also define what session.h says of communication. Internal to runtime/. */
#ifndef HG_RUNTIME_RANKS_H
#define HG_RUNTIME_RANKS_H

#include <starpu.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct hg_session hg_session;

/** Cores of a rank from which on one is left to a thread that only brings workers their tasks. */
enum { HG_CORES_TO_SPARE_ONE = 8 };

/** Before StarPU starts: what the ranks ask of it. HG_INVALID. */
hg_status hg_ranks_prepare(hg_session *session, struct starpu_conf *conf);

/** Whether these are all ranks that the launcher started. */
bool hg_ranks_are_all(const hg_session *session);

/** After StarPU has started: the workers of all ranks, which all ranks know since they compute the same partition. */
hg_status hg_ranks_collect(hg_session *session);

/** The session's last act, after StarPU has stopped: waits for all ranks and takes back what join and prepare did to
 * this process. Collective. */
void hg_ranks_leave(hg_session *session);

/** From now on StarPU-MPI's progress thread may back off (mpi_backoff.h). */
void hg_mpi_backoff_enable(void);
#endif
