/* SPDX-License-Identifier: MIT */
/* Which run is live, and what works on it: API functions may be given runs that have ended, and may be called by
 * functions of the job that they themselves wait for. Internal to job/. */
#ifndef HG_JOB_LIVE_H
#define HG_JOB_LIVE_H

#include <stdbool.h>

#include "job/job.h"

/** Begins a run. HG_UNSUPPORTED while another is live. */
hg_status hg_live_begin(hg_run *run);

/** Ends the run, if it is the live one. */
void hg_live_end(const hg_run *run);

/** Whether the run is live: not NULL and not ended. */
bool hg_live_is(const hg_run *run);

/** The API function `function` begins to work on a run. HG_INVALID if it is NULL or has ended, HG_UNSUPPORTED while
 * another function does. Ends with hg_live_rest. */
hg_status hg_live_work(const hg_run *run, const char *function);
void hg_live_rest(void);

/** As hg_live_work, for access to values, which `dynamic` and `finished` may have too. Needs no hg_live_rest. */
hg_status hg_live_ask(const hg_run *run, const char *function);

/** Called before and after a function of the job that may access values. */
void hg_live_between(bool steps);
#endif
