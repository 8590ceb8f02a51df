/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and until when its link brings data. */
#ifndef HG_SCHEDULERS_MEMORY_H
#define HG_SCHEDULERS_MEMORY_H

#include "schedulers/policy.h"

void hg_sched_find_memories(hg_policy *p);
/** Whether a worker's memory is limited. */
bool hg_sched_limited(const hg_policy *p, int w);
/** Whether a limited memory is nearly full. */
bool hg_sched_is_full(const hg_policy *p, unsigned memory);
/** StarPU's workers that wait for data which found no room; how many. With the lock held. */
int hg_sched_blocked_on_memory(const hg_policy *p, int *ids);

/** The link has this to bring for a task in the worker's queue, in s. */
void hg_sched_reserve_link(hg_policy *p, int w, hg_ready *ready, double seconds);
/** The task goes elsewhere before its data were asked for. */
void hg_sched_release_link(hg_policy *p, int w, const hg_ready *ready);
/** s until all is brought; may be negative. */
double hg_sched_link_free(const hg_policy *p, int w, double time);
#endif
