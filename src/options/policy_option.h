/* SPDX-License-Identifier: MIT */
/* --sched, for programs that run tasks. */
#ifndef HG_OPTIONS_POLICY_OPTION_H
#define HG_OPTIONS_POLICY_OPTION_H

#include "base/status.h"

/** Accepts any policy; for `help`, lists all on standard output and ends the program. */
hg_status hg_policy_check(const char *text);

#define HG_HELP_SCHED                                                                                                  \
  "Scheduling policy (default: STARPU_SCHED, or else hetgrid); help lists those of hetgrid, StarPU and STARPU_SCHED_LIB"
#endif
