/* SPDX-License-Identifier: MIT */
/* Example: points (0 B, 1 us), (1000 B, 2 us), (2000 B, 4 us): T(500) = 1.5 us, T(3000) = 6 us. */
#include "network/network.h"

#include <math.h>
#include <string.h>

/* The point where the line for `bytes` begins. */
static int line_of(const hg_network_level *l, double bytes)
{
  int lo = 0, hi = l->points - 2;
  while (lo < hi) {
    const int middle = (lo + hi + 1) / 2;
    if (l->point[middle].bytes <= bytes)
      lo = middle;
    else
      hi = middle - 1;
  }
  return lo;
}

static double between(double x0, double y0, double x1, double y1, double x)
{
  return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

bool hg_network_beyond(const hg_network_level *l, double bytes)
{
  return bytes > l->point[l->points - 1].bytes;
}

/* Does not use the last two points only: if they are close together, a small error in them is a large error in the
 * slope. More bytes never take less time than the last point. */
static double beyond(const hg_network_level *l, double bytes)
{
  const hg_network_point *last = &l->point[l->points - 1], *half = last;
  while (half > l->point && (half == last || half->bytes > last->bytes / 2)) half--;
  return fmax(between(half->bytes, half->seconds, last->bytes, last->seconds, bytes), last->seconds);
}

double hg_network_time(const hg_network_level *l, double bytes)
{
  if (l->points == 1 || bytes <= l->point[0].bytes) return l->point[0].seconds;
  if (hg_network_beyond(l, bytes)) return beyond(l, bytes);
  const hg_network_point *a = &l->point[line_of(l, bytes)], *b = a + 1;
  return between(a->bytes, a->seconds, b->bytes, b->seconds, bytes);
}

double hg_network_bandwidth(const hg_network_level *l, double bytes)
{
  const double time = hg_network_time(l, bytes), start = hg_network_time(l, 0);
  return fmin(fmax(bytes / fmax(time - start, time / 1e3), 1), 1e15);
}

void hg_network_interval(const hg_network_level *l, double bytes, double *low, double *high)
{
  const double time = hg_network_time(l, bytes);
  const bool inside = l->points > 1 && !hg_network_beyond(l, bytes) && bytes > l->point[0].bytes;
  const int last = l->points - 1, i = inside ? line_of(l, bytes) : bytes > 0 ? last : 0;
  const hg_network_point *a = &l->point[i], *b = inside ? a + 1 : a;
  *low = time * fmin(a->low / a->seconds, b->low / b->seconds);
  *high = time * fmax(a->high / a->seconds, b->high / b->seconds);
}

/* Cost of a message in a train, as a share of its T. */
static double share_of(const hg_network_level *l, const hg_network_train *t, bool sender)
{
  const int more = l->train_length - 1;
  const double cost = sender ? (t->delayed - t->one) / more - t->delay : (t->many - t->one) / more;
  return fmin(fmax(cost / (t->one / 2), 0), 1);
}

/* Interpolates the share of T(k) between two sizes, so that the gap has the same jumps as T. */
static double part_of(const hg_network_level *l, double bytes, bool sender)
{
  const double time = hg_network_time(l, bytes);
  if (l->trains == 0) return time;
  int i = 0;
  while (i + 1 < l->trains && l->train[i + 1].bytes <= bytes) i++;
  const hg_network_train *a = &l->train[i], *b = i + 1 < l->trains ? a + 1 : a;
  const double at = b > a ? fmax((bytes - a->bytes) / (b->bytes - a->bytes), 0) : 0;
  return time * (share_of(l, a, sender) * (1 - at) + share_of(l, b, sender) * at);
}

double hg_network_gap(const hg_network_level *l, double bytes)
{
  return part_of(l, bytes, false);
}

double hg_network_overhead(const hg_network_level *l, double bytes)
{
  return part_of(l, bytes, true);
}

static double slope_of(const hg_network_level *l, int interval)
{
  const hg_network_point *a = &l->point[interval], *b = a + 1;
  return (b->seconds - a->seconds) / (b->bytes - a->bytes);
}

/* Slope from the two adjacent intervals around a size whose slopes agree best: in others the protocol changes, and T
 * jumps. 0 if all slopes are negative, or there are fewer than two. */
static double slope_at(const hg_network_level *l, double bytes)
{
  const int here = line_of(l, bytes);
  double best = INFINITY, slope = 0;
  for (int i = here > 2 ? here - 2 : 0; i <= here && i + 2 < l->points; i++) {
    const double a = slope_of(l, i), b = slope_of(l, i + 1), apart = fabs(a - b) / fmax(fabs(a), fabs(b));
    if (!(a > 0 && b > 0) || apart >= best) continue;
    best = apart;
    slope = (a + b) / 2;
  }
  return slope;
}

/* Wire time by the slope at that size; far too long where T jumps. */
static double steep_wire(const hg_network_level *l, double bytes, double large)
{
  return fmax(fmin(bytes * fmax(slope_at(l, bytes), large), hg_network_time(l, bytes)), 0);
}

double hg_network_wire(const hg_network_level *l, double bytes)
{
  const double last = l->point[l->points - 1].bytes,
               large = last > 0 ? (hg_network_time(l, last) - hg_network_time(l, last / 2)) / (last / 2) : 0;
  double wire = steep_wire(l, bytes, large);
  for (int i = line_of(l, bytes) + 1; i < l->points; i++) /* more bytes must not take less time */
    wire = fmin(wire, steep_wire(l, fmax(l->point[i].bytes, bytes), large));
  return wire;
}

/* Time that one more concurrent pair adds to messages of that size, s: slope from the next smaller measured number of
 * pairs to the largest. */
static double added_by_pair(const hg_network_level *l, double bytes)
{
  const hg_network_load *most = NULL, *fewer = NULL;
  for (int i = 0; i < l->loads; i++)
    if (l->load[i].bytes == bytes && (!most || l->load[i].pairs > most->pairs)) most = &l->load[i];
  for (int i = 0; i < l->loads; i++)
    if (l->load[i].bytes == bytes && l->load[i].pairs < most->pairs && (!fewer || l->load[i].pairs > fewer->pairs))
      fewer = &l->load[i];
  return fewer ? fmax((most->seconds - fewer->seconds) / (most->pairs - fewer->pairs), 0) : 0;
}

double hg_network_link(const hg_network_level *l, double bytes)
{
  double below = 0, above = INFINITY; /* measured sizes around it */
  for (int i = 0; i < l->loads; i++) {
    if (l->load[i].bytes <= bytes) below = fmax(below, l->load[i].bytes);
    if (l->load[i].bytes > bytes) above = fmin(above, l->load[i].bytes);
  }
  const double low = below > 0 ? added_by_pair(l, below) : 0;
  const double link = above < INFINITY ? between(below, low, above, added_by_pair(l, above), bytes)
                      : below > 0      ? low * (bytes / below)
                                       : 0;
  return fmin(link, hg_network_wire(l, bytes));
}

const hg_network_level *hg_network_level_find(const hg_network *n, const char *name)
{
  for (int i = 0; i < n->levels; i++)
    if (strcmp(n->level[i].name, name) == 0) return &n->level[i];
  return NULL;
}

const hg_network_level *hg_network_between(const hg_network *n, bool nodes)
{
  static const char *const order[2][3] = {{"node", "numa", "network"}, {"network", "node", "numa"}};
  for (int i = 0; i < 3; i++) {
    const hg_network_level *l = hg_network_level_find(n, order[nodes][i]);
    if (l) return l;
  }
  return NULL;
}
