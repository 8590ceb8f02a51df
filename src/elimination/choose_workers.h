/* SPDX-License-Identifier: MIT */
/* Which kinds of workers eliminate if the user does not say: only GPUs, only cores or both, whichever takes the least
 * time. Beside a GPU that does a column in a millisecond, cores only take tasks that the GPU waits for; a small matrix
 * is finished before a GPU has loaded its code. */
#ifndef HG_ELIMINATION_CHOOSE_WORKERS_H
#define HG_ELIMINATION_CHOOSE_WORKERS_H

#include "elimination/problem.h"
#include "runtime/session.h"

/** Restricts this rank's tasks to the workers predicted to factor an n x n matrix first (hg_choose_sides). Takes
 * samples where they pay: a panel and a column on a GPU, or on all cores at once, some milliseconds each. Does nothing
 * if there is one kind of workers, or in simulation. Not collective. Sets the session's allowed workers (hg_use_only).
 * @param runs  number of factorisations, where that matters @param warm  untimed runs come first
 * HG_MEMORY, HG_RUNTIME. */
hg_status hg_lu_choose_workers(hg_session *session, int64_t n, hg_precision precision, int runs, bool warm);
#endif
