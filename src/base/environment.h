/* SPDX-License-Identifier: MIT */
/* The environment variables of this project, and what a launcher of MPI says by its own. */
#ifndef HG_BASE_ENVIRONMENT_H
#define HG_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/** Checks the values of those that are set. HG_INVALID naming variable, value and what it may be. */
hg_status hg_environment_check(void);

/** HETGRID_MAILBOX_DELAY=MEAN_S[,SEED]: how long messages of mailboxes are held, on average (s, 0..10; 0: not, also
 * where it is not set), and the seed of the random times (default 1). HG_INVALID naming the value. */
hg_status hg_environment_delay(double *mean, int64_t *seed);

/** Sets a variable that the user has not set, while StarPU runs. @param name, value  stay */
void hg_environment_lend(const char *name, const char *value);

/** Takes those that have been lent back, but what the program has set meanwhile. */
void hg_environment_restore(void);

/** Whether a launcher of MPI started this process: Open MPI's, that of MPICH and relatives, or one with PMIx. */
bool hg_environment_is_launched(void);
/** Rank that an MPI launcher gave this process, before MPI is started; 0 without a launcher. */
int hg_environment_rank(void);
/** How many it started; at least the rank and those before it where it does not tell. */
int hg_environment_ranks(void);

enum { HG_DATE_MAX = 40 };

/** The date that files are given, in UTC by ISO 8601: that of SOURCE_DATE_EPOCH, or now; "" if there is none. */
void hg_date_text(char text[HG_DATE_MAX]);
#endif
