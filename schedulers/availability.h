/* SPDX-License-Identifier: MIT */
/* How long a worker stays busy. */
#ifndef HG_SCHEDULERS_AVAILABILITY_H
#define HG_SCHEDULERS_AVAILABILITY_H

#include "schedulers/policy.h"

/** Seconds until a worker finishes the task that is running. */
double hg_sched_remaining(const hg_sched_worker *w, double time);
/** Seconds until it finishes everything it has started. */
double hg_sched_remaining_started(const hg_sched_worker *w, double time);
/** Seconds a worker needs for tasks expected to take `seconds`, at the pace of its last tasks or of one that
 * overruns. */
double hg_sched_scaled(const hg_sched_worker *w, double seconds);
/** Whether a task expected to take `expected` s runs for too long to say how fast its worker is. */
bool hg_sched_has_stalled(const hg_sched_worker *w, double expected, double seconds);
/** A task expected to take `expected` s, > 0, took `seconds`. */
void hg_sched_note_slowdown(hg_sched_worker *w, double expected, double seconds);
/** Seconds until a worker finishes what it has started and all that waits for it. For a task that needs its memory's
 * `link`, at least until the link has transferred everything requested. */
double hg_sched_available(const hg_policy *p, int w, double time, bool link);
#endif
