/* SPDX-License-Identifier: MIT */
#include "pricing/contract.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

const char *const hg_contract_names[] = {"call", "put", "asian-call", "asian-put", NULL};

/* --- bounds --- */

typedef struct bound {
  const char *name;
  double value, lo, hi;
  bool open; /**< lo itself is excluded */
} bound;

static hg_status check_bounds(const bound *b, int count)
{
  for (; count > 0; count--, b++)
    if (!(b->value <= b->hi && (b->open ? b->value > b->lo : b->value >= b->lo)))
      return hg_fail(HG_INVALID, "%s is %g, must be %s %g and at most %g", b->name, b->value,
                     b->open ? ">" : ">=", b->lo, b->hi);
  return HG_OK;
}

/* Range of the logarithm of the price. Random numbers are below 6.8; the sum of many stays below 40 standard
 * deviations. */
static double reach_of(const hg_contract *c)
{
  const double drift = (c->rate - c->yield - c->sigma * c->sigma / 2) * c->time;
  return (hg_contract_is_asian(c) ? 40 : 7) * c->sigma * sqrt(c->time) + fabs(drift);
}

static hg_status check_reach(const hg_contract *c, double most, const char *where)
{
  const double reach = reach_of(c), highest = reach + fmax(log(c->spot), log(c->strike));
  if (highest <= most && reach <= most && fabs(c->rate * c->time) <= most) return HG_OK;
  return hg_fail(HG_INVALID, "T = %g, r = %g, q = %g and sigma = %g let prices reach e^%.4g, must be at most e^%g%s",
                 c->time, c->rate, c->yield, c->sigma, fmax(highest, reach), most, where);
}

/* Sums over fixings must be finite, and S and K normal numbers. */
hg_status hg_contract_check_float(const hg_contract *c)
{
  const double MOST = 60, least = exp(-MOST);
  if (c->spot < least || c->strike < least)
    return hg_fail(HG_INVALID, "S is %g and K is %g, must be at least %g in single precision", c->spot, c->strike,
                   least);
  return check_reach(c, MOST, " in single precision");
}

hg_status hg_contract_check(const hg_contract *c)
{
  const bound list[] = {{"S", c->spot, 0, 1e100, true},
                        {"K", c->strike, 0, 1e100, true},
                        {"T", c->time, 0, 1e6, false},
                        {"r", c->rate, -1e6, 1e6, false},
                        {"q", c->yield, -1e6, 1e6, false},
                        {"sigma", c->sigma, 0, 1e6, false},
                        {"fixings", (double)c->fixings, 1, HG_FIXINGS_MAX, false}};
  HG_TRY(check_bounds(list, sizeof list / sizeof *list));
  if (!hg_contract_is_asian(c) && c->fixings != 1)
    return hg_fail(HG_INVALID, "fixings is %" PRId64 ", must be 1 for a %s", c->fixings, hg_contract_names[c->kind]);
  return check_reach(c, 335, ""); /* squares of payoffs must be finite */
}

hg_status hg_contract_check_paths(const hg_contract *c, int64_t paths)
{
  if (paths < 1 || paths > HG_PATHS_MAX) return hg_fail(HG_INVALID, "paths is %" PRId64 ", must be in 1..2^48", paths);
  if (paths <= (INT64_C(1) << 62) / c->fixings) return HG_OK;
  return hg_fail(HG_INVALID, "%" PRId64 " paths of %" PRId64 " fixings need more than 2^62 random numbers", paths,
                 c->fixings);
}

/* --- closed forms, in long double, since small differences of large numbers occur --- */

/* Mean and variance of the logarithm of the geometric mean; with one fixing this is S_T. */
typedef struct lognormal {
  long double mean, variance;
} lognormal;

static lognormal geometric_mean(const hg_contract *c)
{
  const long double m = (long double)c->fixings, v = (long double)c->sigma * c->sigma * c->time;
  const long double drift = ((long double)c->rate - c->yield) * c->time - v / 2;
  return (lognormal){logl(c->spot) + drift * (m + 1) / (2 * m), v * (m + 1) * (2 * m + 1) / (6 * m * m)};
}

/* Standard normal distribution and density. */
static long double below(long double x)
{
  return erfcl(-x / sqrtl(2)) / 2;
}

static long double density(long double x)
{
  return expl(-x * x / 2) / sqrtl(2 * acosl(-1));
}

static int sign_of(const hg_contract *c)
{
  return c->kind == HG_CALL || c->kind == HG_ASIAN_CALL ? 1 : -1;
}

static long double discount(const hg_contract *c)
{
  return expl(-(long double)c->rate * c->time);
}

/* The value if the price is e^mean with certainty. */
static double intrinsic(const hg_contract *c, long double price)
{
  return (double)(discount(c) * fmaxl(sign_of(c) * (price - c->strike), 0));
}

static double option_on(const hg_contract *c, lognormal price)
{
  const int w = sign_of(c);
  const long double deviation = sqrtl(price.variance);
  if (deviation == 0) return intrinsic(c, expl(price.mean));
  const long double d2 = (price.mean - logl(c->strike)) / deviation, d1 = d2 + deviation;
  const long double forward = expl(price.mean + price.variance / 2);
  return (double)(discount(c) * w * (forward * below(w * d1) - c->strike * below(w * d2)));
}

double hg_contract_geometric(const hg_contract *c)
{
  return option_on(c, geometric_mean(c));
}

/* The arithmetic mean of fixings if they are certain. */
static double certain_price(const hg_contract *c)
{
  const long double drift = ((long double)c->rate - c->yield) * c->time / (long double)c->fixings;
  long double sum = 0;
  for (int64_t j = 1; j <= c->fixings; j++) sum += expl(drift * (long double)j);
  return intrinsic(c, c->spot * sum / (long double)c->fixings);
}

double hg_contract_closed(const hg_contract *c)
{
  if (hg_contract_is_certain(c)) return certain_price(c);
  return hg_contract_is_asian(c) ? NAN : option_on(c, geometric_mean(c));
}

/* E[payoff^2] = S^2 e^(2 m + 2 v) N(w d0) - 2 K e^(m + v/2) N(w d1) + K^2 N(w d2), d0 = d1 + sqrt
 * v. */
double hg_contract_deviation(const hg_contract *c)
{
  const lognormal price = geometric_mean(c);
  const int w = sign_of(c);
  const long double k = c->strike, deviation = sqrtl(price.variance);
  if (hg_contract_is_asian(c)) return NAN;
  if (hg_contract_is_certain(c)) return 0;
  const long double d2 = (price.mean - logl(k)) / deviation, d1 = d2 + deviation, d0 = d1 + deviation;
  const long double square = expl(2 * price.mean + 2 * price.variance) * below(w * d0) -
                             2 * k * expl(price.mean + price.variance / 2) * below(w * d1) + k * k * below(w * d2);
  const long double mean = option_on(c, price) / discount(c);
  return (double)(discount(c) * sqrtl(fmaxl(square - mean * mean, 0)));
}

/* The probability of a payoff. */
static long double pays(const hg_contract *c)
{
  const lognormal price = geometric_mean(c);
  return below(sign_of(c) * (price.mean - logl(c->strike)) / sqrtl(price.variance));
}

/* E[Y^power], Y = min(price / strike, 1). A put pays 1 - Y. */
static long double capped_moment(lognormal price, long double strike, int power)
{
  const long double mean = price.mean - logl(strike), deviation = sqrtl(price.variance);
  return expl(power * mean + power * power * price.variance / 2) * below(-mean / deviation - power * deviation) +
         below(mean / deviation);
}

/* Paths needed for a heavy tail: for a call, the tail of the price. A put's payoff is bounded by its strike, so its
 * error is known to 7 % from 200 E[Y^4] / E[Y^2]^2 paths on, however heavy the tail. */
static long double paths_of_tail(const hg_contract *c)
{
  const lognormal price = geometric_mean(c);
  const long double tail = 8 * expl(1.5L * c->sigma * c->sigma * c->time);
  if (sign_of(c) > 0) return tail;
  const long double second = capped_moment(price, c->strike, 2);
  return fminl(tail, 200 * capped_moment(price, c->strike, 4) / second / second);
}

/* The coverage of nominal 95 % intervals is at least 90 % from a quarter of this number on, up to sigma sqrt(T) =
 * 2.5. */
double hg_contract_paths_needed(const hg_contract *c)
{
  return hg_contract_is_certain(c) ? 0 : (double)((200 + paths_of_tail(c)) / pays(c));
}

/* A price (at most K plus the payoff) has a rounding error of one unit in its last place, plus that of the drift. */
double hg_contract_rounding(const hg_contract *c, double value, bool is_float)
{
  const double epsilon = is_float ? (double)FLT_EPSILON : DBL_EPSILON;
  const double drift = (c->rate - c->yield - c->sigma * c->sigma / 2) * c->time;
  if (hg_contract_is_certain(c)) return 0;
  return epsilon * (1 + fabs(drift)) * ((double)(discount(c) * pays(c)) * c->strike + fabs(value));
}

/* If the mean of forwards equals the strike exactly, the option pays half the time. Its deviation for small sigma is
 * that of the sum of S e^(drift j) W_j / M; the increments of W count in all later fixings. */
static hg_greeks certain_greeks(const hg_contract *c)
{
  const int64_t m = c->fixings;
  const long double dt = (long double)c->time / (long double)m, drift = ((long double)c->rate - c->yield) * dt;
  long double later = 0, squares = 0;
  for (int64_t j = m; j >= 1; j--) {
    later += expl(drift * (long double)j);
    squares += later * later;
  }
  const long double gain = sign_of(c) * (c->spot * later / (long double)m - c->strike);
  const long double delta = sign_of(c) * discount(c) * later / (long double)m;
  const long double vega = discount(c) * c->spot * sqrtl(squares * dt) / (long double)m;
  return (hg_greeks){.delta = (double)(gain > 0   ? delta
                                       : gain < 0 ? 0
                                                  : delta / 2),
                     .vega = (double)(gain == 0 ? vega * density(0) : 0),
                     .gamma = NAN,
                     .theta = NAN,
                     .rho = NAN};
}

hg_greeks hg_contract_greeks(const hg_contract *c)
{
  if (hg_contract_is_certain(c)) return certain_greeks(c);
  if (hg_contract_is_asian(c)) return (hg_greeks){NAN, NAN, NAN, NAN, NAN};
  const int w = sign_of(c);
  const long double s = c->spot, k = c->strike * discount(c), t = c->time, r = c->rate, q = c->yield;
  const long double spread = c->sigma * sqrtl(t), held = expl(-q * t);
  const long double d1 = (logl(s / c->strike) + (r - q + (long double)c->sigma * c->sigma / 2) * t) / spread;
  const long double d2 = d1 - spread, decay = -s * held * density(d1) * c->sigma / (2 * sqrtl(t));
  return (hg_greeks){.delta = (double)(w * held * below(w * d1)),
                     .gamma = (double)(held * density(d1) / (s * spread)),
                     .vega = (double)(s * held * density(d1) * sqrtl(t)),
                     .theta = (double)(decay - w * (r * k * below(w * d2) - q * s * held * below(w * d1))),
                     .rho = (double)(w * k * t * below(w * d2))};
}

/* --- paths --- */

/* Squares of tiny prices would underflow: paths use a power of two as the unit, which changes no digit. */
static double unit_of(const hg_contract *c)
{
  const double TINY = 1e-50, largest = fmax(c->spot, c->strike);
  return largest < TINY ? exp2(logb(largest)) : 1;
}

hg_paths hg_contract_paths(const hg_contract *c, hg_payoff payoff, int64_t paths, uint64_t seed, uint32_t stream)
{
  const double m = (double)c->fixings, dt = c->time / m, unit = unit_of(c);
  return (hg_paths){.start = sign_of(c) * c->spot / unit,
                    .strike = sign_of(c) * c->strike / unit,
                    .drift = (c->rate - c->yield - c->sigma * c->sigma / 2) * dt,
                    .spread = c->sigma * sqrt(dt),
                    .root = sqrt(dt),
                    .slope = -c->sigma * dt,
                    .mean = 1 / m,
                    .paths = paths,
                    .fixings = (int32_t)c->fixings,
                    .stream = stream,
                    .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                    .payoff = payoff};
}

double hg_contract_scale(const hg_contract *c, hg_payoff payoff)
{
  const double scale = (double)discount(c), unit = unit_of(c);
  return payoff == HG_PAYOFF_DELTA ? scale / (c->spot / unit) : scale * unit;
}
