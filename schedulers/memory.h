/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and what stays in it if not everything fits. */
#ifndef HG_SCHEDULERS_MEMORY_H
#define HG_SCHEDULERS_MEMORY_H

#include "schedulers/policy.h"

void hg_sched_find_memories(hg_policy *p);
/** Whether a limited memory is nearly full. */
bool hg_sched_is_full(const hg_policy *p, unsigned memory);
/** StarPU's workers that wait because their data found no room; returns how many. With the lock held. */
int hg_sched_blocked_on_memory(const hg_policy *p, int *ids);

/** The link needs this many seconds for the data of a task in the worker's queue. */
void hg_sched_reserve_link(hg_policy *p, int w, double seconds);
/** A worker takes a task; `node` is the task's node in the graph. */
void hg_sched_make_resident(hg_policy *p, int w, struct starpu_task *task, int node);
/** After a task has ended and left the graph: releases its data if no other known task uses them. */
void hg_sched_let_go_unwanted(hg_policy *p, struct starpu_task *task);
/** A task that no worker will run has been submitted: the data that it writes stay nowhere. With the lock held. */
void hg_sched_let_go_for(hg_policy *p, struct starpu_task *task);
/** Bytes of a task's data that do not stay in this memory. */
double hg_sched_bytes_beside(const hg_policy *p, unsigned memory, struct starpu_task *task);
/** Whether data stay in a memory. */
bool hg_sched_is_resident(const hg_policy *p, unsigned memory, starpu_data_handle_t handle);
/** The worker waits for room. If it has waited for long and no running task could free some, as many of its memory's
 * resident data as a task needs become evictable. */
void hg_sched_evict(hg_policy *p, int w);
#endif
