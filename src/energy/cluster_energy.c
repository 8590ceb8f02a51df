/* SPDX-License-Identifier: MIT */
#include "energy/cluster_energy.h"

#include <math.h>
#include <stdlib.h>

const char *const hg_criterion_names[] = {"time", "energy", "edp", "ed2p", NULL};

static hg_status need(bool good, const char *what, double value, const char *bound)
{
  return good ? HG_OK : hg_fail(HG_INVALID, "%s is %.9g, must be %s", what, value, bound);
}

static hg_status positive(const char *what, double value)
{
  return need(value > 0 && isfinite(value), what, value, "> 0");
}

static hg_status not_negative(const char *what, double value)
{
  return need(value >= 0 && isfinite(value), what, value, ">= 0");
}

/* --- runs that scale --- */

bool hg_is_scalable(double sigma)
{
  return sigma >= 0 && sigma <= 1;
}

hg_status hg_threshold(double gain1, double sigma_a, double sigma_b, double *nodes)
{
  HG_TRY(positive("the gain on one node", gain1));
  HG_TRY(need(isfinite(sigma_a), "sigma_A", sigma_a, "finite"));
  HG_TRY(need(isfinite(sigma_b), "sigma_B", sigma_b, "finite"));
  *nodes = sigma_a == sigma_b ? NAN : pow(gain1, -1 / (sigma_a - sigma_b));
  if (*nodes < 1) *nodes = NAN;
  return HG_OK;
}

int hg_configuration(double speedup, double gain)
{
  if (speedup > 1 && gain > 1) return 1;
  return speedup < 1 && gain < 1 ? 3 : 2;
}

static hg_status check_points(int count, const double *nodes, const double *value)
{
  bool different = false;
  for (int i = 0; i < count; i++) {
    HG_TRY(need(nodes[i] >= 1 && isfinite(nodes[i]), "N of a point", nodes[i], ">= 1"));
    HG_TRY(positive("the value of a point", value[i]));
    different |= nodes[i] != nodes[0];
  }
  return different ? HG_OK : hg_fail(HG_INVALID, "%d points with the same N, must have two different N", count);
}

hg_status hg_scaling_fit(int count, const double *nodes, const double *value, hg_scaling *out)
{
  HG_TRY(check_points(count, nodes, value));
  double x = 0, y = 0, xx = 0, xy = 0, rest = 0;
  for (int i = 0; i < count; i++) {
    x += log(nodes[i]) / count;
    y += log(value[i]) / count;
  }
  for (int i = 0; i < count; i++) {
    const double d = log(nodes[i]) - x;
    xx += d * d;
    xy += d * (log(value[i]) - y);
  }
  *out = (hg_scaling){.sigma = -xy / xx, .t1 = exp(y - xy / xx * x), .centre = x};
  for (int i = 0; i < count; i++) {
    const double ratio = value[i] / (out->t1 * pow(nodes[i], -out->sigma));
    out->max_rel = fmax(out->max_rel, fabs(ratio - 1));
    rest += log(ratio) * log(ratio);
  }
  if (count == 2) return HG_OK;
  out->sigma_error = sqrt(rest / (count - 2) / xx);
  out->centre_error = sqrt(rest / (count - 2) / count);
  return HG_OK;
}

double hg_scaling_error(const hg_scaling *fit, double nodes)
{
  return hypot(fit->centre_error, fit->sigma_error * (log(nodes) - fit->centre));
}

/* --- powers --- */

hg_status hg_decay_correction(double measured, double *corrected)
{
  HG_TRY(need(measured > 0 && measured <= 1, "the measured beta", measured, "in (0, 1]"));
  *corrected = (measured + 1) / 2;
  return HG_OK;
}

double hg_criterion_value(hg_criterion by, double seconds, double joules)
{
  static const double time_power[] = {1, 0, 1, 2};
  return pow(seconds, time_power[by]) * (by == HG_BY_TIME ? 1 : joules);
}

int hg_compare(double first, double second)
{
  return (first > second) - (first < second);
}

bool hg_is_less(double first, double second)
{
  return first < second * (1 - 1e-12);
}

/* --- readings --- */

/* Merge sort: stable, and almost linear for samples that are nearly sorted. */
static void merge(hg_sample *sample, hg_sample *room, int middle, int count)
{
  for (int i = 0; i < count; i++) room[i] = sample[i];
  for (int i = 0, a = 0, b = middle; i < count; i++)
    sample[i] = b == count || (a < middle && room[a].time <= room[b].time) ? room[a++] : room[b++];
}

static void sort(hg_sample *sample, hg_sample *room, int count)
{
  if (count < 2) return;
  sort(sample, room, count / 2);
  sort(sample + count / 2, room, count - count / 2);
  if (sample[count / 2].time < sample[count / 2 - 1].time) merge(sample, room, count / 2, count);
}

hg_status hg_samples_sort(int count, hg_sample *sample)
{
  hg_sample *room = malloc(((size_t)count + 1) * sizeof *room);
  if (!room) return hg_fail(HG_MEMORY, "no memory to sort %d samples", count);
  sort(sample, room, count);
  free(room);
  return HG_OK;
}

/* Joules between two samples, counting only the time between begin and end. */
static double slice(const hg_sample *a, const hg_sample *b, double begin, double end)
{
  const double lo = fmax(a->time, begin), hi = fmin(b->time, end), span = b->time - a->time;
  if (!(hi > lo)) return 0;
  const double slope = (b->watts - a->watts) / span;
  return (hi - lo) * (a->watts + slope * ((lo - a->time) + (hi - a->time)) / 2);
}

hg_status hg_trapezoid(int count, const hg_sample *sample, double begin, double end, double *joules)
{
  *joules = 0;
  for (int i = 0; i < count; i++) HG_TRY(not_negative("the power of a sample", sample[i].watts));
  if (!(begin <= end))
    return hg_fail(HG_INVALID, "the window ends at %.14g s, must be >= its start at %.14g s", end, begin);
  if (count < 1 || begin < sample[0].time || end > sample[count - 1].time)
    return hg_fail(HG_INVALID, "the window is %.14g..%.14g s, must be within the samples at %.14g..%.14g s", begin, end,
                   count ? sample[0].time : NAN, count ? sample[count - 1].time : NAN);
  for (int i = 1; i < count; i++) *joules += slice(&sample[i - 1], &sample[i], begin, end);
  return HG_OK;
}
