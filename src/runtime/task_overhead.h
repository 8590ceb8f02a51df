/* SPDX-License-Identifier: MIT */
/* What the runtime itself needs for a task, which descriptions of machines call `start`. */
#ifndef HG_RUNTIME_TASK_OVERHEAD_H
#define HG_RUNTIME_TASK_OVERHEAD_H

#include "speed/measure.h"

/** s from the end of a task to the end of the next one that waits for it and does nothing: finished, freed, decided on
 * and begun, under the default policy. The tasks are there before the first one may begin, so that submitting them does
 * not count. Starts StarPU and stops it. What hg_session_open and hg_measure_runs return. */
hg_status hg_task_cost(hg_timing *out);
#endif
