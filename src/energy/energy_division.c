/* SPDX-License-Identifier: MIT */
#include "energy/energy_division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_MAX = 100000 };

/* Identical units. */
typedef struct kind {
  hg_energy_division_unit unit;
  int first, count; /* positions in `order` */
} kind;

/* A machine with its units grouped by kind, for evaluating sets of units. */
typedef struct search {
  const hg_energy_division_machine *machine;
  int *order; /* [units] by kind */
  kind *kinds;
  int count;
  double rest; /* W of the base and of all units when idle */
  bool starts; /* some unit needs time to start */
  double work;
  hg_criterion by;
} search;

/* Sums over a set of units. */
typedef struct set {
  double speed, watts; /* above idle */
  double late, last;   /* work lost to start times; the latest start, s */
  int units;
} set;

static hg_status check(const hg_energy_division_machine *m)
{
  bool any = false;
  if (!(m->base >= 0)) return hg_fail(HG_INVALID, "the base power is %g W, must be >= 0", m->base);
  for (int i = 0; i < m->units; i++) {
    const hg_energy_division_unit *u = &m->unit[i];
    if (!(u->speed >= 0 && isfinite(u->speed)))
      return hg_fail(HG_INVALID, "unit %d: speed %g, must be >= 0", i, u->speed);
    if (!(u->start >= 0 && isfinite(u->start)))
      return hg_fail(HG_INVALID, "unit %d: start %g s, must be >= 0", i, u->start);
    if (!(u->full >= u->wait && u->wait >= u->idle && u->idle >= 0))
      return hg_fail(HG_INVALID, "unit %d: full %g, wait %g, idle %g W, must be full >= wait >= idle >= 0", i, u->full,
                     u->wait, u->idle);
    any |= u->speed > 0;
  }
  return any ? HG_OK : hg_fail(HG_INVALID, "no unit has a speed > 0");
}

/* J per unit of work if a unit is used. */
static double price(const hg_energy_division_unit *u)
{
  return u->speed > 0 ? (u->full - u->idle) / u->speed : INFINITY;
}

static const hg_energy_division_unit *sorted; /* for qsort, in one thread at a time */

static int by_price(const void *a, const void *b)
{
  const hg_energy_division_unit *x = &sorted[*(const int *)a], *y = &sorted[*(const int *)b];
  int order = hg_compare(price(x), price(y));
  if (!order) order = hg_compare(y->speed, x->speed);
  if (!order) order = hg_compare(x->start, y->start);
  if (!order) order = hg_compare(x->idle, y->idle);
  return order ? order : *(const int *)a - *(const int *)b;
}

static bool is_same_unit(const hg_energy_division_unit *a, const hg_energy_division_unit *b)
{
  return a->speed == b->speed && a->start == b->start && a->full == b->full && a->idle == b->idle;
}

static hg_status begin(const hg_energy_division_machine *m, double work, hg_criterion by, search *s)
{
  *s = (search){.machine = m, .rest = m->base, .work = work, .by = by};
  HG_TRY(check(m));
  s->order = malloc((size_t)m->units * sizeof *s->order);
  s->kinds = calloc((size_t)m->units, sizeof *s->kinds);
  if (!s->order || !s->kinds) return hg_fail(HG_MEMORY, "no memory for %d units", m->units);
  for (int i = 0; i < m->units; i++) {
    s->order[i] = i;
    s->rest += m->unit[i].idle;
    s->starts = s->starts || m->unit[i].start > 0;
  }
  sorted = m->unit;
  qsort(s->order, (size_t)m->units, sizeof *s->order, by_price);
  for (int i = 0; i < m->units; i++) {
    const hg_energy_division_unit *u = &m->unit[s->order[i]];
    if (u->speed <= 0) break;
    if (s->count == 0 || !is_same_unit(u, &s->kinds[s->count - 1].unit)) s->kinds[s->count++] = (kind){*u, i, 0};
    s->kinds[s->count - 1].count++;
  }
  return HG_OK;
}

static void end(search *s)
{
  free(s->order);
  free(s->kinds);
}

static set sum(const search *s, const int *used)
{
  set x = {.units = 0};
  for (int k = 0; k < s->count; k++) {
    const hg_energy_division_unit *u = &s->kinds[k].unit;
    x.speed += used[k] * u->speed;
    x.watts += used[k] * (u->full - u->idle);
    x.late += used[k] * u->start * u->speed;
    if (used[k] > 0) x.last = fmax(x.last, u->start);
    x.units += used[k];
  }
  return x;
}

/* Seconds in which all units of a set finish together; infinite if one has not started by then. */
static double together(const search *s, const set *x)
{
  if (x->units == 0) return INFINITY;
  const double seconds = (s->work + x->late) / x->speed;
  return seconds > x->last ? seconds : INFINITY;
}

static double value(const search *s, const int *used)
{
  const set x = sum(s, used);
  const double seconds = together(s, &x);
  return isinf(seconds) ? INFINITY : hg_criterion_value(s->by, seconds, seconds * (s->rest + x.watts));
}

/* --- sets --- */

static double number_of_sets(const search *s)
{
  double sets = 1;
  for (int k = 0; k < s->count; k++) sets *= s->kinds[k].count + 1;
  return sets;
}

/* The next combination of numbers of units, like a counter; false after the last. */
static bool next(const search *s, int *used)
{
  for (int k = 0; k < s->count; k++) {
    if (used[k]++ < s->kinds[k].count) return true;
    used[k] = 0;
  }
  return false;
}

static void keep_better(const search *s, const int *used, int *best)
{
  if (value(s, used) < value(s, best)) memcpy(best, used, (size_t)s->count * sizeof *best);
}

/* Tries all prefixes by price, one of which is best for energy if no unit needs time to start. */
static void try_prefixes(const search *s, int *used, int *best)
{
  memset(used, 0, (size_t)s->count * sizeof *used);
  for (int k = 0; k < s->count; k++)
    for (int i = 0; i < s->kinds[k].count; i++) {
      used[k]++;
      keep_better(s, used, best);
    }
}

static void try_all(const search *s, int *used, int *best)
{
  memset(used, 0, (size_t)s->count * sizeof *used);
  while (next(s, used)) keep_better(s, used, best);
}

/* Adds or removes one unit of a kind as long as that helps. */
static void descend(const search *s, int *used)
{
  for (bool better = true; better;) {
    better = false;
    for (int k = 0; k < s->count; k++)
      for (int step = -1; step <= 1; step += 2) {
        const double before = value(s, used);
        if (used[k] + step < 0 || used[k] + step > s->kinds[k].count) continue;
        used[k] += step;
        if (value(s, used) < before)
          better = true;
        else
          used[k] -= step;
      }
  }
}

/* All units that start before the others would finish: units with the latest start are removed first. */
static void find_fastest(const search *s, int *used)
{
  for (int k = 0; k < s->count; k++) used[k] = s->kinds[k].count;
  for (set x = sum(s, used); isinf(together(s, &x)) && x.units > 0; x = sum(s, used))
    for (int k = 0; k < s->count; k++)
      if (s->kinds[k].unit.start >= x.last) used[k] = 0;
}

static void find_best(const search *s, int *used, int *best)
{
  find_fastest(s, best);
  if (s->by == HG_BY_TIME) return;
  try_prefixes(s, used, best);
  if (s->by == HG_BY_ENERGY && !s->starts) return;
  if (number_of_sets(s) <= SETS_MAX) {
    try_all(s, used, best);
    return;
  }
  find_fastest(s, used);
  descend(s, used);
  descend(s, best);
  keep_better(s, used, best);
}

/* --- results --- */

double hg_energy_division_time(const hg_energy_division_unit *u, double w)
{
  return w > 0 ? u->start + w / u->speed : 0;
}

void hg_energy_division_cost(const hg_energy_division_machine *m, const double *w, double *seconds, double *joules)
{
  *seconds = *joules = 0;
  for (int i = 0; i < m->units; i++) *seconds = fmax(*seconds, hg_energy_division_time(&m->unit[i], w[i]));
  *joules = *seconds * m->base;
  for (int i = 0; i < m->units; i++) {
    const hg_energy_division_unit *u = &m->unit[i];
    const double busy = hg_energy_division_time(u, w[i]);
    *joules += w[i] > 0 ? busy * u->full + (*seconds - busy) * u->wait : *seconds * u->idle;
  }
}

/* Work of one unit of a kind. */
static double share(const search *s, const int *used, int k)
{
  const hg_energy_division_unit *u = &s->kinds[k].unit;
  const set x = sum(s, used);
  return x.late > 0 ? (together(s, &x) - u->start) * u->speed : s->work * u->speed / x.speed;
}

hg_status hg_energy_division_divide(const hg_energy_division_machine *m, double work, hg_criterion by, double *w)
{
  search s;
  hg_status status = begin(m, work, by, &s);
  int *used = status == HG_OK ? calloc(2 * (size_t)s.count, sizeof *used) : NULL;
  if (status == HG_OK && !used) status = hg_fail(HG_MEMORY, "no memory for %d kinds", s.count);
  if (status == HG_OK) {
    int *best = used + s.count;
    find_best(&s, used, best);
    for (int i = 0; i < m->units; i++) w[i] = 0;
    for (int k = 0; k < s.count; k++)
      for (int i = 0; i < best[k]; i++) w[s.order[s.kinds[k].first + i]] = share(&s, best, k);
  }
  free(used);
  end(&s);
  return status;
}

static int by_time(const void *a, const void *b)
{
  const hg_energy_division_point *x = a, *y = b;
  const int order = hg_compare(x->seconds, y->seconds);
  return order ? order : hg_compare(x->joules, y->joules);
}

static void add_point(const search *s, const int *used, hg_energy_division_point *list, int *count)
{
  const set x = sum(s, used);
  const double seconds = together(s, &x);
  if (isinf(seconds)) return;
  list[(*count)++] = (hg_energy_division_point){x.units, seconds, seconds * (s->rest + x.watts)};
}

static void add_points(const search *s, int *used, hg_energy_division_point *list, int *count)
{
  memset(used, 0, (size_t)s->count * sizeof *used);
  if (number_of_sets(s) <= SETS_MAX) {
    while (next(s, used)) add_point(s, used, list, count);
    return;
  }
  for (int k = 0; k < s->count; k++)
    for (int i = 0; i < s->kinds[k].count; i++) {
      used[k]++;
      add_point(s, used, list, count);
    }
}

hg_status hg_energy_division_front(const hg_energy_division_machine *m, double work, hg_energy_division_point **front,
                                   int *count)
{
  search s;
  hg_status status = begin(m, work, HG_BY_ENERGY, &s);
  const size_t most = SETS_MAX + (size_t)m->units;
  int *used = calloc((size_t)m->units + 1, sizeof *used), all = 0, kept = 0;
  hg_energy_division_point *list = malloc(most * sizeof *list);
  if (status == HG_OK && (!used || !list)) status = hg_fail(HG_MEMORY, "no memory for %zu sets", most);
  if (status == HG_OK) {
    add_points(&s, used, list, &all);
    qsort(list, (size_t)all, sizeof *list, by_time);
    for (int i = 0; i < all; i++) {
      if (kept > 0 && !hg_is_less(list[i].joules, list[kept - 1].joules)) continue;
      if (kept > 0 && !hg_is_less(list[kept - 1].seconds, list[i].seconds)) kept--;
      list[kept++] = list[i];
    }
  }
  free(used);
  end(&s);
  *front = status == HG_OK ? list : NULL;
  *count = kept;
  if (status != HG_OK) free(list);
  return status;
}

hg_status hg_energy_division_of_platform(const hg_platform *p, int nodes, hg_energy_division_unit *unit, double *base)
{
  *base = p->switch_watts;
  for (int n = 0, i = 0; n < nodes; n++) {
    *base += p->node[n].base;
    for (int k = 0; k < p->node[n].workers; k++, i++) {
      const hg_device *d = &p->device[p->node[n].device[k]];
      if (d->full <= 0) return hg_fail(HG_INVALID, "platform %s: device %s has no full=WATTS", p->name, d->name);
      unit[i] = (hg_energy_division_unit){.full = d->full, .wait = d->wait, .idle = d->idle};
    }
  }
  return HG_OK;
}
