/* SPDX-License-Identifier: MIT */
#include "placement/watch.h"

#include <math.h>
#include <stdlib.h>

enum { AGREE = 2, HOLD_MOST = 64 }; /* looks */

hg_status hg_watch_open(int workers, double grid, hg_watch *out)
{
  *out = (hg_watch){.workers = workers, .grid = grid};
  out->speed = calloc((size_t)workers, sizeof *out->speed);
  return out->speed ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d workers", workers);
}

void hg_watch_close(hg_watch *w)
{
  free(w->speed);
  w->speed = NULL;
}

static bool has_worked(const hg_watch_sample *s)
{
  return s->cells > 0 && s->busy > 0;
}

bool hg_watch_complete(const hg_watch *w, const hg_watch_sample *sample, const hg_watch_rule *rule)
{
  double shared = 0;
  for (int i = 0; i < w->workers; i++) {
    if (sample[i].share > 0 && (!has_worked(&sample[i]) || sample[i].busy < rule->least)) return false;
    shared += sample[i].share;
  }
  return shared > 0;
}

/* Seconds of a step: of the worker that takes longest for its share, and if shares followed the speeds. */
static void compare(const hg_watch *w, const hg_watch_sample *sample, double *now, double *balanced)
{
  double speed = 0;
  *now = 0;
  for (int i = 0; i < w->workers; i++) {
    if (!has_worked(&sample[i])) continue;
    const double own = sample[i].cells / sample[i].busy;
    *now = fmax(*now, sample[i].share / own);
    speed += own;
  }
  *balanced = w->grid / speed;
}

static double steps_of(const hg_watch *w, const hg_watch_sample *sample)
{
  double cells = 0;
  for (int i = 0; i < w->workers; i++) cells += sample[i].cells;
  return cells / w->grid;
}

/* Speed at the work that the worker's share is. */
static void learn(hg_watch *w, const hg_watch_sample *sample)
{
  for (int i = 0; i < w->workers; i++)
    if (has_worked(&sample[i]) && sample[i].share > 0)
      hg_partial_learn(&w->speed[i], sample[i].share, sample[i].share * sample[i].busy / sample[i].cells);
}

/* After a move that gained less than half of what it promised the next one has to wait longer. */
static void draw_lesson(hg_watch *w, double gain)
{
  if (w->promised <= 0) return;
  w->hold = gain > w->promised / 2 ? (w->hold < 1 ? 1 : 2 * w->hold) : w->hold / 2;
  if (w->hold > HOLD_MOST) w->hold = HOLD_MOST;
  w->promised = 0;
}

bool hg_watch_look(hg_watch *w, const hg_watch_sample *sample, const hg_watch_rule *rule)
{
  double now, balanced;
  compare(w, sample, &now, &balanced);
  learn(w, sample);
  const double gain = now - balanced, least = w->out_of_balance > 0 ? fmin(gain, w->gain) : gain;
  draw_lesson(w, gain);
  w->gain = gain;
  if (gain <= rule->tolerance * balanced) {
    w->out_of_balance = 0;
    w->lost = 0;
    return false;
  }
  w->out_of_balance++;
  w->lost += gain * steps_of(w, sample);
  if (w->held < w->hold) {
    w->held++;
    return false;
  }
  const bool pays = rule->cost <= 0 || (w->lost >= rule->cost / 2 && least * rule->steps_left > rule->cost);
  return w->out_of_balance >= AGREE && pays;
}

void hg_watch_moved(hg_watch *w)
{
  w->promised = w->gain;
  w->out_of_balance = w->held = 0;
  w->lost = 0;
}

/* Of the workers of a kind that did something; 0 if none did: cores beside GPUs are left alone. */
static double mean_of_kind(const hg_watch *w, const int *kind, const double *speed, int wanted)
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

void hg_watch_models(const hg_watch *w, const int *kind, double *speed, hg_speed_model *model)
{
  for (int i = 0; i < w->workers; i++) speed[i] = hg_partial_speed_at(&w->speed[i], w->grid / w->workers);
  for (int i = 0; i < w->workers; i++) {
    const bool known = w->speed[i].count > 0;
    if (!known) speed[i] = mean_of_kind(w, kind, speed, kind[i]);
    model[i] = known ? (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = &w->speed[i]}
                     : (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = speed[i]};
  }
}
