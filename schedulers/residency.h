/* SPDX-License-Identifier: MIT */
/* Which data stay in a memory that cannot hold all. */
#ifndef HG_SCHEDULERS_RESIDENCY_H
#define HG_SCHEDULERS_RESIDENCY_H

#include "schedulers/policy.h"

/** A worker takes a task, whose node in the graph this is. */
void hg_sched_make_resident(hg_policy *p, int w, struct starpu_task *task, int node);
/** Whether data stay in a memory. */
bool hg_sched_is_resident(const hg_policy *p, unsigned memory, starpu_data_handle_t handle);
/** The worker waits for room. If it has waited for long and nothing runs that could make some, as much of what stays in
 * its memory as a task needs may be evicted from now on. */
void hg_sched_evict(hg_policy *p, int w);
#endif
