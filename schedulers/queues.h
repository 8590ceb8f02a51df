/* SPDX-License-Identifier: MIT */
/* The queues of ready tasks; all with the lock held. */
#ifndef HG_SCHEDULERS_QUEUES_H
#define HG_SCHEDULERS_QUEUES_H

#include "schedulers/policy.h"

/** Makes an idle worker look again; returns false if it was not idle. Also allowed without the lock. */
bool hg_sched_stop_idling(hg_policy *p, int w);
/** The worker has been given something, or may find something. */
void hg_sched_alert(hg_policy *p, int w);
void hg_sched_put(hg_policy *p, hg_queue *queue, int w, hg_ready *ready);
/** Removes task i of a queue, for a worker that takes `seconds` for it. */
hg_ready *hg_sched_take(hg_policy *p, hg_queue *queue, int i, double seconds);
/** Queue i: a worker's, the shared one, the stranded tasks; the number of queues. */
hg_queue *hg_sched_queue(hg_policy *p, int i);
int hg_sched_queues(const hg_policy *p);

/** In a build with HG_CHECKED: aborts if a queue has tasks and no awake worker will look at it. */
void hg_sched_check_queues(const hg_policy *p);
#endif
