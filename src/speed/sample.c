/* SPDX-License-Identifier: MIT */
#include "speed/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/sort.h"
#include "speed/guess.h"

enum { TIMES = 3, LOOKS = 3 };
static const double SAMPLE = .05; /* s that a sample of one side may take, beyond a cold start */
static const double SURELY = .9;

static double median(const double seconds[TIMES])
{
  double sorted[TIMES];
  memcpy(sorted, seconds, sizeof sorted);
  qsort(sorted, TIMES, sizeof *sorted, hg_by_value);
  return sorted[TIMES / 2];
}

hg_status hg_sample_speeds(int parts, const int64_t *w, hg_step_fn *step, void *arg, double *speed)
{
  double seconds[parts], all[parts][TIMES];
  for (int k = 0; k < TIMES; k++) {
    HG_TRY(step(arg, w, seconds));
    for (int i = 0; i < parts; i++) all[i][k] = seconds[i];
  }
  for (int i = 0; i < parts; i++)
    if (w[i] > 0) speed[i] = fmax(speed[i], (double)w[i] / median(all[i]));
  return HG_OK;
}

/* Times by guesses, by which both sides together are never faster. */
static hg_side_times guess(const hg_prospect *p)
{
  const double cold = p->cold / p->runs;
  return (hg_side_times){
      .gpus =
          p->gpus > 0 ? cold + (p->gpu > 0 ? p->flops / p->gpu : hg_guess_seconds(p->flops, true)) / p->gpus : INFINITY,
      .cores = p->cores > 0 ? p->flops / p->core / p->cores : INFINITY,
      .both = INFINITY};
}

static bool both_win(const hg_side_times *o)
{
  return o->both < SURELY * fmin(o->gpus, o->cores);
}

/* Whether cores as fast as the guess would gain more than their sample takes. */
static bool cores_may_help(const hg_prospect *p, const hg_side_times *o)
{
  const double BETTER = 3, both = 1 / (1 / o->gpus + BETTER / guess(p).cores);
  return both < SURELY * o->gpus && p->runs * (o->gpus - both) > SAMPLE;
}

static hg_status look_at_both(const hg_prospect *p, hg_sample_sides_fn *look, void *arg, hg_side_times *o, int *looks)
{
  HG_TRY(look(arg, true, o));
  *looks = 1;
  if (!cores_may_help(p, o)) {
    o->cores = INFINITY;
    return HG_OK;
  }
  HG_TRY(look(arg, false, o));
  for (; *looks < LOOKS && (both_win(o) || o->cores < o->gpus); ++*looks) {
    HG_TRY(look(arg, true, o));
    HG_TRY(look(arg, false, o));
  }
  return HG_OK;
}

/* Whether cores beside the GPUs could not gain as much as using both sides requires. */
static bool gpus_are_far_faster(const hg_prospect *p)
{
  const double FAR = 8;
  return p->gpu * p->gpus > FAR * p->core * p->cores;
}

hg_status hg_choose_sides(const hg_prospect *p, hg_sample_sides_fn *look, void *arg, bool *gpus, bool *cores)
{
  const double begin = hg_now();
  int looks = 0;
  hg_side_times o = guess(p);
  if (look && isfinite(o.cores) && !gpus_are_far_faster(p) && p->runs * (o.cores - o.gpus) > SAMPLE)
    HG_TRY(look_at_both(p, look, arg, &o, &looks));
  const bool both = both_win(&o);
  *gpus = both || o.gpus <= o.cores;
  *cores = both || o.cores < o.gpus;
  hg_log(HG_INFO, "%s: %.3g s on GPUs, %.3g s on cores, %.3g s on both; %s in %.3g s", p->what, o.gpus, o.cores, o.both,
         looks == 0 ? "guessed" : "sampled", hg_now() - begin);
  return HG_OK;
}
