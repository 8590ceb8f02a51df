/* SPDX-License-Identifier: MIT */
/* Owners of tiles, and where a task goes. */
#ifndef HG_SCHEDULERS_PLACEMENT_H
#define HG_SCHEDULERS_PLACEMENT_H

#include "schedulers/policy.h"

int hg_sched_tile(hg_policy *p, struct starpu_task *task);
void hg_sched_assign(hg_policy *p);
bool hg_sched_regions_of_use(hg_policy *p);
/** A worker has done a task that writes a tile, in so many s. */
void hg_sched_tile_done(hg_policy *p, int tile, int w, double seconds);
/** Tiles that come now are others. */
void hg_sched_forget_owners(hg_policy *p);
double hg_sched_urgency(const hg_policy *p, int tile);
int hg_sched_place(hg_policy *p, const hg_ready *ready, const hg_costs *c, bool *shared);
#endif
