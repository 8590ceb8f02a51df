/* SPDX-License-Identifier: MIT */
/* The environment variables of this project, and what those of an MPI launcher tell. */
#ifndef HG_BASE_ENVIRONMENT_H
#define HG_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/** Checks the variables that are set. HG_INVALID naming variable, value and what it may be. */
hg_status hg_environment_check(void);

/** HETGRID_MAILBOX_DELAY=MEAN_S[,SEED]: how long mailbox messages are delayed on average (s, 0..10; 0, also if not
 * set: not at all), and the seed of the random times (default 1). HG_INVALID naming the value. */
hg_status hg_environment_delay(double *mean, int64_t *seed);

/** Sets a variable that the user has not set, for as long as StarPU runs. @param name, value  kept by reference */
void hg_environment_lend(const char *name, const char *value);

/** Unsets the variables set so, except those that the program has changed meanwhile. */
void hg_environment_restore(void);

/** Whether a launcher of MPI started this process: Open MPI's, that of MPICH and relatives, or one with PMIx. */
bool hg_environment_is_launched(void);
/** Rank that an MPI launcher gave this process, known before MPI is started; 0 without a launcher. */
int hg_environment_rank(void);
/** Number of ranks that it started; where it does not tell: at least this rank and those before it. */
int hg_environment_ranks(void);
/** Number of ranks on this machine; 1 without a launcher, or if it does not tell. */
int hg_environment_local_ranks(void);

enum { HG_DATE_MAX = 40 };

/** The date written into files, in UTC by ISO 8601: SOURCE_DATE_EPOCH, or now; "" if unknown. */
void hg_date_text(char text[HG_DATE_MAX]);
#endif
