/* SPDX-License-Identifier: MIT */
#include "pricing/estimate.h"

#include <float.h>
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

static double certain_value(const hg_contract *c, hg_payoff payoff)
{
  if (payoff <= HG_PAYOFF_CONTROL) return hg_contract_closed(c);
  const hg_greeks g = hg_contract_greeks(c);
  return payoff == HG_PAYOFF_DELTA ? g.delta : g.vega;
}

hg_estimate hg_path_sums_estimate(const hg_path_sums *s, const hg_contract *c, hg_payoff payoff)
{
  const double sum = hg_exact_round(&s->sum), scale = hg_contract_scale(c, payoff);
  const double known = payoff == HG_PAYOFF_CONTROL ? hg_contract_geometric(c) : 0;
  if (hg_contract_is_certain(c)) return (hg_estimate){certain_value(c, payoff), s->paths > 1 ? 0 : NAN, s->paths};
  const double error = s->paths > 1 ? deviation_of_mean(sum, hg_exact_round(&s->squares), s->paths) : NAN;
  return (hg_estimate){scale * (sum / (double)s->paths) + known, scale * error, s->paths};
}

/* (sum)^2 / (sum of squares) is the number of equal payoffs which, with 0 on all other paths, have the same mean and
 * error. If payoffs differ so little that a tenth of their variance may be rounding of the sums, their error says
 * nothing. With one fixing, the twin is the option itself. */
bool hg_estimate_is_sure(const hg_estimate *e, const hg_contract *c, hg_payoff payoff)
{
  const double PAYING = 200, ROUNDING = 10 * (HG_CHUNK_PATHS / HG_CHUNK_LANES + 8) * DBL_EPSILON, n = (double)e->paths;
  const double mean = e->value - (payoff == HG_PAYOFF_CONTROL ? hg_contract_geometric(c) : 0);
  if (hg_contract_is_certain(c)) return true;
  if (n < hg_contract_paths_needed(c)) return false;
  if (payoff == HG_PAYOFF_CONTROL && c->fixings == 1) return true;
  const double relative = e->std_error / mean, square = relative * relative;
  return e->std_error > 0 && n >= PAYING * (1 + (n - 1) * square) && n * square >= ROUNDING;
}

double hg_estimate_score(const hg_estimate *e, double known)
{
  return e->std_error > 0 ? (e->value - known) / e->std_error : NAN;
}
