/* SPDX-License-Identifier: MIT */
/* Random processors for the tests of models and of placement. */
#ifndef HG_TESTS_RANDOM_MODELS_H
#define HG_TESTS_RANDOM_MODELS_H

#include "speed/speed.h"
#include "tap.h"

static inline double uniform(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * (double)(tap_random(state) >> 11) * 0x1p-53;
}

static inline hg_speed_model random_model(uint64_t *state, double scale)
{
  hg_speed_model m = {.kind = tap_between(state, 0, 1) ? HG_SPEED_CLIFF : HG_SPEED_SATURATING};
  m.smax = uniform(state, 1, 20);
  m.t0 = uniform(state, 0, .3) * scale / 10;
  m.tc = tap_between(state, 0, 1) ? uniform(state, 0, .5) : 0;
  m.mem = uniform(state, .2, 1) * scale;
  m.r = uniform(state, .05, .9);
  m.k = (double)tap_between(state, 1, 12);
  return m;
}

#endif
