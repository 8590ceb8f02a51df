/* SPDX-License-Identifier: MIT */
/* The options of programs whose blocks can go on without waiting for each other (async/blocks.h). */
#ifndef HG_OPTIONS_ASYNC_OPTIONS_H
#define HG_OPTIONS_ASYNC_OPTIONS_H

#include "runtime/consistency.h"
#include "async/termination.h"
#include "options/arguments.h"

typedef struct hg_mode {
  bool async;             /**< no block waits for another */
  bool eager;             /**< blocks that have little to do go on rather than rest */
  hg_detection detection; /**< how they find the end */
  const char *given;      /**< an option that was given and means something with --mode async only, or NULL */
} hg_mode;

/** --mode, --detect, --delay-bound, --eager. As a child of a program's own parser; its input is a hg_mode. */
extern const struct argp hg_mode_argp;

/** Whether they go together, here. HG_INVALID, HG_UNSUPPORTED naming the option. */
hg_status hg_mode_check(const hg_mode *mode);

/** What all ranks must have been given alike. */
void hg_mode_consistency(const hg_mode *mode, hg_consistency *list);
#endif
