/* SPDX-License-Identifier: MIT */
/* Owners of tiles, and where a task goes. */
#ifndef HG_SCHEDULERS_PLACEMENT_H
#define HG_SCHEDULERS_PLACEMENT_H

#include "schedulers/policy.h"

/** The worker that the program named as the owner, or otherwise as the `home`, of what a task writes, or -1. */
int hg_sched_owner(const hg_policy *p, struct starpu_task *task, bool home);
/** How many times a worker has updated all data that the program gave it; infinite if it gave none. */
double hg_sched_rounds(const hg_policy *p, int w);
/** For hetgrid-nphp: number of the tile that a task writes, added if it is new; -1: none. */
int hg_sched_tile(hg_policy *p, struct starpu_task *task);
/** Records a submitted task with its model times; its node in the graph, or -1. */
int hg_sched_submitted(hg_policy *p, struct starpu_task *task, const hg_model_estimate *model);
/** Whether tasks go to the owners of their tiles. */
bool hg_sched_regions_of_use(hg_policy *p);
/** The tiles that come from now on are different ones. */
void hg_sched_forget_owners(hg_policy *p);
/** The worker that is expected to finish the task first, or -1 if none can run it. */
int hg_sched_earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c);
/** The placement rule of hetgrid. */
int hg_sched_place(hg_policy *p, const hg_ready *ready, const hg_costs *c, bool *shared);
#endif
