/* SPDX-License-Identifier: MIT */
#include "speed/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/sort.h"

enum { TIMES = 3, LOOKS = 4, MOST = TIMES * LOOKS };

/* Of an even number the lower one. */
static double median(int count, const double *seconds)
{
  double sorted[MOST];
  memcpy(sorted, seconds, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, hg_by_value);
  return sorted[(count - 1) / 2];
}

hg_status hg_sample_speeds(int parts, const int64_t *w, hg_step_fn *step, hg_doubt_fn *doubt, void *arg, double *speed)
{
  double seconds[parts], all[parts][MOST];
  for (int look = 1; look <= LOOKS; look++) {
    for (int k = (look - 1) * TIMES; k < look * TIMES; k++) {
      HG_TRY(step(arg, w, seconds));
      for (int i = 0; i < parts; i++) all[i][k] = seconds[i];
    }
    for (int i = 0; i < parts; i++) speed[i] = (double)w[i] / median(look * TIMES, all[i]);
    if (!doubt(arg, speed)) break;
  }
  return HG_OK;
}

void hg_outlook_choose(const hg_outlook *o, const char *what, bool *gpus, bool *cores)
{
  const double SURELY = .9;
  const bool both = o->both < SURELY * fmin(o->gpus, o->cores);
  hg_log(HG_INFO, "%s: %.3g s on GPUs, %.3g s on cores, %.3g s on both", what, o->gpus, o->cores, o->both);
  *gpus = both || o->gpus <= o->cores;
  *cores = both || o->cores < o->gpus;
}
