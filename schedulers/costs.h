/* SPDX-License-Identifier: MIT */
/* How long each worker takes for a task, and when the task would be finished. */
#ifndef HG_SCHEDULERS_COSTS_H
#define HG_SCHEDULERS_COSTS_H

#include "schedulers/policy.h"

/** A task that becomes ready, with room for estimates of all workers. @param owner  of the tile it writes, or -1 */
hg_ready *hg_sched_new_ready(hg_policy *p, struct starpu_task *task, int owner);
/** Returns it for reuse. */
void hg_sched_free_ready(hg_policy *p, hg_ready *ready);
void hg_sched_free_spare(hg_policy *p);
/** Stores the costs for as long as the task waits. */
void hg_sched_keep(hg_ready *ready, const hg_costs *c);
/** Whether the stored costs are valid: no worker has joined or left since. */
bool hg_sched_is_known(const hg_policy *p, const hg_ready *ready);
/** Expected seconds on a worker, from its model and measurements; with the lock held. */
double hg_sched_expected(const hg_policy *p, const hg_ready *ready, int w);
/** Corrects the costs by what was measured; with the lock held, like all that follow. */
void hg_sched_correct(const hg_policy *p, struct starpu_task *task, hg_costs *c);
/** A task for which the model expected `model` s took `seconds`. */
void hg_sched_measured(hg_policy *p, struct starpu_task *task, int w, double model, double seconds);
/** Seconds of a task of which nothing is known, on a core or a GPU. @param gpus  of this machine */
double hg_sched_guess(double flops, bool on_gpu, unsigned gpus);
/** Seconds to transfer a waiting task's data to the worker's memory. */
double hg_sched_transfer_time(const hg_policy *p, const hg_ready *ready, int w);
/** Whether the worker has not yet measured a task of this kind. */
bool hg_sched_is_cold(const hg_sched_worker *w, const struct starpu_task *task);
/** What energy costs, in s: the joules of a task of `seconds` on a worker, and those of a machine that runs `longer`
 * s. 0 unless energy counts. */
double hg_sched_energy_penalty(const hg_policy *p, struct starpu_task *task, int w, double seconds, double longer);
#endif
