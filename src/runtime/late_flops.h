/* SPDX-License-Identifier: MIT */
/* Flops of tasks that are known only when the tasks have run: FxT records them before. Internal to runtime/. */
#ifndef HG_RUNTIME_LATE_FLOPS_H
#define HG_RUNTIME_LATE_FLOPS_H

#include "base/status.h"

/** Notes the flops of the task that has just ended on this worker. */
void hg_counted_task(void *number);

/** Writes FOLDER/flops_RANK.rec, which may be empty, with a stanza per task. HG_IO, HG_MEMORY. */
hg_status hg_counted_save(const char *folder, int rank);
#endif
