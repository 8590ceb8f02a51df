/* SPDX-License-Identifier: MIT */
/* Which kinds of workers eliminate where the user has not said it: GPUs alone, cores alone or both, whatever takes
 * least time. Beside a GPU that does a column in a millisecond, cores only take what it waits for; a small matrix is
 * done before a GPU has loaded its code. */
#ifndef HG_ELIMINATION_CHOOSE_WORKERS_H
#define HG_ELIMINATION_CHOOSE_WORKERS_H

#include "elimination/problem.h"
#include "runtime/session.h"

/** Lets this rank's tasks go where an n x n matrix is predicted to be factored first (hg_choose_sides), by samples
 * where they pay: a panel and a column on a GPU, or on all cores at once, some milliseconds each. Nothing is done where
 * there is one kind of workers, or in virtual time. Not collective; in a session whose allowed workers (hg_use_only) it
 * sets.
 * @param runs  times that it is factored, where that counts @param warm  other times come before them
 * HG_MEMORY, HG_RUNTIME. */
hg_status hg_lu_choose_workers(hg_session *session, int64_t n, hg_precision precision, int runs, bool warm);
#endif
