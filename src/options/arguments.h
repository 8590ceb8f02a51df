/* SPDX-License-Identifier: MIT */
/* Options of all programs that run tasks. */
#ifndef HG_OPTIONS_ARGUMENTS_H
#define HG_OPTIONS_ARGUMENTS_H

#include "base/progress.h"
#include "energy/choice.h"
#include "options/option.h"
#include "result/picture.h"

enum { HG_OUTPUTS_MAX = 16 };

typedef struct hg_run_options {
  const char *output[HG_OUTPUTS_MAX];
  int outputs;
  const char *trace;
  hg_progress_mode progress;
  int repeat, warmup;
  bool csv, quiet;
  bool phases;             /**< report the phases of the workers' time */
  const char *phases_file; /**< file for the phases; NULL: standard output */
  hg_picture picture;      /**< how outputs are drawn */
  hg_energy_choice energy;
} hg_run_options;

#define HG_RUN_DEFAULTS                                                                                                \
  {                                                                                                                    \
    .repeat = 1                                                                                                        \
  }

/** Environment variables of all these programs, for the end of their help. */
#define HG_HELP_ENVIRONMENT                                                                                            \
  "Environment: HETGRID_TABLES (folder of speed tables), HETGRID_NETWORK (file of "                                    \
  "hetgrid-network), HETGRID_SCHED_STEAL (0: no work stealing), HETGRID_NPHP (options of "                             \
  "hetgrid-nphp: rows, even, dfpa), HETGRID_SCHED_EPSILON (imbalance that dfpa accepts, default "                      \
  "0.05), HETGRID_TRACE (profiling: record without FxT), HETGRID_MAILBOX_DELAY (MEAN_S[,SEED]: "                       \
  "delay asynchronous messages, for tests), HETGRID_LOG (error, warn or info), and those of "                          \
  "StarPU, such as STARPU_NCPU, STARPU_NCUDA and STARPU_SCHED.\n\n"

/** Option rows for an hg_run_options, and their exclusions. */
extern const hg_option hg_run_option_list[];
hg_status hg_run_options_check(const hg_command *command, void *options);

#define HG_RUN_SET(options, changes)                                                                                   \
  {                                                                                                                    \
    "Results:", hg_run_option_list, options, changes, hg_run_options_check                                             \
  }

/** Changes for programs without pictures as results. */
#define HG_RUN_WITHOUT_PICTURES                                                                                        \
  {.name = "picture"}, {.name = "colormap"}, {.name = "range"}, {.name = "label"},                                     \
  {                                                                                                                    \
    .name = "pixels"                                                                                                   \
  }

/** Help of --progress. */
#define HG_HELP_PROGRESS "Show a progress bar (default auto: only on a terminal)"
#endif
