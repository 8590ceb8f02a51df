/* SPDX-License-Identifier: MIT */
/* Operations of the paths of pricing_paths.h, counted in its expressions: + - * / and sqrt are one each, fma two;
 * integers, comparisons and choices none. */
#include "codelets/pricing/pricing.h"

/* Of the functions of pricing_math_double.h and pricing_math_float.h; of a random number beside them the uniform one
 * that it is made from, and half of radius = sqrt(-2 ln u), and its product with sine or cosine. */
enum { UNIFORM = 1, RADIUS = 2, PRODUCT = 1 };
static const int ln[2] = {28, 22}, exponential[2] = {29, 21}, sine_and_cosine[2] = {35, 25};

static double normal(bool is_float)
{
  return UNIFORM + PRODUCT + (RADIUS + ln[is_float] + sine_and_cosine[is_float]) / 2.;
}

/* What is paid, and added to both sums. */
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
