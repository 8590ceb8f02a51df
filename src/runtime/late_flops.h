/* SPDX-License-Identifier: MIT */
/* Flops of tasks that know them when they have been done: FxT notes those of a task before it runs. Internal to
 * runtime/. */
#ifndef HG_RUNTIME_LATE_FLOPS_H
#define HG_RUNTIME_LATE_FLOPS_H

#include "base/status.h"

/** Notes the flops of the task that has just ended on this worker. */
void hg_counted_task(void *number);

/** Writes FOLDER/flops_RANK.rec, which may be empty: a stanza a task. HG_IO, HG_MEMORY. */
hg_status hg_counted_save(const char *folder, int rank);
#endif
