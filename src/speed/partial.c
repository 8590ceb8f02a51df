/* SPDX-License-Identifier: MIT */
/* Speed is interpolated, not time: T(w) = w / S(w). Between two points S(w) = a + b w, and T' = a / S^2, so T does not
 * decrease as long as the intercept a is not negative, that is, as long as the times of the two points do not
 * decrease. Example: 10 cells at 5 cells/s and 30 at 3 (2 s and 10 s): S(20) = 4, T(20) = 5 s, where linear
 * interpolation of time gives 6; T(5) = 1 s, T(60) = 20 s. After Lastovetsky and Reddy's partial functional models
 * (DFPA). */
#include "speed/partial.h"

#include <math.h>
#include <string.h>

#define NEAR .01    /* relative difference of w of the same point */
#define CHANGED .25 /* relative difference of speed that means a changed processor */

static double time_at(const hg_partial_point *p)
{
  return p->w / p->speed;
}

double hg_partial_speed_at(const hg_partial_speed *p, double w)
{
  int i = 0;
  if (p->count == 0) return 0;
  while (i < p->count && p->point[i].w < w) i++;
  if (i == 0) return p->point[0].speed;
  if (i == p->count) return p->point[i - 1].speed;
  const hg_partial_point *a = &p->point[i - 1], *b = &p->point[i];
  return a->speed + (b->speed - a->speed) * ((w - a->w) / (b->w - a->w));
}

double hg_partial_time(const hg_partial_speed *p, double w)
{
  return w > 0 ? w / hg_partial_speed_at(p, w) : 0;
}

/* The point for samples at w, or -1. */
static int point_near(const hg_partial_speed *p, double w)
{
  int nearest = -1;
  double off = NEAR * w;
  for (int i = 0; i < p->count; i++)
    if (fabs(p->point[i].w - w) <= off) nearest = i, off = fabs(p->point[i].w - w);
  return nearest;
}

static hg_partial_point mean(const hg_partial_point *a, const hg_partial_point *b)
{
  const int samples = a->samples + b->samples;
  const double share = (double)b->samples / samples;
  return (hg_partial_point){.w = a->w + share * (b->w - a->w),
                            .speed = a->speed + share * (b->speed - a->speed),
                            .samples = samples < HG_PARTIAL_SAMPLES ? samples : HG_PARTIAL_SAMPLES};
}

static void join(hg_partial_speed *p, int i, const hg_partial_point *sample)
{
  const double ratio = sample->speed / p->point[i].speed;
  if (fabs(ratio - 1) <= CHANGED) {
    p->point[i] = mean(&p->point[i], sample);
    return;
  }
  for (int j = 0; j < p->count; j++) p->point[j].speed *= ratio;
  p->point[i] = *sample;
}

static void take_out(hg_partial_speed *p, int i)
{
  p->count--;
  memmove(&p->point[i], &p->point[i + 1], (size_t)(p->count - i) * sizeof *p->point);
}

static void join_nearest_two(hg_partial_speed *p)
{
  int at = 0;
  for (int i = 1; i + 1 < p->count; i++)
    if (p->point[i + 1].w / p->point[i].w < p->point[at + 1].w / p->point[at].w) at = i;
  p->point[at] = mean(&p->point[at], &p->point[at + 1]);
  take_out(p, at + 1);
}

/* Returns the index of the new point. */
static int insert(hg_partial_speed *p, const hg_partial_point *sample)
{
  int i = 0;
  if (p->count == HG_PARTIAL_POINTS) join_nearest_two(p);
  while (i < p->count && p->point[i].w < sample->w) i++;
  memmove(&p->point[i + 1], &p->point[i], (size_t)(p->count - i) * sizeof *p->point);
  p->point[i] = *sample;
  p->count++;
  return i;
}

/* Times must not decrease with w: points that contradict point i take its time. */
static void believe(hg_partial_speed *p, int i)
{
  const double t = time_at(&p->point[i]);
  for (int j = 0; j < p->count; j++)
    if (j < i ? time_at(&p->point[j]) > t : time_at(&p->point[j]) < t) p->point[j].speed = p->point[j].w / t;
}

hg_status hg_partial_learn(hg_partial_speed *p, double w, double seconds)
{
  const hg_partial_point sample = {.w = w, .speed = w / seconds, .samples = 1};
  if (!(w > 0) || !isfinite(w) || !(seconds > 0) || !isfinite(seconds) || !(sample.speed > 0) ||
      !isfinite(sample.speed))
    return hg_fail(HG_INVALID, "%g cells in %g s, both must be > 0 and finite", w, seconds);
  int i = point_near(p, w);
  if (i >= 0)
    join(p, i, &sample);
  else
    i = insert(p, &sample);
  believe(p, i);
  return HG_OK;
}
