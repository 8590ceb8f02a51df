/* SPDX-License-Identifier: MIT */
/* The largest work that a processor finishes within T, W_i(T), does not fall with T. The least T with sum W_i(T) >= n
 * is the optimal makespan; it is found by bisection, each W_i by bisection over the whole numbers. (Lastovetsky and
 * Reddy bisect the slope of a line through the origin of the (w, S) plane, which is 1/T.) Example: T_1 = w, T_2 = 2 w,
 * n = 9: T = 6 gives 6 + 3. */
#include "model/fpm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most cells that take at most T seconds, of at most n. */
static int64_t work_within(const hg_speed_model *m, double c, double t, int64_t n)
{
  int64_t lo = 0, hi = n;
  while (lo < hi) {
    int64_t mid = lo + (hi - lo + 1) / 2;
    if (hg_speed_time(m, (double)mid, c) <= t)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

static int64_t total_within(int parts, const hg_speed_model *m, const double *c, double t, int64_t n, int64_t *w)
{
  int64_t sum = 0;
  for (int i = 0; i < parts; i++) {
    w[i] = work_within(&m[i], c ? c[i] : 0, t, n);
    sum = sum > n ? sum : sum + w[i]; /* enough is enough; keeps the sum from overflowing */
  }
  return sum;
}

hg_status hg_fpm(int parts, const hg_speed_model *m, const double *c, int64_t n, int64_t *w)
{
  if (parts < 1 || n < 0) return hg_fail(HG_INVALID, "fpm: %lld cells for %d processors", (long long)n, parts);
  int64_t *less = malloc((size_t)parts * sizeof *less);
  if (!less) return hg_fail(HG_MEMORY, "fpm: no memory for %d processors", parts);
  double lo = 0, hi = INFINITY;
  for (int i = 0; i < parts; i++) hi = fmin(hi, hg_speed_time(&m[i], (double)n, c ? c[i] : 0));
  for (int step = 0; step < 200 && hi - lo > 1e-15 * hi; step++) {
    double mid = lo + (hi - lo) / 2;
    if (total_within(parts, m, c, mid, n, w) >= n)
      hi = mid;
    else
      lo = mid;
  }
  total_within(parts, m, c, lo, n, less);
  total_within(parts, m, c, hi, n, w);
  int64_t surplus = -n;
  for (int i = 0; i < parts; i++) surplus += w[i];
  for (int i = parts - 1; i >= 0 && surplus > 0; i--) { /* what the last bisection step gave beyond n */
    int64_t back = w[i] - less[i] < surplus ? w[i] - less[i] : surplus;
    w[i] -= back;
    surplus -= back;
  }
  free(less);
  return HG_OK;
}

double hg_makespan(int parts, const hg_speed_model *m, const double *c, const int64_t *w)
{
  double largest = 0;
  for (int i = 0; i < parts; i++) largest = fmax(largest, hg_speed_time(&m[i], (double)w[i], c ? c[i] : 0));
  return largest;
}

/* --- DFPA -------------------------------------------------------------------------------------------------------- */

/* Adds a measured point to a partial speed function; the same w measured again replaces it. Times are kept rising with
 * w. */
static void learn(hg_speed_table *t, double w, double seconds)
{
  int i = 0;
  while (i < t->nw && t->w[i] < w) i++;
  if (!(i < t->nw && t->w[i] == w)) {
    memmove(t->w + i + 1, t->w + i, (size_t)(t->nw - i) * sizeof *t->w);
    memmove(t->time + i + 1, t->time + i, (size_t)(t->nw - i) * sizeof *t->time);
    t->nw++;
  }
  t->w[i] = w;
  t->time[i] = seconds;
  for (int j = i + 1; j < t->nw; j++) t->time[j] = fmax(t->time[j], t->time[j - 1]);
  for (int j = i - 1; j >= 0; j--) t->time[j] = fmin(t->time[j], t->time[j + 1]);
}

/* A single point is prolonged at its speed: hg_speed_time is proportional then. */
static double gap_of(int parts, const int64_t *w, const double *seconds)
{
  double low = INFINITY, high = 0;
  for (int i = 0; i < parts; i++)
    if (w[i] > 0) low = fmin(low, seconds[i]), high = fmax(high, seconds[i]);
  return low > 0 && isfinite(low) ? (high - low) / low : INFINITY;
}

typedef struct dfpa {
  hg_speed_model *model;
  double *seconds;
  int64_t *best;
} dfpa;

static hg_status iterate(const dfpa *d, int parts, int64_t n, double epsilon, int most, hg_step_fn *measure, void *arg,
                         int64_t *w, hg_dfpa_result *result)
{
  double shortest = INFINITY;
  for (int i = 0; i < parts; i++) w[i] = n / parts + (i < n % parts);
  for (result->iterations = 0; result->iterations < most;) {
    double longest = 0;
    HG_TRY(measure(arg, w, d->seconds));
    result->iterations++;
    for (int i = 0; i < parts; i++) {
      if (w[i] > 0) learn(&d->model[i].table, (double)w[i], d->seconds[i]);
      if (w[i] > 0) longest = fmax(longest, d->seconds[i]);
    }
    double gap = gap_of(parts, w, d->seconds);
    if (longest < shortest || gap <= epsilon) {
      shortest = longest;
      result->gap = gap;
      memcpy(d->best, w, (size_t)parts * sizeof *w);
    }
    if (gap <= epsilon) break;
    HG_TRY(hg_fpm(parts, d->model, NULL, n, w));
  }
  memcpy(w, d->best, (size_t)parts * sizeof *w);
  return HG_OK;
}

hg_status hg_dfpa(int parts, int64_t n, double epsilon, int most, hg_step_fn *measure, void *arg, int64_t *w,
                  hg_dfpa_result *result)
{
  if (parts < 1 || n < parts || most < 1)
    return hg_fail(HG_INVALID, "dfpa: %lld cells for %d processors in %d steps", (long long)n, parts, most);
  dfpa d = {.model = calloc((size_t)parts, sizeof *d.model),
            .seconds = calloc((size_t)parts, sizeof *d.seconds),
            .best = calloc((size_t)parts, sizeof *d.best)};
  hg_status status =
      d.model && d.seconds && d.best ? HG_OK : hg_fail(HG_MEMORY, "dfpa: no memory for %d processors", parts);
  for (int i = 0; i < parts && status == HG_OK; i++) {
    d.model[i].kind = HG_SPEED_TABLE;
    status = hg_speed_table_make(most + 1, 1, &d.model[i].table);
    d.model[i].table.nw = 0;
  }
  if (status == HG_OK) status = iterate(&d, parts, n, epsilon, most, measure, arg, w, result);
  for (int i = 0; i < parts && d.model; i++) hg_speed_table_free(&d.model[i].table);
  free(d.model);
  free(d.seconds);
  free(d.best);
  return status;
}
