/* SPDX-License-Identifier: MIT */
/* Speeds by a few short steps, which other programs may disturb, and who takes a run by them: GPUs, cores or both. */
#ifndef HG_SPEED_SAMPLE_H
#define HG_SPEED_SAMPLE_H

#include <stdbool.h>

#include "speed/fpm.h"

/** Units a second of each part, by its median step of three, unless an earlier sample found more: what disturbs makes
 * steps longer.
 * @param w              [parts] units of a step, >= 0
 * @param[in,out] speed  [parts] units/s of earlier samples, 0: none; stays where w is 0
 * Whatever `step` returns as failure is returned. */
hg_status hg_sample_speeds(int parts, const int64_t *w, hg_step_fn *step, void *arg, double *speed);

/** A run that GPUs, cores or both may take, before any of it was measured. */
typedef struct hg_prospect {
  const char *what; /**< for the log */
  double flops;     /**< of a run, > 0 */
  double core;      /**< flop/s that a core is supposed to do at such work, > 0 */
  double gpu;       /**< flop/s that a GPU does at least, 0: not known */
  int gpus, cores;  /**< how many */
  int runs;         /**< that count */
  double cold;      /**< s that GPUs take to load their code, or 0 if they have, or will in runs that do not count */
} hg_prospect;

/** s of a run by GPUs alone, by cores alone, by both. */
typedef struct hg_side_times {
  double gpus, cores, both;
} hg_side_times;

/** Samples the GPUs, or the cores, and corrects the times: the side's own seconds, and those of both
 * once both sides have been sampled. What it returns as failure is returned. */
typedef hg_status hg_sample_sides_fn(void *arg, bool gpus, hg_side_times *times);

/** Who takes a run: what lasts least in all, with a cold start that GPUs still have before them. Only what may win more
 * than it costs is sampled: nothing where the work is little or GPUs are known to be far faster, cores only where they
 * may help or beat the GPUs that were sampled. Both sides take it only if two samples of each agree that this is faster
 * by a tenth, since what is predicted of both depends on who takes what; and GPUs that lose are sampled again, since
 * other programs may have disturbed them.
 * @param look  NULL: there is nothing to sample by */
hg_status hg_choose_sides(const hg_prospect *prospect, hg_sample_sides_fn *look, void *arg, bool *gpus, bool *cores);
#endif
