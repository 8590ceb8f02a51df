/* SPDX-License-Identifier: MIT */
/* Independent pieces of work on all processors: the powers of 300 signals at 256 frequencies each, by Goertzel's
 * recurrence. Every pass divides the signals by what the passes before took. */
#include <hetgrid/divisible.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIGNALS = 300, SAMPLES = 512, BINS = SAMPLES / 2 };

static hg_status powers(const hg_jobs *jobs)
{
  const double *x = jobs->array[0];
  double *power = jobs->array[1];
  for (int64_t i = 0; i < jobs->count * BINS; i++) {
    const double c = 2 * cos(2 * M_PI * (double)(i % BINS) / SAMPLES), *signal = x + i / BINS * SAMPLES;
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
  for (int k = 0, worst; power && k < SIGNALS; k++) {
    worst = 0;
    for (int b = 1; b < BINS; b++) worst = power[k * BINS + b] > power[k * BINS + worst] ? b : worst;
    if (worst != k % BINS) return hg_fail(HG_MISMATCH, "signal %d: frequency %d", k, worst);
  }
  return HG_OK;
}

int main(int argc, char **argv)
{
  double *x = malloc(sizeof(double[SIGNALS][SAMPLES])), *power = malloc(sizeof(double[SIGNALS][BINS]));
  for (int i = 0; i < SIGNALS * SAMPLES; i++) x[i] = cos(2 * M_PI * (i / SAMPLES % BINS) * (i % SAMPLES) / SAMPLES);
  const hg_divisible job = {.name = "spectrum", .grid = {SIGNALS}, .cpu = powers, .agglomerative = true, .arrays = 2,
                            .array = {{x, sizeof(double[SAMPLES])}, {power, sizeof(double[BINS]), .access = HG_JOB_WRITE}},
                            .flops = 4. * SAMPLES * BINS, .arg = power};
  return hg_divisible_main(argc, argv, &job, check);
}
