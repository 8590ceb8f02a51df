/* SPDX-License-Identifier: MIT */
/* Common part of the peers of hetgrid-fft: memory allocated as in hetgrid-fft, timed passes, and the median speed,
 * which they print. */
#ifndef BENCH_FFT_PASSES_H
#define BENCH_FFT_PASSES_H

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"

/* Zeroed memory, in huge pages if the system provides them. */
static double complex *fft_memory(size_t values)
{
  const size_t bytes = values * sizeof(double complex);
  void *p;
  if (posix_memalign(&p, 2 << 20, bytes) != 0) exit(1);
  madvise(p, bytes, MADV_HUGEPAGE);
  memset(p, 0, bytes);
  return p;
}

static void fft_fill_with_values(size_t count, double complex *value)
{
  for (size_t i = 0; i < count; i++) value[i] = (double)(i % 97) / 97 + I * ((double)(i % 89) / 89);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints GFLOP/s of the median pass over so many values in transforms of `points` each. */
static void fft_time_passes(void pass(void *arg), void *arg, double values, double points)
{
  enum { PASSES = 9 };
  double seconds[PASSES];
  for (int i = 0; i < PASSES; i++) {
    const double start = hg_now();
    pass(arg);
    seconds[i] = hg_now() - start;
  }
  qsort(seconds, PASSES, sizeof *seconds, ascending);
  printf("%.5g\n", 5 * values * log2(points) / seconds[PASSES / 2] * 1e-9);
}

#endif
