/* SPDX-License-Identifier: MIT */
/* Decides where to measure next. Points are kept in the order of measurement. An interval knows the point that created
 * it (the middle of the former interval), so its error can be updated when that point is measured again. Example: T =
 * 1 + w measured from 1 to 9 in one step: T(5) lies on the line, so three points are enough. */
#include "speed/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

enum {
  VISITS = 8,  /* visits to a point that looks disturbed */
  TRIES = 4,   /* of these, visits until its runs agree */
  REPEATS = 2, /* repeated measurements per point, on average */
  APART = 10   /* least distance of two measurements of a point */
};
/* A time longer by this factor than that of more work looks disturbed. So does one that is so much longer than its
 * neighbours predict, until it was seen twice (for the last point: always). */
#define FALLS 1.03
#define STICKS_OUT 1.1
#define BENDS 1.5

typedef struct point {
  double w;
  hg_timing time;
  int left, right; /* points between which it was measured, or -1 */
  int rank;        /* its place in order of work */
  int visits, taken;
  bool confirmed, disturbed; /* confirmed: measured twice with the same result; disturbed: looks so now */
} point;

typedef struct interval {
  int a, b, maker; /* maker: the end that halved the former interval, or -1 */
} interval;

typedef struct measuring {
  hg_measure_fn *measure;
  void *arg;
  const hg_measure_plan *plan;
  point *point;       /* [most], in order of taking */
  int *order;         /* [most], the points in order of w */
  interval *interval; /* [most] */
  int points, intervals, taken, repeated;
  bool stopped;
} measuring;

static double line_at(const point *a, const point *b, double w)
{
  return a->time.seconds + (b->time.seconds - a->time.seconds) * ((w - a->w) / (b->w - a->w));
}

/* Relative error, in time or speed, at point i of the line that it halved. */
static double error_at(const measuring *m, int i)
{
  const point *p = &m->point[i];
  const double guess = line_at(&m->point[p->left], &m->point[p->right], p->w), off = fabs(guess - p->time.seconds);
  return off / fmin(guess, p->time.seconds);
}

static const point *by_work(const measuring *m, int k)
{
  return &m->point[m->order[k]];
}

/* Relative difference, in the middle of an interval, between its line and the extended line beyond its end a (step -1)
 * or b (step 1), which spans at least half the interval's width. */
static double bend(const measuring *m, const interval *v, int step)
{
  const point *a = &m->point[v->a], *b = &m->point[v->b], *end = step < 0 ? a : b;
  const double width = b->w - a->w, middle = a->w + width / 2, here = line_at(a, b, middle);
  int k = end->rank + step;
  while (k >= 0 && k < m->points && fabs(by_work(m, k)->w - end->w) < width / 2) k += step;
  return k < 0 || k >= m->points ? 0 : fabs(line_at(by_work(m, k), end, middle) - here) / here;
}

static double bends(const measuring *m, const interval *v)
{
  return fmax(bend(m, v, -1), bend(m, v, 1));
}

/* Error of an interval: that of the wider line tested when the interval was created. If curvature is constant, the
 * error is now a quarter of that, and the adjacent line differs by as much as the wider line did; a BENDS times larger
 * difference indicates something in the interval that the test in the middle missed. */
static double error_of(const measuring *m, const interval *v)
{
  return v->maker < 0 ? INFINITY : fmax(error_at(m, v->maker), bends(m, v) / BENDS);
}

static double relative_width(const measuring *m, const interval *v)
{
  return (m->point[v->b].w - m->point[v->a].w) / m->point[v->b].w;
}

static hg_status visit(measuring *m, point *p, hg_timing *out)
{
  HG_TRY(m->measure(m->arg, p->w, p->visits, out));
  if (!(out->seconds > 0) || !isfinite(out->seconds))
    return hg_fail(HG_RUNTIME, "measuring %g cells took %g s, must be > 0", p->w, out->seconds);
  p->visits++;
  p->taken = m->taken++;
  return HG_OK;
}

static hg_status take(measuring *m, double w, int left, int right)
{
  point p = {.w = w, .left = left, .right = right};
  HG_TRY(visit(m, &p, &p.time));
  int at = m->points;
  for (; at > 0 && m->point[m->order[at - 1]].w > w; at--) m->order[at] = m->order[at - 1];
  m->order[at] = m->points;
  m->point[m->points++] = p;
  for (int k = at; k < m->points; k++) m->point[m->order[k]].rank = k;
  return HG_OK;
}

/* Measures point i again. Agreeing runs take precedence over others; otherwise the shorter time counts, since no
 * disturbance makes a machine faster. */
static hg_status take_again(measuring *m, int i)
{
  point *p = &m->point[i];
  hg_timing now;
  HG_TRY(visit(m, p, &now));
  const double ratio = now.seconds / p->time.seconds;
  p->confirmed = now.agreed && p->time.agreed && fmax(ratio, 1 / ratio) < STICKS_OUT;
  if (now.agreed == p->time.agreed ? ratio < 1 : now.agreed) p->time = now;
  m->repeated++;
  return HG_OK;
}

/* The time of the k-th point by work that its neighbours predict: on the line between them; the first one on the line
 * of the next two; the last one at the speed of the one before. */
static double expected(const measuring *m, int k)
{
  const point *p = by_work(m, k);
  if (k + 1 == m->points) return by_work(m, k - 1)->time.seconds * (p->w / by_work(m, k - 1)->w);
  const point *a = by_work(m, k > 0 ? k - 1 : 1), *b = by_work(m, k > 0 || m->points == 2 ? k + 1 : 2);
  return a == b ? a->time.seconds : line_at(a, b, p->w);
}

/* Whether a takes longer than b, beyond the intervals of both. */
static bool longer(const hg_timing *a, const hg_timing *b)
{
  return a->low > b->high && a->seconds > FALLS * b->seconds;
}

static bool looks_disturbed(const measuring *m, int k)
{
  const point *p = by_work(m, k);
  const bool last = k + 1 == m->points; /* no later point can contradict it */
  if (p->visits >= VISITS || p->time.high == p->time.low) return false;
  if (!p->time.agreed && p->visits < TRIES) return true;
  for (int j = k + 1; j < m->points; j++)
    if (longer(&p->time, &by_work(m, j)->time)) return true;
  return (last || !p->confirmed) && p->time.seconds > STICKS_OUT * expected(m, k);
}

/* Marks the disturbed points. Returns the one that was measured longest ago, or -1. */
static int oldest_disturbed(const measuring *m)
{
  int oldest = -1;
  for (int k = 0; k < m->points; k++) {
    point *p = &m->point[m->order[k]];
    p->disturbed = m->repeated < REPEATS * m->points && looks_disturbed(m, k);
    if (p->disturbed && (oldest < 0 || p->taken < m->point[oldest].taken)) oldest = m->order[k];
  }
  return oldest;
}

static bool is_narrow(const measuring *m, const interval *v)
{
  return m->point[v->b].w - m->point[v->a].w <= m->plan->error / 2 * m->point[v->a].w;
}

/* The interval with the most to gain, or -1; excludes those of disturbed points, whose error means nothing. */
static int worst_interval(const measuring *m)
{
  int worst = -1;
  double most = 0;
  for (int i = 0; i < m->intervals && m->points < m->plan->most; i++) {
    const interval *v = &m->interval[i];
    const double error = error_of(m, v), value = fmin(error, 1e6) * relative_width(m, v);
    if (value > most && error > m->plan->error && !is_narrow(m, v) && !m->point[v->a].disturbed &&
        !m->point[v->b].disturbed)
      worst = i, most = value;
  }
  return worst;
}

static hg_status halve(measuring *m, int i)
{
  const interval v = m->interval[i];
  const int middle = m->points;
  HG_TRY(take(m, (m->point[v.a].w + m->point[v.b].w) / 2, v.a, v.b));
  m->interval[i] = (interval){v.a, middle, middle};
  m->interval[m->intervals++] = (interval){middle, v.b, middle};
  return HG_OK;
}

/* The point that was measured longest ago. */
static int oldest_point(const measuring *m)
{
  int oldest = 0;
  for (int i = 1; i < m->points; i++)
    if (m->point[i].taken < m->point[oldest].taken) oldest = i;
  return oldest;
}

/* Refines the table. A disturbance may last, so a point is measured again only after others, which at the end may be
 * repeated ones. */
static hg_status refine(measuring *m)
{
  for (;;) {
    const int disturbed = oldest_disturbed(m);
    const bool fresh = disturbed >= 0 && m->taken - m->point[disturbed].taken <= APART;
    const int worst = disturbed < 0 || fresh ? worst_interval(m) : -1;
    if (worst < 0 && disturbed < 0) return HG_OK;
    m->stopped = m->plan->enough && m->plan->enough(m->arg);
    if (m->stopped) return HG_OK;
    HG_TRY(worst >= 0 ? halve(m, worst) : take_again(m, fresh ? oldest_point(m) : disturbed));
  }
}

/* The first points: x0, x0 + d .. xmax; between x0 and x0 + d also points that are each FACTOR times the one before.
 * Returns their number, at most `most`. */
static int first_points(const hg_measure_plan *p, double *w)
{
  const double factor = 4, near = 1 - 1e-9;
  int n = 0;
  for (double x = p->x0; x * factor / 2 < (p->x0 + p->d) * near && x < p->xmax * near && n + 2 < p->most; x *= factor)
    w[n++] = x;
  for (double x = p->x0 + p->d; x < p->xmax * near && n + 1 < p->most; x += p->d) w[n++] = x;
  w[n++] = p->xmax;
  return n;
}

/* Measures every other point first, so that a lasting disturbance does not affect only neighbours. */
static hg_status take_first(measuring *m)
{
  double w[m->plan->most];
  const int count = first_points(m->plan, w);
  for (int odd = 0; odd < 2; odd++)
    for (int k = odd; k < count; k += 2) HG_TRY(take(m, w[k], -1, -1));
  for (int k = 0; k + 1 < count; k++) m->interval[m->intervals++] = (interval){m->order[k], m->order[k + 1], -1};
  return HG_OK;
}

static void report_on(const measuring *m, hg_measure_report *r)
{
  double spread[m->points];
  *r = (hg_measure_report){.points = m->points, .repeated = m->repeated, .stopped = m->stopped};
  for (int i = 0; i < m->points; i++) {
    const hg_timing *t = &m->point[i].time;
    spread[i] = (t->high - t->low) / t->seconds;
    r->disagreed += !t->agreed;
  }
  qsort(spread, (size_t)m->points, sizeof *spread, hg_by_value);
  r->spread = spread[m->points / 2];
  for (int i = 0; i < m->intervals; i++) {
    const interval *v = &m->interval[i];
    if (!is_narrow(m, v)) r->error = fmax(r->error, v->maker < 0 ? bends(m, v) : error_of(m, v));
  }
}

static hg_status to_table(const measuring *m, hg_speed_table *out, hg_measure_report *report)
{
  const double least_spread = .005;
  double weight[m->points];
  HG_TRY(hg_speed_table_make(m->points, 1, out));
  for (int k = 0; k < m->points; k++) {
    const point *p = &m->point[m->order[k]];
    const double spread = fmax(p->time.high - p->time.low, least_spread * p->time.seconds);
    out->w[k] = p->w;
    out->time[k] = p->time.seconds;
    weight[k] = 1 / (spread * spread);
  }
  report->pooled = hg_pool_adjacent_violators(m->points, weight, out->time);
  return HG_OK;
}

hg_status hg_speed_table_measure(hg_measure_fn *measure, void *arg, const hg_measure_plan *plan, hg_speed_table *out,
                                 hg_measure_report *report)
{
  if (!(plan->x0 > 0) || !(plan->xmax > plan->x0) || !(plan->d > 0) || !(plan->error > 0) || plan->most < 2)
    return hg_fail(HG_INVALID, "measuring from %g to %g in steps of %g for an error of %g with %d points", plan->x0,
                   plan->xmax, plan->d, plan->error, plan->most);
  const size_t most = (size_t)plan->most;
  measuring m = {.measure = measure,
                 .arg = arg,
                 .plan = plan,
                 .point = calloc(most, sizeof *m.point),
                 .order = calloc(most, sizeof *m.order),
                 .interval = calloc(most, sizeof *m.interval)};
  hg_status status =
      m.point && m.order && m.interval ? HG_OK : hg_fail(HG_MEMORY, "speed table: no memory for %d points", plan->most);
  if (status == HG_OK) status = take_first(&m);
  if (status == HG_OK) status = refine(&m);
  if (status == HG_OK) report_on(&m, report);
  if (status == HG_OK) status = to_table(&m, out, report);
  free(m.point);
  free(m.order);
  free(m.interval);
  return status;
}
