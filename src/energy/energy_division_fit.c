/* SPDX-License-Identifier: MIT */
/* Linearises units whose times are functions of work. For a set of units, bisection finds the T at which they do all
 * the work together, since no unit does less in more time. There each function is replaced by its tangent. The best
 * set for these tangents is the next one, until it no longer changes. */
#include <math.h>
#include <stdlib.h>

#include "energy/energy_division.h"

/* The most work, up to `most`, that takes at most t seconds. */
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

/* Units with the same function. */
typedef struct kind {
  const hg_speed_model *time;
  int used;
} kind;

/* @param[out] of  [units] the kind of each */
static int find_kinds(int units, const hg_speed_model *const *time, kind *kinds, int *of)
{
  int count = 0;
  for (int i = 0; i < units; i++) {
    int k = 0;
    while (k < count && kinds[k].time != time[i]) k++;
    if (k == count) kinds[count++] = (kind){time[i], 0};
    of[i] = k;
  }
  return count;
}

static double total_within(const kind *kinds, int count, double t, double work)
{
  double sum = 0;
  for (int k = 0; k < count; k++)
    if (kinds[k].used > 0) sum += kinds[k].used * work_within(kinds[k].time, t, work);
  return sum;
}

/* Seconds in which the units in use do all the work together. */
static double balanced(const kind *kinds, int count, double work)
{
  double lo = 0, hi = INFINITY;
  for (int k = 0; k < count; k++)
    if (kinds[k].used > 0) hi = fmin(hi, hg_speed_time(kinds[k].time, work, 0));
  for (int step = 0; step < 100 && hi - lo > 1e-13 * hi; step++) {
    const double mid = lo + (hi - lo) / 2;
    *(total_within(kinds, count, mid, work) < work ? &lo : &hi) = mid;
  }
  return hi;
}

/* The tangent where a unit has worked for t seconds; if its start would be negative, the line through the origin
 * instead. For a unit that has not started by then: the tangent at a thousandth of the work. */
static void touch(const hg_speed_model *m, double t, double work, hg_energy_division_unit *u)
{
  const double NEAR = 1e-3, w = fmax(work_within(m, t, work), NEAR * work), here = hg_speed_time(m, w, 0),
               slope = (here - hg_speed_time(m, (1 - NEAR) * w, 0)) / (NEAR * w);
  const bool known = isfinite(here) && here > 0, late = known && slope > 0 && here - slope * w > 1e-12 * here;
  u->speed = !known ? 0 : late ? 1 / slope : w / here;
  u->start = late ? here - slope * w : 0;
}

/* Counts the units with work; returns whether there are as many of each kind as before. */
static bool count_used(int units, const double *w, const int *of, kind *kinds, int count)
{
  int before[count];
  bool same = true;
  for (int k = 0; k < count; k++) before[k] = kinds[k].used, kinds[k].used = 0;
  for (int i = 0; i < units; i++) kinds[of[i]].used += w[i] > 0;
  for (int k = 0; k < count; k++) same = same && kinds[k].used == before[k];
  return same;
}

/* Iterates until the set of units no longer changes. */
static hg_status go_round(const hg_energy_division_machine *machine, double work, hg_criterion by, kind *kinds,
                          int count, const int *of, hg_energy_division_unit *unit, double *w)
{
  enum { ROUNDS = 20 };
  hg_energy_division_unit tangent[count];
  for (int i = 0; i < machine->units; i++) w[i] = isfinite(hg_speed_time(kinds[of[i]].time, work, 0));
  count_used(machine->units, w, of, kinds, count);
  for (int round = 0; round < ROUNDS; round++) {
    const double t = balanced(kinds, count, work);
    for (int k = 0; k < count; k++) touch(kinds[k].time, t, work, &tangent[k]);
    for (int i = 0; i < machine->units; i++) unit[i].speed = tangent[of[i]].speed, unit[i].start = tangent[of[i]].start;
    HG_TRY(hg_energy_division_divide(machine, work, by, w));
    if (count_used(machine->units, w, of, kinds, count)) break;
  }
  return HG_OK;
}

hg_status hg_energy_division_fit(int units, const hg_speed_model *const *time, double base, double work,
                                 hg_criterion by, hg_energy_division_unit *unit)
{
  const hg_energy_division_machine machine = {units, unit, base};
  double *w = malloc((size_t)units * sizeof *w);
  kind *kinds = malloc((size_t)units * sizeof *kinds);
  int *of = malloc((size_t)units * sizeof *of);
  hg_status status = w && kinds && of ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d units", units);
  if (status == HG_OK) status = go_round(&machine, work, by, kinds, find_kinds(units, time, kinds, of), of, unit, w);
  free(w);
  free(kinds);
  free(of);
  return status;
}
