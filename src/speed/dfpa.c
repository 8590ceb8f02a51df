/* SPDX-License-Identifier: MIT */
/* Dynamic functional partitioning: divide evenly or as given, measure, learn a partial speed function of each
 * processor, divide by these, and repeat until the times agree, a division recurs (whole cells may not allow a better
 * one), or the steps are used up. Example: speeds 2 : 1 and 9 cells: 5 + 4 is measured as 2.5 s and 4 s, then 6 + 3 as
 * 3 s and 3 s. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "speed/fpm.h"

typedef struct dfpa {
  int parts;
  hg_speed_model *model; /* [parts] of kind HG_SPEED_PARTIAL, */
  hg_partial_speed *partial;
  double *seconds;
  int64_t *done; /* [steps][parts] measured divisions */
} dfpa;

static double gap_of(const dfpa *d, const int64_t *w)
{
  double low = INFINITY, high = 0;
  for (int i = 0; i < d->parts; i++)
    if (w[i] > 0) low = fmin(low, d->seconds[i]), high = fmax(high, d->seconds[i]);
  return low > 0 && isfinite(low) ? (high - low) / low : INFINITY;
}

/* Learns from a measured step; *longest is its time. */
static hg_status learn(const dfpa *d, const int64_t *w, double *longest)
{
  *longest = 0;
  for (int i = 0; i < d->parts; i++)
    if (w[i] > 0) {
      HG_TRY(hg_partial_learn(&d->partial[i], (double)w[i], d->seconds[i]));
      *longest = fmax(*longest, d->seconds[i]);
    }
  return HG_OK;
}

static bool done_before(const dfpa *d, int steps, const int64_t *w)
{
  const size_t parts = (size_t)d->parts;
  for (int k = 0; k < steps; k++)
    if (memcmp(d->done + (size_t)k * parts, w, parts * sizeof *w) == 0) return true;
  return false;
}

static hg_status iterate(const dfpa *d, int64_t n, const int64_t *first, double epsilon, int most, hg_step_fn *measure,
                         void *arg, int64_t *w, hg_dfpa_result *result)
{
  const size_t parts = (size_t)d->parts;
  double shortest = INFINITY;
  int best = 0, step = 0;
  for (int i = 0; i < d->parts; i++) w[i] = first ? first[i] : n / d->parts + (i < n % d->parts);
  for (bool going = true; going;) {
    double longest;
    HG_TRY(measure(arg, w, d->seconds));
    HG_TRY(learn(d, w, &longest));
    const double gap = gap_of(d, w);
    memcpy(d->done + (size_t)step * parts, w, parts * sizeof *w);
    if (longest < shortest || gap <= epsilon) shortest = longest, best = step, result->gap = gap;
    step++;
    going = gap > epsilon && step < most;
    if (going) HG_TRY(hg_fpm(d->parts, d->model, NULL, n, w));
    going = going && !done_before(d, step, w);
  }
  memcpy(w, d->done + (size_t)best * parts, parts * sizeof *w);
  result->iterations = step;
  return HG_OK;
}

hg_status hg_dfpa(int parts, int64_t n, const int64_t *first, double epsilon, int most, hg_step_fn *measure, void *arg,
                  int64_t *w, hg_dfpa_result *result)
{
  if (parts < 1 || n < parts || most < 1)
    return hg_fail(HG_INVALID,
                   "dfpa: %lld cells for %d processors in %d steps, must be >= 1 cell per processor, and >= 1 step",
                   (long long)n, parts, most);
  const size_t count = (size_t)parts;
  dfpa d = {.parts = parts,
            .model = calloc(count, sizeof *d.model),
            .partial = calloc(count, sizeof *d.partial),
            .seconds = calloc(count, sizeof *d.seconds),
            .done = calloc((size_t)most * count, sizeof *d.done)};
  hg_status status = d.model && d.partial && d.seconds && d.done
                         ? HG_OK
                         : hg_fail(HG_MEMORY, "dfpa: no memory for %d processors in %d steps", parts, most);
  for (int i = 0; i < parts && status == HG_OK; i++)
    d.model[i] = (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = &d.partial[i]};
  if (status == HG_OK) status = iterate(&d, n, first, epsilon, most, measure, arg, w, result);
  free(d.model);
  free(d.partial);
  free(d.seconds);
  free(d.done);
  return status;
}
