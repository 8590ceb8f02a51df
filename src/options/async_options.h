/* SPDX-License-Identifier: MIT */
/* The options of programs whose blocks can go on without waiting for each other (async/blocks.h). */
#ifndef HG_OPTIONS_ASYNC_OPTIONS_H
#define HG_OPTIONS_ASYNC_OPTIONS_H

#include "async/termination.h"
#include "options/option.h"

typedef struct hg_mode {
  bool async;             /**< no block waits for another */
  bool eager;             /**< blocks that have little to do go on rather than rest */
  hg_detection detection; /**< how they find the end */
} hg_mode;

/** Rows of an hg_mode, and whether they go together, here. HG_INVALID, HG_UNSUPPORTED naming the option. */
extern const hg_option hg_mode_option_list[];
hg_status hg_mode_check(const hg_command *command, void *mode);

/** HG_INVALID naming the first of other options (ended by NULL) that was given without --mode async. */
hg_status hg_mode_needed(const hg_command *command, const hg_mode *mode, const char *const *options);
#endif
