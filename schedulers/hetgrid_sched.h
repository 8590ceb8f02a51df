/* SPDX-License-Identifier: MIT */
/* Scheduling policies for StarPU. A task goes where it is expected to finish first, transfers included, and waits there
 * by priority and by the length of the path that it begins in the graph of submitted tasks. Where tiles have owners,
 * which the program names or a policy finds by speed, a task goes to the owner of the tile it writes: the first buffer
 * written that has coordinates (starpu_data_set_coordinates). */
#ifndef HG_SCHEDULERS_HETGRID_SCHED_H
#define HG_SCHEDULERS_HETGRID_SCHED_H

#include <starpu_scheduler.h>

#include "schedulers/hints.h"

/** hetgrid: list scheduling, owners that the program names, stealing where it pays.
 * hetgrid-dfpa: the same with regions by speed, which are made anew from measured times when workers are out of
 * balance. hetgrid-rows: rows of tiles by speed, hetgrid-even: equal regions; both without stealing (the thesis'
 * baselines). */
extern struct starpu_sched_policy hg_sched_hetgrid, hg_sched_dfpa, hg_sched_rows, hg_sched_even;

/** All of them, ended by NULL. */
extern struct starpu_sched_policy *hg_sched_policies[];

/** The policy of that name, or NULL. */
struct starpu_sched_policy *hg_sched_find(const char *name);
#endif
