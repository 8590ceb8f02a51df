/* SPDX-License-Identifier: MIT */
/* The cost of transferring a task's data to a memory. */
#ifndef HG_SCHEDULERS_TRANSFERS_H
#define HG_SCHEDULERS_TRANSFERS_H

#include "schedulers/policy.h"

/** Number of GPUs, each of which may have several workers with a stream each. */
unsigned hg_sched_gpus(void);
/** Which of its first 64 buffers a task reads that others read to write the same data, one bit each; with the lock
 * held. */
uint64_t hg_sched_find_again(const hg_policy *p, struct starpu_task *task);
/** Costs for all memories whose workers can run the task. */
void hg_sched_transfers(const hg_policy *p, struct starpu_task *task, bool last, hg_costs *c);
/** The cost of transferring a task's data to a memory; also allowed without the lock. `last`: no other task waits for
 * what it writes. */
hg_transfer_cost hg_sched_transfer(const hg_policy *p, struct starpu_task *task, bool last, unsigned node,
                                   uint64_t again);
/** Whether no other task is known to wait for this one. */
bool hg_sched_is_last(const hg_policy *p, int node);
#endif
