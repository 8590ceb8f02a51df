/* SPDX-License-Identifier: MIT */
/* What a policy learns when a task is submitted. */
#ifndef HG_SCHEDULERS_SUBMIT_H
#define HG_SCHEDULERS_SUBMIT_H

#include "schedulers/policy.h"

/** A task of which models say this; its node in the graph, or -1. */
int hg_sched_submitted(hg_policy *p, struct starpu_task *task, const hg_model_estimate *model);
#endif
