/* SPDX-License-Identifier: MIT */
/* The graph of all tasks that are known, and the order of those that wait by it; with the lock held. */
#ifndef HG_SCHEDULERS_RANKS_H
#define HG_SCHEDULERS_RANKS_H

#include "schedulers/policy.h"

/** Its node until it is done, or -1. */
int hg_sched_task_node(const hg_policy *p, const struct starpu_task *task);
/** Of workers of one kind alone: whether the longest path that a task begins is long for them. */
bool hg_sched_is_urgent(const hg_policy *p, int node);
/** ... and its rank, in s: as long as it is not urgent, what the task takes by itself, so that long ones come first; in
 * a core's `own` queue, where few are far longer than others, the order in which they became ready is better: they find
 * in the caches what the last ones left. */
double hg_sched_rank_among_alike(const hg_policy *p, int node, bool own);
/** Ranks all tasks anew, and the queues after them. */
void hg_sched_rank(hg_policy *p);
/** Enters a task that takes so many s on a worker of average speed; its node, or -1. */
int hg_sched_record(hg_policy *p, struct starpu_task *task, double seconds);
#endif
