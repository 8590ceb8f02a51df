/* SPDX-License-Identifier: MIT */
/* For how long who can run a task, and when it would be done. */
#ifndef HG_SCHEDULERS_COSTS_H
#define HG_SCHEDULERS_COSTS_H

#include "schedulers/policy.h"

/** A task that becomes ready, with room for estimates of all workers. @param owner  of the tile it writes, or -1 */
hg_ready *hg_sched_new_ready(hg_policy *p, struct starpu_task *task, int owner);
/** To be used again. */
void hg_sched_free_ready(hg_policy *p, hg_ready *ready);
void hg_sched_free_spare(hg_policy *p);
/** Keeps what the costs say for as long as the task waits. */
void hg_sched_keep(hg_ready *ready, const hg_costs *c);
/** Whether what it keeps holds: no worker has come or gone since. */
bool hg_sched_is_known(const hg_policy *p, const hg_ready *ready);
/** s expected on a worker, by its model and what was measured; with the lock held. */
double hg_sched_expected(const hg_policy *p, const hg_ready *ready, int w);
/** As measured; with the lock held, like all that follow. */
void hg_sched_correct(const hg_policy *p, struct starpu_task *task, hg_costs *c);
/** A task of which the model expected `model` s took `seconds`. */
void hg_sched_measured(hg_policy *p, struct starpu_task *task, int w, double model, double seconds);
/** s of a task of which nothing is known, on a core or a GPU. @param gpus  of this machine */
double hg_sched_guess(double flops, bool on_gpu, unsigned gpus);
/** s to bring there the data of a task that waits. */
double hg_sched_transfer_time(const hg_policy *p, const hg_ready *ready, int w);
/** Whether a worker has measured no task of the kind yet. */
bool hg_sched_is_cold(const hg_sched_worker *w, const struct starpu_task *task);
/** s that the joules of a task of `seconds` on a worker are worth, and of a machine that runs `longer` s; 0 unless
 * energy counts. */
double hg_sched_energy_penalty(const hg_policy *p, struct starpu_task *task, int w, double seconds, double longer);
#endif
