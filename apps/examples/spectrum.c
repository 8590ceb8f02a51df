/* SPDX-License-Identifier: MIT */
/* Independent items of work on all processors: the powers of 300 signals at 256 frequencies each, by Goertzel's
 * recurrence. Each pass divides the signals by the times of the previous passes. */
#include <hetgrid/divisible.h>
#include <math.h>
#include <stdlib.h>

enum { SIGNALS = 300, SAMPLES = 512, BINS = SAMPLES / 2 };

static hg_status powers(const hg_items *items)
{
  const double *x = items->array[0];
  double *power = items->array[1];
  for (int64_t i = 0; i < items->count * BINS; i++) {
    const double c = 2 * cos(2 * M_PI * (double)(i % BINS) / SAMPLES);
    const double *signal = x + i / BINS * SAMPLES;
    double s = 0, s1 = 0, s2 = 0;
    for (int n = 0; n < SAMPLES; n++, s2 = s1, s1 = s) s = signal[n] + c * s1 - s2;
    power[i] = s1 * s1 + s2 * s2 - c * s1 * s2;
  }
  return HG_OK;
}

/* Signal k is a tone of frequency k % BINS. */
static hg_status check(void *arg)
{
  const double *power = arg;
  for (int k = 0; k < SIGNALS; k++, power += BINS) {
    int best = 0;
    for (int b = 1; b < BINS; b++) best = power[b] > power[best] ? b : best;
    if (best != k % BINS) return hg_fail(HG_MISMATCH, "signal %d: frequency %d", k, best);
  }
  return HG_OK;
}

int main(int argc, char **argv)
{
  static double x[SIGNALS][SAMPLES], power[SIGNALS][BINS];
  for (int i = 0; i < SIGNALS; i++)
    for (int n = 0; n < SAMPLES; n++) x[i][n] = cos(2 * M_PI * (i % BINS) * n / SAMPLES);
  hg_divisible job = {.name = "spectrum", .grid = {SIGNALS}, .cpu = powers, .agglomerative = true};
  job.array[job.arrays++] = (hg_item_array){.base = x, .bytes = sizeof x[0]};
  job.array[job.arrays++] = (hg_item_array){.base = power, .bytes = sizeof power[0], .access = HG_ITEM_WRITE};
  job.arg = power;
  job.flops = 4. * SAMPLES * BINS;
  return hg_divisible_main(argc, argv, &job, check);
}
