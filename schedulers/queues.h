/* SPDX-License-Identifier: MIT */
/* The queues of ready tasks; all with the lock held. */
#ifndef HG_SCHEDULERS_QUEUES_H
#define HG_SCHEDULERS_QUEUES_H

#include "schedulers/policy.h"

/** The worker looks again; whether it did not. Without the lock, too. */
bool hg_sched_stop_idling(hg_policy *p, int w);
/** The worker is given something, or may find something. */
void hg_sched_alert(hg_policy *p, int w);
void hg_sched_put(hg_policy *p, hg_queue *queue, int w, hg_ready *ready);
/** Removes task i of a queue, for a worker that takes so many s. */
hg_ready *hg_sched_take(hg_policy *p, hg_queue *queue, int i, double seconds);
/** Queue i: of a worker, of all, what is stranded; how many there are. */
hg_queue *hg_sched_queue(hg_policy *p, int i);
int hg_sched_queues(const hg_policy *p);

/** In a build with HG_CHECKED: aborts unless somebody who is awake will look at every queue with tasks. */
void hg_sched_check_queues(const hg_policy *p);
#endif
