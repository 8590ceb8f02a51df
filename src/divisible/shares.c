/* SPDX-License-Identifier: MIT */
/* Example: speeds 2 : 1 and 9 items. 5 + 4 items take 2.5 s and 4 s; now the speeds are known, and 6 + 3 items take 3
 * s each: balanced after one step. */
#include "divisible/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "speed/fpm.h"

enum { PATIENCE = 2, DIVISIONS = 64 };

double hg_shares_imbalance(int parts, const int64_t *w, const double *seconds)
{
  double low = INFINITY, high = 0;
  for (int i = 0; i < parts; i++)
    if (w[i] > 0) low = fmin(low, seconds[i]), high = fmax(high, seconds[i]);
  return high > 0 ? (high - low) / high : 0;
}

static bool all_known(const hg_shares *s)
{
  bool known = true;
  for (int i = 0; i < s->parts; i++) known = known && s->speed[i].count > 0;
  return known;
}

/* Whether known part a is a better model than b for a part with this guessed rate: the closer rate, else the faster
 * part. */
static bool tells_more(const hg_shares *s, int a, int b, double rate)
{
  const double even = (double)s->items / s->parts, off = fabs(log(s->rate[a] / rate)) - fabs(log(s->rate[b] / rate));
  return off < 0 || (off <= 0 && hg_partial_speed_at(&s->speed[a], even) > hg_partial_speed_at(&s->speed[b], even));
}

/* A part of which nothing is known is assumed to be as fast as another one, scaled by the guesses for both, so that it
 * gets work if that may pay, and is soon known. */
static hg_partial_speed supposed_speed(const hg_shares *s, int part)
{
  hg_partial_speed speed = {0};
  int like = -1;
  for (int i = 0; i < s->parts; i++)
    if (s->speed[i].count > 0 && (like < 0 || tells_more(s, i, like, s->rate[part]))) like = i;
  if (like < 0) hg_partial_learn(&speed, 1, 1 / s->rate[part]);
  if (like >= 0) speed = s->speed[like];
  for (int k = 0; k < speed.count && like >= 0; k++) speed.point[k].speed *= s->rate[part] / s->rate[like];
  return speed;
}

/* Known or assumed models of all parts. */
typedef struct view {
  hg_speed_model *model;      /* [parts] */
  hg_partial_speed *supposed; /* [parts] */
} view;

static hg_status open_view(const hg_shares *s, view *v)
{
  v->model = calloc((size_t)s->parts, sizeof *v->model);
  v->supposed = calloc((size_t)s->parts, sizeof *v->supposed);
  if (!v->model || !v->supposed) return hg_fail(HG_MEMORY, "shares: no memory for %d devices", s->parts);
  for (int i = 0; i < s->parts; i++) {
    if (s->speed[i].count == 0) v->supposed[i] = supposed_speed(s, i);
    v->model[i] = (hg_speed_model){
        .kind = HG_SPEED_PARTIAL, .partial = s->speed[i].count ? &s->speed[i] : &v->supposed[i], .wait = s->start[i]};
  }
  return HG_OK;
}

static void close_view(view *v)
{
  free(v->model);
  free(v->supposed);
}

/* Seconds of a pass if no part had a cold start. */
static hg_status warm_pass(const hg_shares *s, view *v, double *seconds)
{
  int64_t w[s->parts];
  for (int i = 0; i < s->parts; i++) v->model[i].wait = 0;
  HG_TRY(hg_fpm(s->parts, v->model, NULL, s->items, w));
  *seconds = hg_makespan(s->parts, v->model, NULL, w);
  for (int i = 0; i < s->parts; i++) v->model[i].wait = s->start[i];
  return HG_OK;
}

/* Moves an item to a part that has none, from the part with the most. */
static void give_one(hg_shares *s, int part)
{
  int most = 0;
  for (int i = 1; i < s->parts; i++)
    if (s->w[i] > s->w[most]) most = i;
  if (s->w[most] < 1 || (s->w[most] < 2 && s->start[most] > 0)) return;
  s->w[most]--;
  s->w[part] = 1;
}

/* Gives one item to each part that has not processed any, if its cold start pays off in the passes to come. */
static hg_status warm_up(hg_shares *s, view *v)
{
  double warm, longest = 0;
  bool idle = false;
  for (int i = 0; i < s->parts; i++)
    if (s->start[i] > 0 && s->w[i] == 0) idle = true, longest = fmax(longest, hg_speed_time(&v->model[i], 1, 0));
  if (!idle) return HG_OK;
  HG_TRY(warm_pass(s, v, &warm));
  const double now = hg_makespan(s->parts, v->model, NULL, s->w), gain = now - warm;
  if (!(gain > s->gain * now) || (s->left > 0 && (s->left - 1) * gain <= longest - now)) return HG_OK;
  for (int i = 0; i < s->parts; i++)
    if (s->start[i] > 0 && s->w[i] == 0) give_one(s, i);
  return HG_OK;
}

/* Predicts the time of the shares by the models; with `found`, first finds better shares. */
static hg_status promise(hg_shares *s, bool found)
{
  view v = {NULL, NULL};
  hg_status status = open_view(s, &v);
  if (status == HG_OK && found) status = hg_fpm(s->parts, v.model, NULL, s->items, s->w);
  if (status == HG_OK && found) status = warm_up(s, &v);
  if (status == HG_OK) s->promised = hg_makespan(s->parts, v.model, NULL, s->w);
  close_view(&v);
  return status;
}

static bool any_known(const hg_shares *s)
{
  for (int i = 0; i < s->parts; i++)
    if (s->speed[i].count > 0) return true;
  return false;
}

static hg_status first_division(hg_shares *s)
{
  const hg_status status = promise(s, true);
  if (!any_known(s)) s->promised = 0;
  return status;
}

static hg_status allocate(hg_shares *s)
{
  const size_t parts = (size_t)s->parts;
  HG_TRY(hg_allocate("shares", parts * sizeof *s->speed, (void **)&s->speed));
  HG_TRY(hg_allocate("shares", parts * sizeof *s->rate, (void **)&s->rate));
  for (size_t i = 0; i < parts; i++) s->rate[i] = 1;
  HG_TRY(hg_allocate("shares", parts * sizeof *s->start, (void **)&s->start));
  HG_TRY(hg_allocate("shares", parts * sizeof *s->w, (void **)&s->w));
  HG_TRY(hg_allocate("shares", parts * sizeof *s->best, (void **)&s->best));
  return hg_allocate("shares", parts * DIVISIONS * sizeof *s->done, (void **)&s->done);
}

hg_status hg_shares_begin(int parts, int64_t items, double epsilon, const hg_partial_speed *speed, hg_shares *out)
{
  *out = (hg_shares){.parts = parts, .items = items, .epsilon = epsilon, .gain = .01, .shortest = INFINITY};
  if (parts < 1 || items < 0)
    return hg_fail(HG_INVALID, "%lld items for %d devices, must be >= 0 for >= 1", (long long)items, parts);
  if (!(epsilon > 0 && epsilon < 1)) return hg_fail(HG_INVALID, "epsilon is %g, must be between 0 and 1", epsilon);
  hg_status status = allocate(out);
  if (status == HG_OK && speed) memcpy(out->speed, speed, (size_t)parts * sizeof *speed);
  if (status == HG_OK) status = first_division(out);
  if (status != HG_OK) hg_shares_end(out);
  return status;
}

void hg_shares_end(hg_shares *s)
{
  free(s->speed);
  free(s->rate);
  free(s->start);
  free(s->w);
  free(s->best);
  free(s->done);
  *s = (hg_shares){0};
}

static void restart(hg_shares *s)
{
  s->state = HG_SHARES_LEARNING;
  s->shortest = INFINITY;
  s->tried = s->out_of_balance = 0;
}

hg_status hg_shares_renew(hg_shares *s)
{
  restart(s);
  return first_division(s);
}

hg_status hg_shares_set_items(hg_shares *s, int64_t items)
{
  if (items < 0) return hg_fail(HG_INVALID, "%lld items, must be >= 0", (long long)items);
  if (items == s->items) return HG_OK;
  s->items = items;
  return hg_shares_renew(s);
}

static bool done_before(const hg_shares *s, const int64_t *w)
{
  const size_t parts = (size_t)s->parts;
  for (int k = 0; k < s->tried; k++)
    if (memcmp(s->done + (size_t)k * parts, w, parts * sizeof *w) == 0) return true;
  return false;
}

static void note(hg_shares *s, double longest)
{
  const size_t bytes = (size_t)s->parts * sizeof *s->w;
  if (s->tried == DIVISIONS) s->tried = 0; /* a later pass may repeat a forgotten division */
  memcpy(s->done + (size_t)(s->tried++ * s->parts), s->w, bytes);
  if (longest > s->shortest) return;
  s->shortest = longest;
  memcpy(s->best, s->w, bytes);
}

static hg_status keep(hg_shares *s, const int64_t *w, hg_shares_state why)
{
  s->state = why;
  memmove(s->w, w, (size_t)s->parts * sizeof *s->w);
  return promise(s, false);
}

bool hg_shares_start_cold(const hg_shares *s)
{
  bool cold = false;
  for (int i = 0; i < s->parts; i++) cold = cold || (s->start[i] > 0 && s->w[i] > 0);
  return cold;
}

/* Decides the next division, or stops. */
static hg_status go_on(hg_shares *s)
{
  const int64_t *now = s->done + (size_t)((s->tried - 1) * s->parts);
  HG_TRY(promise(s, true));
  if (hg_shares_start_cold(s)) return HG_OK;
  if (s->imbalance <= s->epsilon) return keep(s, now, HG_SHARES_BALANCED);
  if (done_before(s, s->w)) return keep(s, s->best, HG_SHARES_REPEATED);
  if (all_known(s) && s->promised > (1 - s->gain) * s->shortest) return keep(s, s->best, HG_SHARES_SETTLED);
  return HG_OK;
}

/* Whether a balanced division no longer is: for PATIENCE passes in a row it took longer than before by more than
 * epsilon. */
static bool has_changed(hg_shares *s, double longest)
{
  const bool worse =
      longest * (1 - s->epsilon) > s->shortest || (s->state == HG_SHARES_BALANCED && s->imbalance > s->epsilon);
  s->out_of_balance = worse ? s->out_of_balance + 1 : 0;
  return s->out_of_balance >= PATIENCE;
}

static hg_status learn_part(hg_shares *s, int i, double seconds)
{
  if (s->model) return s->model(s->arg, i, s->w[i], seconds, &s->speed[i]);
  if (s->start[i] > 0) return HG_OK;
  return hg_partial_learn(&s->speed[i], (double)s->w[i], seconds);
}

hg_status hg_shares_learn(hg_shares *s, const double *seconds)
{
  const bool cold = hg_shares_start_cold(s);
  double longest = 0;
  for (int i = 0; i < s->parts; i++)
    if (s->w[i] > 0) {
      HG_TRY(learn_part(s, i, seconds[i]));
      longest = fmax(longest, seconds[i]);
      s->start[i] = 0;
    }
  s->passes++;
  if (s->left > 0) s->left--;
  s->imbalance = hg_shares_imbalance(s->parts, s->w, seconds);
  if (cold) return promise(s, true);
  if (s->state != HG_SHARES_LEARNING) {
    if (!has_changed(s, longest)) return promise(s, false);
    restart(s);
  }
  note(s, longest);
  return go_on(s);
}

const char *hg_shares_state_name(hg_shares_state state)
{
  static const char *const name[] = {"learning", "balanced", "repeated", "settled"};
  return name[state];
}
