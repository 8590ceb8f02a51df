/* SPDX-License-Identifier: MIT */
/* The graph of all known tasks, and the order of waiting tasks that follows from it; with the lock held. */
#ifndef HG_SCHEDULERS_RANKS_H
#define HG_SCHEDULERS_RANKS_H

#include "schedulers/policy.h"

/** A task's node until it is finished, or -1. */
int hg_sched_task_node(const hg_policy *p, const struct starpu_task *task);
/** For workers of one kind only: whether the longest path that a task begins is long for them. */
bool hg_sched_is_urgent(const hg_policy *p, int node);
/** ... and its rank, in s. As long as it is not urgent this is the task's own time, so that long tasks come first. In
 * a core's `own` queue, where few tasks are far longer than others, the order in which they became ready is better:
 * they find in the caches what the last ones left. */
double hg_sched_rank_among_alike(const hg_policy *p, int node, bool own);
/** Ranks all tasks again and sorts the queues accordingly. */
void hg_sched_rank(hg_policy *p);
/** Enters a task that takes `seconds` on a worker of average speed; its node, or -1. */
int hg_sched_record(hg_policy *p, struct starpu_task *task, double seconds);
#endif
