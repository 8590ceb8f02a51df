/* SPDX-License-Identifier: MIT */
/* Until when a memory's link brings data. */
#ifndef HG_SCHEDULERS_LINKS_H
#define HG_SCHEDULERS_LINKS_H

#include "schedulers/policy.h"

/** The link has this to bring for a task in the worker's queue, in s. */
void hg_sched_reserve_link(hg_policy *p, int w, hg_ready *ready, double seconds);
/** The task goes elsewhere before its data were asked for. */
void hg_sched_release_link(hg_policy *p, int w, const hg_ready *ready);
/** s until all is brought; may be negative. */
double hg_sched_link_free(const hg_policy *p, int w, double time);
#endif
