/* SPDX-License-Identifier: MIT */
/* What a free worker does next. */
#ifndef HG_SCHEDULERS_STEALING_H
#define HG_SCHEDULERS_STEALING_H

#include "schedulers/policy.h"

/** A task of the worker's own or the shared queue, or NULL. */
hg_ready *hg_sched_pop(hg_policy *p, int w);
/** A task that waits for others: for a worker that has left, or for one from which stealing pays. */
hg_ready *hg_sched_steal(hg_policy *p, int w);
/** Gives idle workers those tasks of a worker's queue that pay to be moved. */
void hg_sched_offer(hg_policy *p, int w);
/** A worker hands a task back to StarPU because its memory has no room. */
void hg_sched_return(hg_policy *p, hg_task_graph_node *node);
#endif
