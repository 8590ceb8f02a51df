/* SPDX-License-Identifier: MIT */
/* The payoff of an option on paths, for the lanes of pricing_lanes.h, and included like that file. `payoff` is a
 * constant wherever these functions are called, so that each payoff gets its own code. */
#include "codelets/pricing/pricing.h"
#include "codelets/pricing/pricing_math.h"

/* For the mean growth A/S: w (A - K) where that is positive, or the requested quantity of such paths.
 * @param slope  derivative of the growth with respect to sigma */
HG_LANE_FN V paid(const hg_paths *p, hg_payoff payoff, V growth, V slope)
{
  const V gain = fused(V_OF(p->start), growth, V_OF(-p->strike)), none = V_OF(0.0);
  const B pays = more(gain, none);
  if (payoff == HG_PAYOFF_DELTA) return only_where(pays, V_OF(p->start) * growth);
  if (payoff == HG_PAYOFF_VEGA) return only_where(pays, V_OF(p->start) * slope);
  return only_where(pays, gain);
}

/* Four consecutive paths with one fixing each, which use the four numbers of a block. */
HG_LANE_FN void european(const hg_paths *p, hg_payoff payoff, U block, V value[4])
{
  V z[4];
  normals(block, p->stream, p->key, z);
  for (int i = 0; i < 4; i++) {
    const V growth = exp_of(fused(V_OF(p->spread), z[i], V_OF(p->drift)));
    value[i] = paid(p, payoff, growth, growth * fused(V_OF(p->root), z[i], V_OF(p->slope)));
  }
}

/* A path in progress: the logarithm, and sums over the fixings so far; for vega also of the random numbers. */
typedef struct hg_walk {
  V log, growths, logs, noise, slopes;
} hg_walk;

HG_LANE_FN void walk_on(const hg_paths *p, hg_payoff payoff, hg_walk *w, V z)
{
  w->log += fused(V_OF(p->spread), z, V_OF(p->drift));
  const V growth = exp_of(w->log);
  w->growths += growth;
  if (payoff == HG_PAYOFF_CONTROL) w->logs += w->log;
  if (payoff != HG_PAYOFF_VEGA) return;
  w->noise += fused(V_OF(p->root), z, V_OF(p->slope));
  w->slopes = fused(growth, w->noise, w->slopes);
}

/* If a path's numbers do not begin at a block, it uses only its own numbers of the first and of the last block; the
 * number of blocks is the most that any path of the register needs. */
HG_LANE_FN V average(const hg_paths *p, hg_payoff payoff, U path)
{
  const uint64_t fixings = (uint64_t)p->fixings;
  const U first = path * U_OF(fixings), skipped = first & U_OF(3);
  const uint64_t blocks = fixings % 4 == 0 ? fixings / 4 : (fixings + 6) / 4;
  hg_walk w = {V_OF(0.0), V_OF(0.0), V_OF(0.0), V_OF(0.0), V_OF(0.0)};
  for (uint64_t b = 0; b < blocks; b++) {
    V z[4];
    normals((first >> 2) + U_OF(b), p->stream, p->key, z);
    for (uint64_t i = 0; i < 4; i++) {
      const B mine = below(U_OF(4 * b + i) - skipped, U_OF(fixings)); /* earlier numbers wrap around and are out, too */
      hg_walk next = w;
      walk_on(p, payoff, &next, z[i]);
      w.log = choose(mine, next.log, w.log);
      w.growths = choose(mine, next.growths, w.growths);
      if (payoff == HG_PAYOFF_CONTROL) w.logs = choose(mine, next.logs, w.logs);
      if (payoff != HG_PAYOFF_VEGA) continue;
      w.noise = choose(mine, next.noise, w.noise);
      w.slopes = choose(mine, next.slopes, w.slopes);
    }
  }
  const V mean = V_OF(p->mean), value = paid(p, payoff, w.growths * mean, w.slopes * mean);
  return payoff == HG_PAYOFF_CONTROL ? value - paid(p, HG_PAYOFF, exp_of(w.logs * mean), mean) : value;
}
