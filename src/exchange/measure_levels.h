/* SPDX-License-Identifier: MIT */
/* Measures a network: all levels that the ranks and GPUs here have, by the survey of
 * network/survey.h. */
#ifndef HG_EXCHANGE_MEASURE_LEVELS_H
#define HG_EXCHANGE_MEASURE_LEVELS_H

#include "base/progress.h"
#include "exchange/world.h"

typedef struct hg_network_plan {
  double max_bytes;    /**< largest message, >= 1 */
  double budget;       /**< s, about */
  bool quick;          /**< fewer sizes, two passes */
  int passes;          /**< whole passes over all sizes; 0: three, two if quick */
  double pause;        /**< s between them, beside the budget */
  bool oversubscribed; /**< more ranks than cores are allowed */
  const char *levels;  /**< names separated by commas, or NULL: all there are */
  const char *path;    /**< the file to be; PATH.part keeps what was measured, for another call */
  hg_progress_mode progress;
  int reused; /**< out: points that an earlier call had measured */
} hg_network_plan;

/** Called by rank 0 alone, while the others serve. HG_INVALID for more ranks than cores where that
 * is not allowed, HG_UNSUPPORTED for a level that is named and not here or where nothing is,
 * HG_MEMORY, HG_IO, HG_MISMATCH. Free `out` with hg_network_free. */
hg_status hg_network_measure(const hg_network_world *world, hg_network_plan *plan, hg_network *out);

/** A fresh median of a level by name, for sizes the table may not have: between the first pair of
 * that level, or on the first GPU. HG_UNSUPPORTED, and what measuring returns. */
hg_status hg_network_fresh(const hg_network_world *world, const char *level, double bytes, double budget,
                           double *seconds);
#endif
