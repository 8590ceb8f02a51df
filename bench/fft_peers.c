/* SPDX-License-Identifier: MIT */
/* FFTW by itself, with threads and measured plans: GFLOP/s, the median of some passes, out of
 * place. MKL has the same interface: LD_PRELOAD its library. fft_peers THREADS N1 N2 N3 [cube] */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"

enum { PASSES = 9 };

static void *memory(size_t bytes)
{
  void *p;
  if (posix_memalign(&p, 2 << 20, bytes) != 0) exit(1);
  madvise(p, bytes, MADV_HUGEPAGE);
  memset(p, 0, bytes);
  return p;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  if (argc < 5) return 2;
  const int n[3] = {atoi(argv[2]), atoi(argv[3]), atoi(argv[4])}, cube = argc > 5;
  const size_t values = (size_t)n[0] * (size_t)n[1] * (size_t)n[2], plane = values / (size_t)n[0];
  fftw_complex *in = memory(values * sizeof *in), *out = memory(values * sizeof *out);
  double seconds[PASSES];
  fftw_init_threads();
  fftw_plan_with_nthreads(atoi(argv[1]));
  fftw_plan plan =
      fftw_plan_many_dft(cube ? 3 : 2, cube ? n : n + 1, cube ? 1 : n[0], in, NULL, 1, (int)plane,
                         out, NULL, 1, (int)plane, FFTW_FORWARD, FFTW_MEASURE);
  if (!plan) return 1;
  for (size_t i = 0; i < values; i++)
    in[i][0] = (double)(i % 97) / 97, in[i][1] = (double)(i % 89) / 89;
  for (int i = 0; i < PASSES; i++) {
    const double start = hg_now();
    fftw_execute(plan);
    seconds[i] = hg_now() - start;
  }
  qsort(seconds, PASSES, sizeof *seconds, ascending);
  printf("%.5g\n",
         5 * (double)values * log2((double)(cube ? values : plane)) / seconds[PASSES / 2] * 1e-9);
  return 0;
}
