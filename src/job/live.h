/* SPDX-License-Identifier: MIT */
/* Which run is live, and what works on it: functions of the interface may be given runs that have ended, and be called
 * by functions of the job that they wait for. Internal to job/. */
#ifndef HG_JOB_LIVE_H
#define HG_JOB_LIVE_H

#include <stdbool.h>

#include "job/job.h"

/** A run begins. HG_UNSUPPORTED while another is live. */
hg_status hg_live_begin(hg_run *run);

/** It ends, if it is the one that is live. */
void hg_live_end(const hg_run *run);

/** Whether it is live; not NULL, nor one that has ended. */
bool hg_live_is(const hg_run *run);

/** `function` of the interface begins to work on a run. HG_INVALID if it is NULL or has ended, HG_UNSUPPORTED while
 * another function does. Ends with hg_live_rest. */
hg_status hg_live_work(const hg_run *run, const char *function);
void hg_live_rest(void);

/** As hg_live_work, of values, which `dynamic` and `finished` may ask for, too. Nothing ends it. */
hg_status hg_live_ask(const hg_run *run, const char *function);

/** Before and after a function of the job that may ask for values. */
void hg_live_between(bool steps);
#endif
