/* SPDX-License-Identifier: MIT */
/* What the command lines of all programs share. Functions that find a wrong value end the program with status 2. */
#ifndef HG_OPTIONS_ARGUMENTS_H
#define HG_OPTIONS_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "energy/choice.h"
#include "result/picture.h"

/** Ends the program with the status' message unless it is HG_OK. */
void hg_arg_require(struct argp_state *state, hg_status status);

/** A whole number in lo..hi; `what` is the option. */
int64_t hg_arg_int(struct argp_state *state, const char *text, const char *what, int64_t lo, int64_t hi);

/** The value of --seed as hg_job.seed has it, where 0 is the default and a negative number is 0. */
int64_t hg_arg_seed(struct argp_state *state, const char *text);

/** Index of `text` in `names`, ended by NULL. */
int hg_arg_one_of(struct argp_state *state, const char *text, const char *what, const char *const *names);

enum { HG_OPTIONS_MAX = 40 };

/** `whole` with options as a program has them, for a child of its parser. An option whose name is in `changes`, which
 * ends with {0}, gets the flags, the `arg` and the `doc` of there, if they are any: OPTION_HIDDEN leaves out of the
 * help what the program refuses with a reason. One without a doc is none of the program's. `list` holds the options,
 * and may be that of `whole`. */
struct argp hg_arg_adapt(const struct argp *whole, const struct argp_option *changes,
                         struct argp_option list[HG_OPTIONS_MAX]);

/** The file of --picture, which must end as a picture does. `--svg` is its name of before. */
const char *hg_arg_picture(struct argp_state *state, const char *text);

enum { HG_OUTPUTS_MAX = 16 };

/** Options of all programs that run tasks. */
typedef struct hg_run_options {
  const char *output[HG_OUTPUTS_MAX];
  int outputs;
  const char *trace, *progress;
  int repeat, warmup;
  bool csv, quiet;
  bool phases;             /**< tell where the workers' time went */
  const char *phases_file; /**< in this file, or NULL: on standard output */
  hg_picture picture;      /**< how outputs are drawn */
  hg_energy_choice energy;
} hg_run_options;

#define HG_RUN_DEFAULTS                                                                                                \
  {                                                                                                                    \
    .progress = "auto", .repeat = 1                                                                                    \
  }

/** Environment variables that all of them know, for the end of their help. */
#define HG_HELP_ENVIRONMENT                                                                                            \
  "Environment: HETGRID_TABLES (folder of speed tables), HETGRID_NETWORK (file of "                                    \
  "hetgrid-network), HETGRID_SCHED_STEAL (0: no worker takes another's tasks), "                                       \
  "HETGRID_SCHED_EPSILON (imbalance that hetgrid-dfpa bears, default .05), HETGRID_TRACE "                             \
  "(profiling: record without FxT), HETGRID_MAILBOX_DELAY (MEAN_S[,SEED]: hold asynchronous messages, "                \
  "for tests), HETGRID_LOG (error, warn, info or debug), and StarPU's own, "                                           \
  "STARPU_NCPU, STARPU_NCUDA and STARPU_SCHED among them.\n\n"

/** Parses them, as a child of a program's own parser; its input is a hg_run_options. */
extern const struct argp hg_run_argp;

/** Changes (hg_arg_adapt) for programs whose results are no pictures. */
extern const struct argp_option hg_run_without_pictures[];

/** --precision, --progress. */
extern const char *const hg_precision_names[], *const hg_progress_names[];
#endif
