/* SPDX-License-Identifier: MIT */
/* What joules are worth. */
#ifndef HG_SCHEDULERS_ENERGY_H
#define HG_SCHEDULERS_ENERGY_H

#include "schedulers/policy.h"

/** s that those of a task of `seconds` on a worker are worth, and of a machine that runs `longer` s; 0 unless energy
 * counts. */
double hg_sched_energy_penalty(const hg_policy *p, struct starpu_task *task, int w, double seconds, double longer);
#endif
