/* SPDX-License-Identifier: MIT */
/* Until when a worker is busy. */
#ifndef HG_SCHEDULERS_AVAILABILITY_H
#define HG_SCHEDULERS_AVAILABILITY_H

#include "schedulers/policy.h"

/** s until a worker has done the task that runs. */
double hg_sched_remaining(const hg_sched_worker *w, double time);
/** s until it has done all that it has begun. */
double hg_sched_remaining_started(const hg_sched_worker *w, double time);
/** s until a worker has done tasks that take `seconds`, at the pace of the last ones or of one that overruns. */
double hg_sched_scaled(const hg_sched_worker *w, double seconds);
/** Whether a task of which `expected` s were expected lasts too long to say how fast its worker is. */
bool hg_sched_has_stalled(const hg_sched_worker *w, double expected, double seconds);
/** A task of which `expected` s, > 0, were expected has taken `seconds`. */
void hg_sched_note_slowdown(hg_sched_worker *w, double expected, double seconds);
/** s until a worker has done what it has begun and all that waits for it; where a task needs its memory's `link`, at
 * least until that has brought all that was asked for. */
double hg_sched_available(const hg_policy *p, int w, double time, bool link);
#endif
