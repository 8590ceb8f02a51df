/* SPDX-License-Identifier: MIT */
/* What the command lines of all programs share. Functions that find a wrong value end the program with status 2. */
#ifndef HG_APPS_ARGUMENTS_H
#define HG_APPS_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/** Ends the program with the status' message unless it is HG_OK. */
void require(struct argp_state *state, hg_status status);

/** A whole number in lo..hi; `what` is the option. */
int64_t whole(struct argp_state *state, const char *text, const char *what, int64_t lo, int64_t hi);

/** Index of `text` in `names`, ended by NULL. */
int one_of(struct argp_state *state, const char *text, const char *what, const char *const *names);

enum { OUTPUTS_MAX = 16 };

/** Options of all programs that run tasks. */
typedef struct run_options {
  const char *output[OUTPUTS_MAX];
  int outputs;
  const char *trace, *progress;
  int repeat, warmup;
  bool csv, quiet;
} run_options;

#define RUN_DEFAULTS                                                                                                   \
  {                                                                                                                    \
    .progress = "auto", .repeat = 1                                                                                    \
  }

/** Parses them, as a child of a program's own parser; its input is a run_options. */
extern const struct argp run_argp;

/** After the session is closed, on rank 0: turns what was recorded into files and says where they are. */
hg_status finish_trace(const run_options *options, int ranks);

/** --precision, --progress. */
extern const char *const precision_names[], *const progress_names[];
#endif
