/* SPDX-License-Identifier: MIT */
/* What StarPU's models say of a task. */
#ifndef HG_SCHEDULERS_MODEL_CACHE_H
#define HG_SCHEDULERS_MODEL_CACHE_H

#include "schedulers/policy.h"

/** s that the model of the best implementation expects on a worker: 0 if there is none, NaN if it is not calibrated,
 * infinite if the worker cannot. */
double hg_sched_model(const hg_policy *p, struct starpu_task *task, int w, unsigned *implementation);
/** By the models alone, on all workers. */
void hg_sched_ask_models(const hg_policy *p, struct starpu_task *task, hg_model_estimate *model);
/** s on a worker of average speed for the task, by the models: the harmonic mean over those that can. */
double hg_sched_typical(const hg_model_estimate *model);
/** Of tasks with the same shape models say the same; 0 if they go by something else than its data, or the program
 * says who can run the task. */
uint64_t hg_sched_shape(struct starpu_task *task);
/** What the models said of a shape is kept unless it may change soon, until another takes its place; models learn, so
 * that `fresh`, for a task that is submitted, is false for one in 32. With the lock held. */
void hg_sched_store_model(hg_policy *p, const struct starpu_task *task, uint64_t shape, const hg_model_estimate *model);
bool hg_sched_lookup_model(hg_policy *p, uint64_t shape, bool fresh, hg_model_estimate *model);
/** What tells kinds of tasks apart, and the place of a kind among HG_KINDS. */
const void *hg_sched_kind(const struct starpu_task *task);
size_t hg_sched_kind_place(const void *kind);
#endif
