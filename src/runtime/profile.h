/* SPDX-License-Identifier: MIT */
/* Records tasks by StarPU's task profiling. Internal to runtime/. */
#ifndef HG_RUNTIME_PROFILE_H
#define HG_RUNTIME_PROFILE_H

#include "base/status.h"

/** Sets the origin of times. */
void hg_profile_start(void);

/** Index of the next task in the order of submission, as the argument of its callback. */
void *hg_profile_number(void);

/** Records the task with that index, which has just ended on this worker. */
void hg_profile_task(void *number);

/** Writes FOLDER/tasks_RANK.rec and data_RANK.rec in the format of StarPU's conversion, and workers_RANK.rec, which
 * names the workers. HG_IO, HG_MEMORY. */
hg_status hg_profile_save(const char *folder, int rank);
#endif
