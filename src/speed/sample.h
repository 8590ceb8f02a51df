/* SPDX-License-Identifier: MIT */
/* Samples speeds by a few short steps, which other programs may disturb, and chooses who executes a run: GPUs, cores
 * or both. */
#ifndef HG_SPEED_SAMPLE_H
#define HG_SPEED_SAMPLE_H

#include <stdbool.h>

#include "speed/fpm.h"

/** Speed of each part in units/s, by its median step of three, unless an earlier sample was faster: disturbances only
 * lengthen steps.
 * @param w              [parts] units of a step, >= 0
 * @param[in,out] speed  [parts] units/s of earlier samples, 0: none; unchanged where w is 0 Returns a failure of
 * `step`. */
hg_status hg_sample_speeds(int parts, const int64_t *w, hg_step_fn *step, void *arg, double *speed);

/** A run that GPUs, cores or both may execute, before any measurement. */
typedef struct hg_prospect {
  const char *what; /**< for the log */
  double flops;     /**< of a run, > 0 */
  double core;      /**< assumed flop/s of a core for such work, > 0 */
  double gpu;       /**< lower bound of a GPU's flop/s; 0: not known */
  int gpus, cores;  /**< their numbers */
  int runs;         /**< runs that count */
  double cold;      /**< s for GPUs to load their code; 0 if it is loaded, or will be in runs that do not count */
} hg_prospect;

/** s of a run on GPUs alone, on cores alone, on both. */
typedef struct hg_side_times {
  double gpus, cores, both;
} hg_side_times;

/** Samples the GPUs or the cores, and corrects the times: the side's own, and those of both sides together once both
 * have been sampled. Its failures are passed on. */
typedef hg_status hg_sample_sides_fn(void *arg, bool gpus, hg_side_times *times);

/** Chooses who executes a run: whatever takes least time in total, including a cold start of GPUs. A side is sampled
 * only if that may gain more than it costs: nothing if there is little work or GPUs are known to be far faster; cores
 * only if they may help or beat the sampled GPUs. Both sides are chosen only if two samples of each agree that this is
 * faster by a tenth, since the prediction for both depends on the division of work. GPUs that lose are sampled again,
 * since other programs may have disturbed them. @param look  NULL: no sampling */
hg_status hg_choose_sides(const hg_prospect *prospect, hg_sample_sides_fn *look, void *arg, bool *gpus, bool *cores);
#endif
