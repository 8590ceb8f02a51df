/* SPDX-License-Identifier: MIT */
/* One-line progress bar on stderr, only on a terminal unless forced. */
#ifndef HG_BASE_PROGRESS_H
#define HG_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum hg_progress_mode { HG_PROGRESS_AUTO, HG_PROGRESS_ON, HG_PROGRESS_OFF } hg_progress_mode;

/** Names of the modes for --progress, ended by NULL. */
extern const char *const hg_progress_names[];

typedef struct hg_progress {
  bool on;
  const char *label;
  int64_t total;
  volatile int64_t done; /**< units done, even if no bar is shown; a signal handler may read it */
  double start, last;    /**< s */
} hg_progress;

/** "auto" (a terminal), "on" or "off". Starts a bar of `total` units. */
void hg_progress_begin(hg_progress *bar, hg_progress_mode mode, const char *label, int64_t total);

/** Redraws at most ten times a second. */
void hg_progress_update(hg_progress *bar, int64_t done);

/** Removes the bar from the line. */
void hg_progress_end(hg_progress *bar);
#endif
