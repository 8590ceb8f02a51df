/* SPDX-License-Identifier: MIT */
/* Which data are prefetched, and which task of a queue has its data. */
#ifndef HG_SCHEDULERS_PREFETCH_H
#define HG_SCHEDULERS_PREFETCH_H

#include "schedulers/policy.h"

/** Whether the data of a task put into a worker's queue may be requested at once; if so, they are counted as
 * reserved. */
bool hg_sched_may_ask_ahead(hg_policy *p, int w, hg_ready *ready);
/** Requests a task's data. */
void hg_sched_prefetch(hg_policy *p, int w, struct starpu_task *task);
/** Requests the data of the first tasks that wait for a worker. */
void hg_sched_prefetch_next(hg_policy *p, int w);
/** Index of the entry of the worker's own queue that it should take; *ready: all its data are there. */
int hg_sched_readiest(const hg_policy *p, int w, bool *ready);
/** The same where there are several memories. */
int hg_sched_with_data(const hg_policy *p, int w, bool *ready);
/** Whether a task's data may be requested now; if so, they are counted as reserved. */
bool hg_sched_reserve(hg_policy *p, int w, hg_ready *ready);
void hg_sched_release(hg_policy *p, int w, const hg_ready *ready);
#endif
