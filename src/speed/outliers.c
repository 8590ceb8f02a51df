/* SPDX-License-Identifier: MIT */
/* Times that are robust against disturbances: the shortest half of the runs, and times that rise with work. Example:
 * runs of 3, 21, 3.02, 2.99 and 7 s: three of five lie within 2.99 .. 3.02, so the work takes 3 s. Example of pooling:
 * 1, 3, 2, 4 s with equal weights become 1, 2.5, 2.5, 4. */
#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "speed/measure.h"

#define AGREE .04 /* relative width of the interval of agreeing runs */

hg_timing hg_timing_scale(hg_timing m, double factor)
{
  m.seconds *= factor;
  m.low *= factor;
  m.high *= factor;
  return m;
}

/* The narrowest interval with more than half of the sorted times. */
static hg_timing shortest_half(int count, const double *time)
{
  const int half = count / 2 + 1;
  int at = 0;
  for (int i = 1; i + half <= count; i++)
    if (time[i + half - 1] - time[i] < time[at + half - 1] - time[at]) at = i;
  const double middle = (time[at + (half - 1) / 2] + time[at + half / 2]) / 2;
  hg_timing m = {.seconds = middle, .low = time[at], .high = time[at + half - 1]};
  m.agreed = m.high - m.low <= AGREE * m.seconds;
  return m;
}

hg_status hg_measure_runs(hg_run_fn *run, void *arg, hg_timing *out)
{
  enum { FEWEST_LONG = 3, FEWEST = 5, MOST = 15 };
  const double is_long = .3, too_long = 1;
  double time[MOST], sum = 0;
  *out = (hg_timing){0};
  for (int count = 0; count < MOST && !out->agreed && (count < FEWEST || sum < too_long);) {
    HG_TRY(run(arg, &time[count]));
    if (!(time[count] > 0) || !isfinite(time[count]))
      return hg_fail(HG_RUNTIME, "a run took %g s, must be > 0", time[count]);
    sum += time[count++];
    qsort(time, (size_t)count, sizeof *time, hg_by_value);
    if (count >= (sum < is_long ? FEWEST : FEWEST_LONG)) *out = shortest_half(count, time);
  }
  return HG_OK;
}

int hg_pool_adjacent_violators(int n, const double *weight, double *time)
{
  struct {
    double mean, weight;
    int first;
  } block[n];
  int blocks = 0, moved = 0;
  for (int i = 0; i < n; i++) {
    block[blocks].mean = time[i];
    block[blocks].weight = weight[i];
    block[blocks++].first = i;
    for (; blocks > 1 && block[blocks - 2].mean > block[blocks - 1].mean; blocks--) {
      const double sum = block[blocks - 2].weight + block[blocks - 1].weight;
      block[blocks - 2].mean += (block[blocks - 1].mean - block[blocks - 2].mean) * (block[blocks - 1].weight / sum);
      block[blocks - 2].weight = sum;
    }
  }
  for (int b = 0; b < blocks; b++) {
    const int end = b + 1 < blocks ? block[b + 1].first : n;
    moved += end - block[b].first > 1 ? end - block[b].first : 0;
    for (int i = block[b].first; i < end; i++) time[i] = block[b].mean;
  }
  return moved;
}
