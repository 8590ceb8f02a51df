/* SPDX-License-Identifier: MIT */
/* What it costs to bring a task's data to a memory. */
#ifndef HG_SCHEDULERS_TRANSFERS_H
#define HG_SCHEDULERS_TRANSFERS_H

#include "schedulers/policy.h"

/** GPUs, each of which may have several workers, with a stream each. */
unsigned hg_sched_gpus(void);
/** Of the task's data, by how tasks use them; with the lock held. */
void hg_sched_find_weights(const hg_policy *p, struct starpu_task *task, hg_transfer_weights *weights);
/** Notes that a task which reads data waits for nothing any more; with the lock held, like the next. */
void hg_sched_readers_ready(hg_policy *p, struct starpu_task *task);
/** ... that a task which reads and writes data is done. */
void hg_sched_data_done(hg_policy *p, struct starpu_task *task);
/** To all memories whose workers can run the task, by its weights. */
void hg_sched_transfers(const hg_policy *p, struct starpu_task *task, bool last, hg_costs *c);
/** What it takes to bring a task's data to a memory; without the lock, too. `last`: no other task waits for what it
 * writes. */
hg_transfer_cost hg_sched_transfer(const hg_policy *p, struct starpu_task *task, bool last, unsigned node,
                                   const hg_transfer_weights *weights);
/** Whether no other task is known to wait for this one. */
bool hg_sched_is_last(const hg_policy *p, int node);
#endif
