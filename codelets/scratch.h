/* SPDX-License-Identifier: MIT */
/* Memory that a worker's tasks use one after another. */
#ifndef HG_CODELETS_SCRATCH_H
#define HG_CODELETS_SCRATCH_H

#include <stddef.h>

#include "codelets/failure.h"

/** Scratch memory of the calling thread, grown as needed and kept for its next task; contents are lost when it grows.
 * Page-aligned; NULL if there is none. */
void *hg_worker_scratch(size_t bytes);

/** The same for a task, recording a failure if there is no memory. */
void *hg_task_scratch(hg_failure *failure, size_t bytes);
#endif
