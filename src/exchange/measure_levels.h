/* SPDX-License-Identifier: MIT */
/* Measures a network: all levels of the ranks and GPUs present, by the survey of network/survey.h. */
#ifndef HG_EXCHANGE_MEASURE_LEVELS_H
#define HG_EXCHANGE_MEASURE_LEVELS_H

#include "base/progress.h"
#include "exchange/world.h"

typedef struct hg_network_plan {
  double max_bytes;    /**< largest message, >= 1 */
  double budget;       /**< approximate time, s */
  bool quick;          /**< fewer sizes, two passes */
  int passes;          /**< whole passes over all sizes; 0: three, two if quick */
  double pause;        /**< s between passes, in addition to the budget */
  bool oversubscribed; /**< more ranks than cores are allowed */
  const char *levels;  /**< names separated by commas, or NULL: all there are */
  const char *path;    /**< the result file; PATH.part keeps measurements for a later call */
  hg_progress_mode progress;
  int reused; /**< out: points taken from an earlier call */
} hg_network_plan;

/** Called by rank 0 alone, while the others serve. HG_INVALID for more ranks than cores unless allowed; HG_UNSUPPORTED
 * if a named level, or any level, does not exist here; HG_MEMORY, HG_IO, HG_MISMATCH. Free `out` with
 * hg_network_free. */
hg_status hg_network_measure(const hg_network_world *world, hg_network_plan *plan, hg_network *out);

/** Measures a median of a level by name, for sizes that may not be in the table: between the first pair of that level,
 * or on the first GPU. HG_UNSUPPORTED, and what measuring returns. */
hg_status hg_network_fresh(const hg_network_world *world, const char *level, double bytes, double budget,
                           double *seconds);
#endif
