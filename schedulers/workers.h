/* SPDX-License-Identifier: MIT */
/* The workers of a context. */
#ifndef HG_SCHEDULERS_WORKERS_H
#define HG_SCHEDULERS_WORKERS_H

#include "schedulers/policy.h"

void hg_sched_add_worker(hg_policy *p, int id); /* with the lock held */
void hg_sched_count_workers(hg_policy *p);      /* with the lock held */
bool hg_sched_workers_changed(const hg_policy *p);
void hg_sched_find_workers(hg_policy *p); /* with the lock held */
/** Whether all are cores and none is slower than the others. */
bool hg_sched_are_equal(const hg_policy *p);
/** Where all workers are of one kind: notes each one's speed for a task; with the lock held. Returns the s on the
 * fastest. */
double hg_sched_compare_workers(hg_policy *p, const hg_costs *c);
#endif
