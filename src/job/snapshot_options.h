/* SPDX-License-Identifier: MIT */
/* Options of programs whose jobs write snapshots. */
#ifndef HG_JOB_SNAPSHOT_OPTIONS_H
#define HG_JOB_SNAPSHOT_OPTIONS_H

#include "options/option.h"

/** Option rows for an hg_job, and their exclusions. */
extern const hg_option hg_snapshot_option_list[];
hg_status hg_snapshot_options_check(const hg_command *command, void *job);

#define HG_SNAPSHOT_SET(job)                                                                                           \
  {                                                                                                                    \
    NULL, hg_snapshot_option_list, job, NULL, hg_snapshot_options_check                                                \
  }

/** For programs that write no snapshots: `changes` has the refusal. */
#define HG_NO_SNAPSHOT_SET(changes)                                                                                    \
  {                                                                                                                    \
    NULL, hg_snapshot_option_list, NULL, changes, NULL                                                                 \
  }

/** Changes for these programs, which have no snapshot options. */
#define HG_WITHOUT_SNAPSHOTS                                                                                           \
  {.name = "snapshot"}, {.name = "snapshot-box"}, {.name = "snapshot-stride"},                                         \
  {                                                                                                                    \
    .name = "snapshot-png"                                                                                             \
  }
#endif
