/* SPDX-License-Identifier: MIT */
/* Units whose times are functions of work, as straight lines. For a set of units the T at which they do all the work
 * together is found by bisection, since none does less in more time; there each function is replaced by its tangent,
 * and the best set by these is the next one, until it stays the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/green.h"

/* Most work that takes at most t seconds, of at most `most`. */
static double work_within(const hg_speed_model *m, double t, double most)
{
  double lo = 0, hi = most;
  if (hg_speed_time(m, most, 0) <= t) return most;
  for (int step = 0; step < 100 && hi - lo > 1e-13 * hi; step++) {
    const double mid = lo + (hi - lo) / 2;
    *(hg_speed_time(m, mid, 0) <= t ? &lo : &hi) = mid;
  }
  return lo;
}

static double total_within(int units, const hg_speed_model *const *time, const double *use, double t, double work)
{
  double sum = 0, each = 0;
  const hg_speed_model *last = NULL;
  for (int i = 0; i < units; i++) {
    if (use[i] <= 0) continue;
    if (time[i] != last) each = work_within(time[i], t, work);
    last = time[i];
    sum += each;
  }
  return sum;
}

/* s in which the units with use[i] > 0 do all the work together. */
static double balanced(int units, const hg_speed_model *const *time, const double *use, double work)
{
  double lo = 0, hi = INFINITY;
  for (int i = 0; i < units; i++)
    if (use[i] > 0) hi = fmin(hi, hg_speed_time(time[i], work, 0));
  for (int step = 0; step < 100 && hi - lo > 1e-13 * hi; step++) {
    const double mid = lo + (hi - lo) / 2;
    *(total_within(units, time, use, mid, work) < work ? &lo : &hi) = mid;
  }
  return hi;
}

/* The tangent where a unit has worked for t seconds; one that would begin before 0 through the origin instead. A unit
 * that has not begun by then: where it would do a thousandth of the work. */
static void touch(const hg_speed_model *m, double t, double work, hg_green_unit *u)
{
  const double NEAR = 1e-3, w = fmax(work_within(m, t, work), NEAR * work), here = hg_speed_time(m, w, 0),
               slope = (here - hg_speed_time(m, (1 - NEAR) * w, 0)) / (NEAR * w);
  const bool known = isfinite(here) && here > 0, late = known && slope > 0 && here - slope * w > 1e-12 * here;
  u->speed = !known ? 0 : late ? 1 / slope : w / here;
  u->start = late ? here - slope * w : 0;
}

static bool same_set(int units, const double *a, const double *b)
{
  for (int i = 0; i < units; i++)
    if ((a[i] > 0) != (b[i] > 0)) return false;
  return true;
}

hg_status hg_green_fit(int units, const hg_speed_model *const *time, double base, double work, hg_criterion by,
                       hg_green_unit *unit)
{
  enum { ROUNDS = 20 };
  double *use = malloc(2 * (size_t)units * sizeof *use), *next = use + units;
  if (!use) return hg_fail(HG_MEMORY, "no memory for %d units", units);
  const hg_green_machine machine = {units, unit, base};
  hg_status status = HG_OK;
  bool same = false;
  for (int i = 0; i < units; i++) use[i] = isfinite(hg_speed_time(time[i], work, 0));
  for (int round = 0; round < ROUNDS && !same && status == HG_OK; round++) {
    const double t = balanced(units, time, use, work);
    for (int i = 0; i < units; i++) touch(time[i], t, work, &unit[i]);
    status = hg_green_divide(&machine, work, by, next);
    same = status == HG_OK && same_set(units, use, next);
    if (status == HG_OK) memcpy(use, next, (size_t)units * sizeof *use);
  }
  free(use);
  return status;
}
