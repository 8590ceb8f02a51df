/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and in which order its tasks reuse it. */
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
#endif
