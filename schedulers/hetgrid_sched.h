/* SPDX-License-Identifier: MIT */
/* Scheduling policies for StarPU. A task goes where it is expected to finish first, transfers included, and waits there
 * by priority and by the length of the path that it begins in the graph of submitted tasks. Where tiles have owners,
 * which the program names or hetgrid-nphp finds by speed, a task goes to the owner of the tile it writes: the first
 * buffer written that has coordinates (starpu_data_set_coordinates). */
#ifndef HG_SCHEDULERS_HETGRID_SCHED_H
#define HG_SCHEDULERS_HETGRID_SCHED_H

#include <starpu_scheduler.h>

#include "schedulers/hints.h"

/** hetgrid: list scheduling, owners that the program names, stealing where it pays. hetgrid-nphp: regions of the tile
 * grid, without stealing (nphp.c). Ended by NULL. */
extern struct starpu_sched_policy *hg_sched_policies[];

/** The policy of that name, or NULL; hetgrid-rows, hetgrid-even and hetgrid-dfpa are hetgrid-nphp with an option. */
struct starpu_sched_policy *hg_sched_find(const char *name);
#endif
