/* SPDX-License-Identifier: MIT */
#include "division/rebalance_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AGREE = 2, HYSTERESIS_MOST = HG_MONITOR_CHECKS }; /* checks */

/* Relative change of a speed: the worker counts as a different one. Of a step's time and a move's cost: accepted after
 * one check. */
#define CHANGED .25
#define GLARING .25
#define WORTH 10

hg_status hg_monitor_open(int workers, double grid, hg_monitor *out)
{
  const size_t n = (size_t)workers;
  *out = (hg_monitor){.workers = workers, .grid = grid, .hysteresis = AGREE};
  out->speed = calloc(n, sizeof *out->speed);
  out->numbers = calloc(2 * n * (HG_MONITOR_CHECKS + 1), sizeof *out->numbers);
  if (!out->speed || !out->numbers) return hg_fail(HG_MEMORY, "no memory for %d workers", workers);
  double *next = out->numbers;
  for (int l = 0; l < HG_MONITOR_CHECKS; l++, next += 2 * n) out->past[l] = (hg_monitor_past){0, 0, next, next + n};
  out->share = next;
  out->divided = next + n;
  return HG_OK;
}

void hg_monitor_close(hg_monitor *w)
{
  free(w->speed);
  free(w->numbers);
  *w = (hg_monitor){0};
}

static bool has_worked(const hg_monitor_sample *s)
{
  return s->cells > 0 && s->busy > 0;
}

/* Mean speed of a worker over the last `checks` checks; 0 if it did nothing. */
static double mean_speed(const hg_monitor *w, int worker, int checks)
{
  double cells = 0, busy = 0;
  for (int l = w->checks - checks; l < w->checks; l++) {
    cells += w->past[l].cells[worker];
    busy += w->past[l].busy[worker];
  }
  return busy > 0 ? cells / busy : 0;
}

static bool is_known(const hg_monitor *w, int worker)
{
  return w->speed[worker].count > 0 || mean_speed(w, worker, w->checks) > 0;
}

/* A worker whose tiles the policy gave to others does little or nothing, while others continue. */
bool hg_monitor_complete(const hg_monitor *w, const hg_monitor_sample *sample, const hg_monitor_rule *rule)
{
  const double TIMES = 8, LONG = .4; /* s */
  double shared = 0, longest = 0;
  for (int i = 0; i < w->workers; i++) longest = fmax(longest, sample[i].busy);
  const bool given = longest > fmax(TIMES * rule->least, LONG);
  for (int i = 0; i < w->workers; i++) {
    const bool worked = has_worked(&sample[i]), enough = worked && sample[i].busy >= rule->least;
    if (sample[i].share > 0 && !enough && !(given && (worked || is_known(w, i)))) return false;
    shared += sample[i].share;
  }
  return shared > 0;
}

/* Makes room for the newest check by dropping the oldest. */
static hg_monitor_past *room(hg_monitor *w)
{
  if (w->checks == HG_MONITOR_CHECKS) {
    const hg_monitor_past oldest = w->past[0];
    memmove(&w->past[0], &w->past[1], (HG_MONITOR_CHECKS - 1) * sizeof *w->past);
    w->past[--w->checks] = oldest;
  }
  return &w->past[w->checks++];
}

/* Seconds that the steps of a check take with these shares. */
static double time_of(const hg_monitor *w, const hg_monitor_past *p, const double *share)
{
  double longest = 0;
  for (int i = 0; i < w->workers; i++)
    if (p->busy[i] > 0) longest = fmax(longest, share[i] * p->busy[i] / p->cells[i]);
  return p->steps * longest;
}

/* If others did a worker's share, all shares are set to the work done. */
static void set_shares(hg_monitor *w, const hg_monitor_sample *sample, double cells)
{
  bool given = false;
  for (int i = 0; i < w->workers; i++) given = given || (sample[i].share > 0 && !has_worked(&sample[i]));
  for (int i = 0; i < w->workers; i++)
    w->share[i] = given ? w->grid * w->past[w->checks - 1].cells[i] / cells : sample[i].share;
}

static void keep(hg_monitor *w, const hg_monitor_sample *sample)
{
  double cells = 0;
  hg_monitor_past *p = room(w);
  for (int i = 0; i < w->workers; i++) {
    const bool worked = has_worked(&sample[i]);
    p->cells[i] = worked ? sample[i].cells : 0;
    p->busy[i] = worked ? sample[i].busy : 0;
    cells += p->cells[i];
  }
  set_shares(w, sample, cells);
  p->steps = cells / w->grid;
  p->took = time_of(w, p, w->share);
  w->step = p->took / p->steps;
}

/* Mean speed over the last `checks` checks, or when the worker last worked. */
static double last_speed(const hg_monitor *w, int worker, int checks)
{
  double speed = mean_speed(w, worker, checks);
  if (speed == 0) speed = mean_speed(w, worker, w->checks);
  return speed > 0 ? speed : hg_partial_speed_at(&w->speed[worker], w->grid / w->workers);
}

/* The division by the mean speeds of the last `checks` checks. */
static void divide(hg_monitor *w, int checks)
{
  double all = 0;
  for (int i = 0; i < w->workers; i++) all += w->divided[i] = last_speed(w, i, checks);
  for (int i = 0; i < w->workers; i++) w->divided[i] *= w->grid / all;
}

/* Time that the division by the last `checks` checks would have saved in them, if it makes a move worth it; else 0. */
static double saved(hg_monitor *w, int checks, const hg_monitor_rule *rule)
{
  double gain = 0, best = 0, balanced = 0, steps = 0;
  divide(w, checks);
  for (const hg_monitor_past *p = &w->past[w->checks - checks]; p < &w->past[w->checks]; p++) {
    const double divided = time_of(w, p, w->divided), less = p->took - divided;
    best = fmax(best, less);
    gain += less;
    balanced += divided;
    steps += p->steps;
  }
  const bool pays = gain - best > rule->cost && gain / steps * rule->steps_left > rule->cost;
  return pays && gain > rule->tolerance * balanced ? gain : 0;
}

/* Whether the very first check shows so large an imbalance that waiting for a second one would only cost time. */
static bool is_glaring(hg_monitor *w, const hg_monitor_rule *rule)
{
  const hg_monitor_past *p = &w->past[0];
  if (w->checked) return false;
  divide(w, 1);
  const double divided = time_of(w, p, w->divided), gain = p->took - divided;
  return gain > GLARING * divided && gain / p->steps * rule->steps_left > WORTH * rule->cost;
}

/* Learns the speed at the worker's share, or at its future share if it has none. */
static void learn(hg_monitor *w, int checks)
{
  divide(w, checks);
  for (int i = 0; i < w->workers; i++) {
    const double share = w->share[i] > 0 ? w->share[i] : w->divided[i], speed = last_speed(w, i, checks),
                 known = hg_partial_speed_at(&w->speed[i], share);
    if (!(share > 0 && speed > 0)) continue;
    if (known > 0 && fabs(speed / known - 1) > CHANGED) w->speed[i].count = 0;
    hg_partial_learn(&w->speed[i], share, share / speed);
  }
}

/* The next longer period: twice as many checks, finally all. */
static int longer(const hg_monitor *w, int checks)
{
  return checks < w->checks && 2 * checks > w->checks ? w->checks : 2 * checks;
}

bool hg_monitor_check(hg_monitor *w, const hg_monitor_sample *sample, const hg_monitor_rule *rule)
{
  int at = 0;
  double most = 0;
  keep(w, sample);
  for (int checks = w->hysteresis; checks <= w->checks; checks = longer(w, checks)) {
    const double gain = saved(w, checks, rule);
    if (gain > most) most = gain, at = checks;
  }
  if (is_glaring(w, rule)) at = 1;
  w->checked = true;
  if (at > 0) learn(w, at);
  return at > 0;
}

/* If speeds call for a division that the grid does not allow, repeated attempts would only cost time. */
void hg_monitor_moved(hg_monitor *w, bool changed)
{
  w->checks = 0;
  w->hysteresis = changed ? AGREE : w->hysteresis < HYSTERESIS_MOST ? 2 * w->hysteresis : HYSTERESIS_MOST;
}

/* Mean speed of the workers of a kind that did something; 0 if none did, as with cores beside GPUs. */
static double mean_of_kind(const hg_monitor *w, const int *kind, const double *speed, int wanted)
{
  double sum = 0;
  int count = 0;
  for (int i = 0; i < w->workers; i++)
    if (kind[i] == wanted && w->speed[i].count > 0) {
      sum += speed[i];
      count++;
    }
  return count > 0 ? sum / count : 0;
}

void hg_monitor_models(const hg_monitor *w, const int *kind, double *speed, hg_speed_model *model)
{
  for (int i = 0; i < w->workers; i++) speed[i] = hg_partial_speed_at(&w->speed[i], w->grid / w->workers);
  for (int i = 0; i < w->workers; i++) {
    const bool known = w->speed[i].count > 0;
    if (!known) speed[i] = mean_of_kind(w, kind, speed, kind[i]);
    model[i] = known ? (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = &w->speed[i]}
                     : (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = speed[i]};
  }
}
