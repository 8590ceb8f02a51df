/* SPDX-License-Identifier: MIT */
/* Options of programs with asynchronous blocks (async/blocks.h). */
#ifndef HG_OPTIONS_ASYNC_OPTIONS_H
#define HG_OPTIONS_ASYNC_OPTIONS_H

#include "async/termination.h"
#include "options/option.h"

typedef struct hg_mode {
  bool async;             /**< no block waits for another */
  bool eager;             /**< blocks with little to do continue instead of resting */
  hg_detection detection; /**< how the end is detected */
} hg_mode;

/** Option rows for an hg_mode, and a check that they are compatible and supported here. HG_INVALID, HG_UNSUPPORTED
 * naming the option. */
extern const hg_option hg_mode_option_list[];
hg_status hg_mode_check(const hg_command *command, void *mode);

/** HG_INVALID naming the first of other options (ended by NULL) that was given without --mode async. */
hg_status hg_mode_needed(const hg_command *command, const hg_mode *mode, const char *const *options);
#endif
