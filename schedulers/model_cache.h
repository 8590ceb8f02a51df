/* SPDX-License-Identifier: MIT */
/* What StarPU's models expect of a task. */
#ifndef HG_SCHEDULERS_MODEL_CACHE_H
#define HG_SCHEDULERS_MODEL_CACHE_H

#include "schedulers/policy.h"

/** Seconds that the model of the best implementation expects on a worker: 0 if there is none, NaN if it is not
 * calibrated, infinite if the worker cannot run the task. */
double hg_sched_model(const hg_policy *p, struct starpu_task *task, int w, unsigned *implementation);
/** By the models alone, on all workers. */
void hg_sched_ask_models(const hg_policy *p, struct starpu_task *task, hg_model_estimate *model);
/** Seconds on a worker of average speed, by the models: the harmonic mean over the workers that can run the task. */
double hg_sched_typical(const hg_model_estimate *model);
/** Tasks of the same shape have the same model times. 0 if the models depend on something other than the task's data,
 * or the program says who can run the task. */
uint64_t hg_sched_shape(struct starpu_task *task);
/** Keeps the models' answers for a shape, unless they may change soon, until another shape takes the slot. As models
 * learn, `fresh`, for a submitted task, is false for one in 32. With the lock held. */
void hg_sched_store_model(hg_policy *p, const struct starpu_task *task, uint64_t shape, const hg_model_estimate *model);
bool hg_sched_lookup_model(hg_policy *p, uint64_t shape, bool fresh, hg_model_estimate *model);
/** What distinguishes kinds of tasks, and the slot of a kind among HG_KINDS. */
const void *hg_sched_kind(const struct starpu_task *task);
size_t hg_sched_kind_place(const void *kind);
#endif
