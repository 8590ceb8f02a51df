/* SPDX-License-Identifier: MIT */
/* The runtime's overhead per task, called `start` in descriptions of machines. */
#ifndef HG_RUNTIME_TASK_OVERHEAD_H
#define HG_RUNTIME_TASK_OVERHEAD_H

#include "speed/measure.h"

/** s from the end of a task to the end of an empty one that depends on it, under the default policy: termination,
 * release, scheduling and start. All tasks are submitted before the first one may start, so submission does not count.
 * Starts and stops StarPU. Returns what hg_session_open and hg_measure_runs do. */
hg_status hg_task_cost(hg_timing *out);
#endif
