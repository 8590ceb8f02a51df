/* SPDX-License-Identifier: MIT */
/* Operations of the paths in pricing_paths.h, counted in its expressions: + - * / and sqrt count one each, fma two;
 * integer operations, comparisons and selections none. */
#include "codelets/pricing/pricing.h"

/* Of the functions in pricing_math_double.h and pricing_math_float.h. Besides these, a random number takes a uniform
 * one, half of radius = sqrt(-2 ln u), and the product with sine or cosine. */
enum { UNIFORM = 1, RADIUS = 2, PRODUCT = 1 };
static const int ln[2] = {28, 22}, exponential[2] = {29, 21}, sine_and_cosine[2] = {35, 25};

static double normal(bool is_float)
{
  return UNIFORM + PRODUCT + (RADIUS + ln[is_float] + sine_and_cosine[is_float]) / 2.;
}

/* The payoff and its addition to both sums. */
static double paid(hg_payoff payoff)
{
  return (payoff == HG_PAYOFF_DELTA || payoff == HG_PAYOFF_VEGA ? 3 : 2) + 3;
}

double hg_pricing_flops(const hg_paths *p, bool is_float)
{
  const bool vega = p->payoff == HG_PAYOFF_VEGA, control = p->payoff == HG_PAYOFF_CONTROL;
  const double point = normal(is_float) + 2 + exponential[is_float];
  if (p->fixings == 1 && !control) return point + 3 * vega + paid(p->payoff);
  return p->fixings * (point + 2 + control + 5 * vega) + 1 + vega + paid(p->payoff) +
         control * (exponential[is_float] + 4);
}
