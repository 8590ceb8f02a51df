/* SPDX-License-Identifier: MIT */
/* W_i(T), the largest work that processor i finishes within T, does not decrease with T. The least T with sum W_i(T)
 * >= n is the optimal makespan; it is found by bisection, and each W_i by bisection over whole numbers. (Lastovetsky
 * and Reddy bisect the slope of a line through the origin of the (w, S) plane, which is 1/T.) Example: T_1 = w, T_2 =
 * 2 w, n = 9: T = 6 gives 6 + 3. */
#include "speed/fpm.h"

#include <math.h>
#include <stdlib.h>

/* Where the time is linear, the answer is known up to rounding: narrows lo and hi around it if it lies between
 * them. */
static void bracket(const hg_speed_model *m, double c, double t, int64_t *lo, int64_t *hi)
{
  if (m->kind != HG_SPEED_SATURATING || *hi < 4) return;
  const double one = hg_speed_time(m, 1, c), guess = 1 + (t - one) * m->smax;
  if (!(guess >= 1) || guess >= (double)*hi) return;
  const int64_t least = (int64_t)guess - 1, most = (int64_t)guess + 1;
  if (hg_speed_time(m, (double)least, c) <= t) *lo = least;
  if (most <= *hi && hg_speed_time(m, (double)most, c) > t) *hi = most - 1;
}

/* Largest number of cells, up to n, that take at most T seconds. */
static int64_t work_within(const hg_speed_model *m, double c, double t, int64_t n)
{
  int64_t lo = 0, hi = n;
  bracket(m, c, t, &lo, &hi);
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
    sum = sum > n ? sum : sum + w[i]; /* stops at n, which also prevents overflow */
  }
  return sum;
}

/* Measured times may decrease by rounding as work grows, and bisection then ends below n: assigns the missing cells
 * where they cost least. */
static void add_missing(int parts, const hg_speed_model *m, const double *c, int64_t missing, int64_t *w)
{
  int at = 0;
  double least = INFINITY;
  for (int i = 0; i < parts; i++) {
    const double t = hg_speed_time(&m[i], (double)(w[i] + missing), c ? c[i] : 0);
    if (t < least) least = t, at = i;
  }
  w[at] += missing;
}

hg_status hg_fpm(int parts, const hg_speed_model *m, const double *c, int64_t n, int64_t *w)
{
  if (parts < 1 || n < 0)
    return hg_fail(HG_INVALID, "fpm: %lld cells for %d processors, must be >= 0 for >= 1", (long long)n, parts);
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
  for (int i = parts - 1; i >= 0 && surplus > 0; i--) { /* cells beyond n from the last step of the bisection */
    int64_t back = w[i] - less[i] < surplus ? w[i] - less[i] : surplus;
    w[i] -= back;
    surplus -= back;
  }
  if (surplus < 0) add_missing(parts, m, c, -surplus, w);
  free(less);
  return HG_OK;
}

double hg_makespan(int parts, const hg_speed_model *m, const double *c, const int64_t *w)
{
  double largest = 0;
  for (int i = 0; i < parts; i++) largest = fmax(largest, hg_speed_time(&m[i], (double)w[i], c ? c[i] : 0));
  return largest;
}
