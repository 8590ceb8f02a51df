/* SPDX-License-Identifier: MIT */
#include "energy/use_context.h"

#include <math.h>
#include <stdio.h>

static hg_status refuse(const hg_use_context *c, const char *what, double value, const char *bound)
{
  return hg_fail(HG_INVALID, "context %s: %s is %.9g, must be %s", c->name, what, value, bound);
}

/* --- checks --- */

/* Values beyond these are typing errors, and E T^2 could overflow. */
static const double MOST_WATTS = 1e12, MOST_COUNT = 1e9, LEAST = 1e-30, MOST = 1e30, STEEPEST = 100;

static hg_status check_unit(const hg_use_context *c, const hg_use_context_unit *u)
{
  if (!(u->count > 0 && u->count <= MOST_COUNT)) return refuse(c, "count of a unit", u->count, "> 0, at most 1e9");
  if (!(u->full > 0 && u->full <= MOST_WATTS)) return refuse(c, "full of a unit", u->full, "> 0 W, at most 1e12 W");
  if (u->full >= u->wait && u->wait >= u->idle && u->idle >= 0) return HG_OK;
  return hg_fail(HG_INVALID, "context %s: full %g, wait %g, idle %g W of a unit, must be full >= wait >= idle >= 0",
                 c->name, u->full, u->wait, u->idle);
}

static hg_status check_point(const hg_use_context *c, int i)
{
  if (c->nodes[i] > c->nodes_max) return refuse(c, "N of a point", c->nodes[i], "at most N_max");
  if (c->seconds[i] > 0 && !(c->seconds[i] >= LEAST && c->seconds[i] <= MOST))
    return refuse(c, "T of a point", c->seconds[i], "in 1e-30..1e30 s");
  if (c->joules[i] > 0 && !(c->joules[i] >= LEAST && c->joules[i] <= MOST))
    return refuse(c, "E of a point", c->joules[i], "in 1e-30..1e30 J");
  return HG_OK;
}

static hg_status check(const hg_use_context *c)
{
  if (!(c->beta >= 0 && c->beta <= 1)) return refuse(c, "beta", c->beta, "in 0..1");
  if (!c->synchronous && c->beta < 1) return refuse(c, "beta of an asynchronous run", c->beta, "1: it never waits");
  if (!(c->switch_watts >= 0 && c->switch_watts <= MOST_WATTS))
    return refuse(c, "switch", c->switch_watts, "in 0..1e12 W");
  if (fabs(c->sigma) > STEEPEST) return refuse(c, "s", c->sigma, "in -100..100");
  if (!(c->nodes_max >= 1)) return refuse(c, "N_max", c->nodes_max, ">= 1");
  if (!(c->error >= 0 && c->error < 1)) return refuse(c, "error", c->error, "in 0..1");
  if (c->units > 0 && !(c->base > 0 && c->base <= MOST_WATTS))
    return refuse(c, "base", c->base, "> 0 W, at most 1e12 W");
  for (int i = 0; i < c->units; i++) HG_TRY(check_unit(c, &c->unit[i]));
  if (c->points < 1) return hg_fail(HG_INVALID, "context %s: has no points", c->name);
  for (int i = 0; i < c->points; i++) HG_TRY(check_point(c, i));
  return HG_OK;
}

/* --- fits --- */

/* A single N with a given slope; several points there give their geometric mean. */
static hg_status take_slope(const hg_use_context *c, int count, const double *nodes, const double *value, double sigma,
                            hg_scaling *out)
{
  double mean = 0;
  for (int i = 0; i < count; i++) {
    if (!(nodes[i] >= 1)) return refuse(c, "N of a point", nodes[i], ">= 1");
    if (!(value[i] > 0)) return refuse(c, "T or E of a point", value[i], "> 0");
    mean += (log(value[i]) + sigma * log(nodes[i])) / count;
  }
  *out = (hg_scaling){.t1 = exp(mean), .sigma = sigma, .centre = log(nodes[0])};
  return HG_OK;
}

static hg_status fit(const hg_use_context *c, int count, const double *nodes, const double *value, double sigma,
                     hg_scaling *out)
{
  if (!isnan(sigma)) return take_slope(c, count, nodes, value, sigma, out);
  if (hg_scaling_fit(count, nodes, value, out) == HG_OK) return HG_OK;
  char why[200];
  snprintf(why, sizeof why, "%.190s", hg_message());
  return hg_fail(HG_INVALID, "context %s: %s (or give the slope `s`)", c->name, why);
}

static hg_status fit_energy(hg_use_context *c)
{
  double nodes[HG_CONTEXT_POINTS], joules[HG_CONTEXT_POINTS];
  int count = 0;
  for (int i = 0; i < c->points; i++)
    if (!isnan(c->joules[i])) {
      nodes[count] = c->nodes[i];
      joules[count++] = c->joules[i];
    }
  c->measured = count > 0;
  if (!c->measured && c->units == 0 && !c->timed)
    return hg_fail(HG_INVALID, "context %s: has neither joules in its points nor units with powers", c->name);
  if (!c->measured) return HG_OK;
  return fit(c, count, nodes, joules, isnan(c->sigma) ? NAN : c->sigma - 1, &c->energy); /* e = 1 - s (1.8) */
}

/* A line that misses the points by more than their error is not used; two points are always on it. */
static void follow_points(hg_use_context *c)
{
  const double ROUNDING = 1e-6;
  double nodes[HG_CONTEXT_POINTS], watts[HG_CONTEXT_POINTS];
  int count = 0;
  hg_scaling_curve_make(c->points, c->nodes, c->seconds, &c->curve);
  c->bent = isnan(c->sigma) && c->curve.count > 2 && c->time.max_rel > fmax(c->error, ROUNDING);
  for (int i = 0; i < c->points; i++)
    if (!isnan(c->joules[i])) {
      nodes[count] = c->nodes[i];
      watts[count++] = c->joules[i] / c->seconds[i];
    }
  hg_scaling_curve_make(count, nodes, watts, &c->watts);
  if (c->measured && c->watts.count < 2) c->bent = false;
}

hg_status hg_use_context_fit(hg_use_context *c)
{
  HG_TRY(check(c));
  HG_TRY(fit(c, c->points, c->nodes, c->seconds, c->sigma, &c->time));
  c->largest = 0;
  for (int i = 0; i < c->points; i++) c->largest = fmax(c->largest, c->nodes[i]);
  HG_TRY(fit_energy(c));
  follow_points(c);
  return HG_OK;
}

/* --- estimates --- */

/* W of `nodes` of its nodes that compute for a share of the time, without the switch. */
static double use_context_watts(const hg_use_context *c, double nodes, double share)
{
  double watts = c->base;
  for (int i = 0; i < c->units; i++)
    watts += c->unit[i].count * (share * c->unit[i].full + (1 - share) * c->unit[i].wait);
  return nodes * watts;
}

static double switch_watts(const hg_use_context *c, double nodes, const hg_estimate_rules *rules)
{
  return rules->share_switch && isfinite(c->nodes_max) ? c->switch_watts * nodes / c->nodes_max : c->switch_watts;
}

/* Estimate by the straight lines. */
static hg_run_estimate look(const hg_use_context *c, double nodes, const hg_estimate_rules *rules)
{
  hg_run_estimate o = {.seconds = c->time.t1 * pow(nodes, -c->time.sigma)};
  o.seconds_error = hg_scaling_error(&c->time, nodes);
  if (c->measured) {
    o.joules = c->energy.t1 * pow(nodes, -c->energy.sigma);
    o.joules_error = hypot(c->error, hg_scaling_error(&c->energy, nodes));
  } else {
    o.joules = o.seconds * (use_context_watts(c, nodes, c->beta) + switch_watts(c, nodes, rules));
    o.joules_error = hypot(c->error, o.seconds_error);
  }
  return o;
}

/* Estimate by the points. */
static hg_run_estimate look_along(const hg_use_context *c, double nodes, const hg_estimate_rules *rules)
{
  double unseen;
  hg_run_estimate o = {.seconds = hg_scaling_curve_time(&c->curve, nodes, &unseen)};
  o.seconds_error = hypot(c->error, unseen);
  o.joules = o.seconds * (c->measured ? hg_scaling_curve_line(&c->watts, nodes)
                                      : use_context_watts(c, nodes, c->beta) + switch_watts(c, nodes, rules));
  o.joules_error = o.seconds_error;
  return o;
}

enum { FAR = 4 };

double hg_use_context_reach(const hg_use_context *c)
{
  return fmin(c->nodes_max, FAR * c->largest);
}

bool hg_use_context_unknown(const hg_use_context *c, double nodes, const hg_estimate_rules *rules)
{
  return nodes <= c->nodes_max && nodes > FAR * c->largest && !rules->extrapolate;
}

hg_status hg_use_context_at(const hg_use_context *c, double nodes, const hg_estimate_rules *rules, hg_run_estimate *out)
{
  const double fewest = fmax(1, c->nodes_min);
  if (!(nodes >= fewest && nodes <= c->nodes_max))
    return hg_fail(HG_INVALID, "context %s: N is %g, must be in %g..%g", c->name, nodes, fewest, c->nodes_max);
  if (hg_use_context_unknown(c, nodes, rules))
    return hg_fail(HG_INVALID,
                   "context %s: N is %g, must be at most %d times the %g that were measured (--extrapolate)", c->name,
                   nodes, FAR, c->largest);
  *out = c->bent ? look_along(c, nodes, rules) : look(c, nodes, rules);
  return HG_OK;
}

double hg_run_estimate_value(const hg_run_estimate *o, hg_criterion by, double *error)
{
  static const double time_power[] = {1, 0, 1, 2};
  *error = by == HG_BY_TIME ? o->seconds_error : hypot(o->joules_error, time_power[by] * o->seconds_error);
  return hg_criterion_value(by, o->seconds, o->joules);
}

/* ln of b's value divided by a's: a is better where it is positive. */
static double advantage(const hg_use_context *a, const hg_use_context *b, hg_criterion by,
                        const hg_estimate_rules *rules, double nodes)
{
  const hg_run_estimate x = look(a, nodes, rules), y = look(b, nodes, rules);
  return log(hg_criterion_value(by, y.seconds, y.joules) / hg_criterion_value(by, x.seconds, x.joules));
}

/* The first change of sign on 1..1e9, by steps and bisection. */
static double search(const hg_use_context *a, const hg_use_context *b, hg_criterion by, const hg_estimate_rules *rules)
{
  enum { STEPS = 900, HALVINGS = 60 };
  double lo = 1, first = advantage(a, b, by, rules, 1);
  for (int i = 1; i <= STEPS; i++) {
    double hi = pow(10, 9. * i / STEPS);
    if (first * advantage(a, b, by, rules, hi) > 0) {
      lo = hi;
      continue;
    }
    for (int k = 0; k < HALVINGS; k++) {
      const double middle = sqrt(lo * hi);
      *(first * advantage(a, b, by, rules, middle) > 0 ? &lo : &hi) = middle;
    }
    return hi;
  }
  return NAN;
}

/* Whether energy is a straight line in N, on logarithmic axes. */
static bool is_straight(const hg_use_context *c, const hg_estimate_rules *rules)
{
  return c->measured || c->switch_watts == 0 || rules->share_switch;
}

double hg_use_context_crossing(const hg_use_context *a, const hg_use_context *b, hg_criterion by,
                               const hg_estimate_rules *rules)
{
  const bool time = by == HG_BY_TIME;
  if (!time && !(is_straight(a, rules) && is_straight(b, rules))) return search(a, b, by, rules);
  const hg_run_estimate x = look(a, 1, rules), y = look(b, 1, rules);
  const double slope_a = time ? a->time.sigma : a->measured ? a->energy.sigma : a->time.sigma - 1;
  const double slope_b = time ? b->time.sigma : b->measured ? b->energy.sigma : b->time.sigma - 1;
  double nodes = NAN;
  return hg_threshold(time ? y.seconds / x.seconds : y.joules / x.joules, slope_a, slope_b, &nodes) == HG_OK ? nodes
                                                                                                             : NAN;
}

/* --- two clusters --- */

/* W of a cluster that computes for `busy` of `seconds`; measured joules cannot be split between computing and
 * waiting. */
static double watts_of(const hg_use_context *c, double nodes, const hg_run_estimate *alone, double busy, double seconds,
                       const hg_estimate_rules *rules)
{
  if (c->measured) return alone->joules / alone->seconds;
  return use_context_watts(c, nodes, busy / seconds) + switch_watts(c, nodes, rules);
}

hg_status hg_use_context_hybrid(const hg_use_context *a, double nodes_a, const hg_use_context *b, double nodes_b,
                                const hg_estimate_rules *rules, hg_run_estimate *out)
{
  hg_run_estimate x, y;
  if (nodes_b == 0) return hg_use_context_at(a, nodes_a, rules, out);
  if (nodes_a == 0) return hg_use_context_at(b, nodes_b, rules, out);
  HG_TRY(hg_use_context_at(a, nodes_a, rules, &x));
  HG_TRY(hg_use_context_at(b, nodes_b, rules, &y));
  const double compute_a = a->beta * x.seconds, compute_b = b->beta * y.seconds;
  const double compute = compute_a > 0 && compute_b > 0 ? 1 / (1 / compute_a + 1 / compute_b) : 0;
  const double seconds = compute + fmax(x.seconds - compute_a, y.seconds - compute_b);
  const double watts =
      watts_of(a, nodes_a, &x, compute, seconds, rules) + watts_of(b, nodes_b, &y, compute, seconds, rules);
  *out = (hg_run_estimate){.seconds = seconds,
                           .joules = seconds * watts,
                           .seconds_error = fmax(x.seconds_error, y.seconds_error),
                           .joules_error = fmax(x.joules_error, y.joules_error)};
  return HG_OK;
}
