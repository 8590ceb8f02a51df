/* SPDX-License-Identifier: MIT */
/* What a free worker does next. */
#ifndef HG_SCHEDULERS_STEALING_H
#define HG_SCHEDULERS_STEALING_H

#include "schedulers/policy.h"

/** A task of its own queue or of that for all, or NULL. */
hg_ready *hg_sched_pop(hg_policy *p, int w);
/** A task that waits for others: for a worker that has left, or one that it pays to take. */
hg_ready *hg_sched_steal(hg_policy *p, int w);
/** Idle workers are given what it pays them to take from a worker's queue. */
void hg_sched_offer(hg_policy *p, int w);
/** A worker hands a task back to StarPU, because its memory has no room. */
void hg_sched_return(hg_policy *p, hg_task_graph_node *node);
#endif
