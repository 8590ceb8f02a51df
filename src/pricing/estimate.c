/* SPDX-License-Identifier: MIT */
#include "pricing/estimate.h"

#include <math.h>

void hg_path_sums_add(hg_path_sums *s, const hg_chunk_sums *chunk, int64_t paths)
{
  hg_exact_add(&s->sum, chunk->sum);
  hg_exact_add(&s->squares, chunk->squares);
  s->paths += paths;
}

/* sum^2 / n is close to the sum of squares where payoffs hardly differ. */
static double deviation_of_mean(double sum, double squares, int64_t paths)
{
  const long double n = (long double)paths, rest = squares - (long double)sum * sum / n;
  return (double)sqrtl(fmaxl(rest, 0) / (n - 1) / n);
}

hg_estimate hg_path_sums_estimate(const hg_path_sums *s, const hg_contract *c, hg_payoff payoff)
{
  const double sum = hg_exact_round(&s->sum), scale = hg_contract_scale(c, payoff);
  const double known = payoff == HG_PAYOFF_CONTROL ? hg_contract_geometric(c) : 0;
  if (hg_contract_is_certain(c) && payoff <= HG_PAYOFF_CONTROL)
    return (hg_estimate){hg_contract_closed(c), s->paths > 1 ? 0 : NAN, s->paths};
  const double error =
      s->paths > 1 ? deviation_of_mean(sum, hg_exact_round(&s->squares), s->paths) : NAN;
  return (hg_estimate){scale * (sum / (double)s->paths) + known, scale * error, s->paths};
}

double hg_estimate_score(const hg_estimate *e, double known)
{
  return e->std_error > 0 ? (e->value - known) / e->std_error : NAN;
}
