/* SPDX-License-Identifier: MIT */
#include "energy/scaling_curve.h"

#include <math.h>
#include <stdbool.h>

/* Index of a point with this N, or where it would be inserted. */
static int place_of(const hg_scaling_curve *c, double nodes)
{
  int i = 0;
  while (i < c->count && c->nodes[i] < nodes) i++;
  return i;
}

static void insert(hg_scaling_curve *c, int at, double nodes, double value)
{
  for (int i = c->count++; i > at; i--) c->nodes[i] = c->nodes[i - 1], c->value[i] = c->value[i - 1];
  c->nodes[at] = nodes, c->value[at] = value;
}

void hg_scaling_curve_make(int count, const double *nodes, const double *value, hg_scaling_curve *c)
{
  int same[HG_CURVE_POINTS] = {0};
  c->count = 0;
  for (int i = 0; i < count; i++) {
    const int at = place_of(c, nodes[i]);
    if (at == c->count || c->nodes[at] > nodes[i]) insert(c, at, nodes[i], 1);
  }
  for (int i = 0; i < count; i++) same[place_of(c, nodes[i])]++;
  for (int i = 0; i < count; i++) {
    const int at = place_of(c, nodes[i]);
    c->value[at] *= pow(value[i], 1.0 / same[at]);
  }
}

double hg_scaling_curve_line(const hg_scaling_curve *c, double nodes)
{
  int i = place_of(c, nodes);
  if (i < c->count && c->nodes[i] == nodes) return c->value[i];
  i = i < 1 ? 1 : i > c->count - 1 ? c->count - 1 : i;
  const double slope = log(c->value[i] / c->value[i - 1]) / log(c->nodes[i] / c->nodes[i - 1]);
  return c->value[i] * pow(nodes / c->nodes[i], slope);
}

/* Seconds that one node would take without overhead. */
static double ideal_of(const hg_scaling_curve *c)
{
  double least = INFINITY;
  for (int i = 0; i < c->count; i++) least = fmin(least, c->value[i] * c->nodes[i]);
  return least;
}

static double over(const hg_scaling_curve *c, double ideal, int i)
{
  return c->value[i] - ideal / c->nodes[i];
}

/* Whether a point has overhead beyond rounding. */
static bool has_over(const hg_scaling_curve *c, double ideal, int i)
{
  return i >= 0 && i < c->count && over(c, ideal, i) > 1e-9 * c->value[i];
}

/* Exponent of X from point i to the next; 0 if one of them has no overhead. */
static double exponent(const hg_scaling_curve *c, double ideal, int i)
{
  if (!has_over(c, ideal, i) || !has_over(c, ideal, i + 1)) return 0;
  const double p = log(over(c, ideal, i + 1) / over(c, ideal, i)) / log(c->nodes[i + 1] / c->nodes[i]);
  return fmin(fmax(p, 0), 2);
}

double hg_scaling_curve_time(const hg_scaling_curve *c, double nodes, double *error)
{
  const double ideal = ideal_of(c);
  int i = place_of(c, nodes);
  *error = 0;
  if (i < c->count && c->nodes[i] == nodes) return c->value[i];
  if (i == 0) return ideal / nodes; /* fewer nodes than any point */
  const bool beyond = i == c->count;
  double power = exponent(c, ideal, beyond ? i - 2 : i - 1);
  if (!beyond && !has_over(c, ideal, i - 1) && has_over(c, ideal, i))
    power = exponent(c, ideal, i); /* the first point has no overhead: use the following points */
  else
    i--;
  const double known = has_over(c, ideal, i) ? over(c, ideal, i) : 0, grown = known * pow(nodes / c->nodes[i], power),
               time = ideal / nodes + grown;
  if (beyond) *error = (grown - known) / time;
  return time;
}
