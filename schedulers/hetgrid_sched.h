/* SPDX-License-Identifier: MIT */
/* Scheduling policies for StarPU. A task goes where it is expected to finish first, transfers included. It waits there
 * by priority, then by the length of the longest path that starts with it in the graph of submitted tasks. Where tiles
 * have owners, named by the program or found from speeds by hetgrid-nphp, a task goes to the owner of the tile it
 * writes: the first buffer written that has coordinates (starpu_data_set_coordinates). */
#ifndef HG_SCHEDULERS_HETGRID_SCHED_H
#define HG_SCHEDULERS_HETGRID_SCHED_H

#include <starpu_scheduler.h>

#include "schedulers/hints.h"

/** hetgrid: list scheduling, owners named by the program, stealing where it pays. hetgrid-nphp: regions of the tile
 * grid, without stealing (nphp.c). Ends with NULL. */
extern struct starpu_sched_policy *hg_sched_policies[];

/** The policy of that name, or NULL; hetgrid-rows, hetgrid-even and hetgrid-dfpa are hetgrid-nphp with an option. */
struct starpu_sched_policy *hg_sched_find(const char *name);
#endif
