/* SPDX-License-Identifier: MIT */
/* Speeds by a few short steps, which other programs may disturb. */
#ifndef HG_SPEED_SAMPLE_H
#define HG_SPEED_SAMPLE_H

#include <stdbool.h>

#include "speed/fpm.h"

/** Whether these speeds are so unlikely that more steps are worth their time. */
typedef bool hg_doubt_fn(void *arg, const double *speed);

/** Units a second of each part, by its median step of three; while there is doubt of six, nine, twelve.
 * @param w           [parts] units of a step, all > 0
 * @param arg         of both functions
 * @param[out] speed  [parts] units/s, > 0
 * Whatever `step` returns as failure is returned. */
hg_status hg_sample_speeds(int parts, const int64_t *w, hg_step_fn *step, hg_doubt_fn *doubt, void *arg, double *speed);

/** s of a run by GPUs alone, by cores alone, by both. */
typedef struct hg_outlook {
  double gpus, cores, both;
} hg_outlook;

/** Who takes a run: one side, unless both surely are faster, since what is predicted of both depends on who takes what.
 * @param what  for the log */
void hg_outlook_choose(const hg_outlook *outlook, const char *what, bool *gpus, bool *cores);
#endif
