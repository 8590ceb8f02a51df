/* SPDX-License-Identifier: MIT */
/* Tasks as StarPU's task profiling sees them. Internal to runtime/. */
#ifndef HG_RUNTIME_PROFILE_H
#define HG_RUNTIME_PROFILE_H

#include "base/status.h"

/** Times count from here on. */
void hg_profile_start(void);

/** Place of the next task in the order of submission, as the argument of its callback. */
void *hg_profile_number(void);

/** Notes the task with that place, which has just ended on this worker. */
void hg_profile_task(void *number);

/** Writes FOLDER/tasks_RANK.rec and data_RANK.rec in the format of StarPU's conversion, and workers_RANK.rec, which
 * names the workers. HG_IO, HG_MEMORY. */
hg_status hg_profile_save(const char *folder, int rank);
#endif
