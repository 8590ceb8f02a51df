/* SPDX-License-Identifier: MIT */
/* What an option pays on paths, for the lanes of pricing_lanes.h, and included as that is. `payoff` is a constant
 * wherever these are called, so that each has code of its own. */
#include "codelets/pricing/pricing.h"
#include "codelets/pricing/pricing_math.h"

/* Of the mean growth A/S: w (A - K) where that is positive, or what else is wanted of such paths.
 * @param slope  the growth's derivative by sigma */
HG_LANE_FN V paid(const hg_paths *p, hg_payoff payoff, V growth, V slope)
{
  const V gain = fused(V_OF(p->start), growth, V_OF(-p->strike)), none = V_OF(0.0);
  const B pays = more(gain, none);
  if (payoff == HG_PAYOFF_DELTA) return only_where(pays, V_OF(p->start) * growth);
  if (payoff == HG_PAYOFF_VEGA) return only_where(pays, V_OF(p->start) * slope);
  return only_where(pays, gain);
}

/* Four consecutive paths of one fixing each: those that use the numbers of a block. */
HG_LANE_FN void european(const hg_paths *p, hg_payoff payoff, U block, V value[4])
{
  V z[4];
  normals(block, p->stream, p->key, z);
  for (int i = 0; i < 4; i++) {
    const V growth = exp_of(fused(V_OF(p->spread), z[i], V_OF(p->drift)));
    value[i] = paid(p, payoff, growth, growth * fused(V_OF(p->root), z[i], V_OF(p->slope)));
  }
}

/* A path on its way: the logarithm, sums over the fixings so far, and of the random numbers for
 * vega. */
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

/* Where a path's numbers do not begin with a block, it takes its own of the first and of the last
 * block; the number of blocks is that of the path of the register that needs most. */
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
      const B mine = below(U_OF(4 * b + i) - skipped, U_OF(fixings)); /* numbers before are beyond it, too */
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
