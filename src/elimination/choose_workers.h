/* SPDX-License-Identifier: MIT */
/* Which kinds of workers eliminate where the user has not said it: GPUs alone, cores alone or both, whatever takes
 * least time. Beside a GPU that does a column in a millisecond, cores only take what it waits for; a small matrix is
 * done before it has come to a GPU. */
#ifndef HG_ELIMINATION_CHOOSE_WORKERS_H
#define HG_ELIMINATION_CHOOSE_WORKERS_H

#include "elimination/problem.h"
#include "runtime/session.h"

/** Lets this rank's tasks go where an n x n matrix is predicted to be factored first (predict.h), by samples: a panel
 * and a column on a GPU, and on all cores at once, some milliseconds each. After that GPUs have loaded what the tasks
 * need. Nothing is sampled, and GPUs are left out, where cores are done sooner than that; nor where there are no GPUs,
 * or in virtual time. Not collective; in a session whose allowed workers (hg_use_only) it sets. HG_MEMORY, HG_RUNTIME.
 */
hg_status hg_lu_choose_workers(hg_session *session, int64_t n, hg_precision precision);
#endif
