/* SPDX-License-Identifier: MIT */
/* FFTW alone, with threads and measured plans: GFLOP/s, median of some passes, out of place. MKL has the same
 * interface: LD_PRELOAD its library. fft_peers THREADS N1 N2 N3 [cube] */
#include "fft_passes.h"

#include <fftw3.h>

static void pass(void *plan)
{
  fftw_execute(plan);
}

int main(int argc, char **argv)
{
  if (argc < 5) return 2;
  const int n[3] = {atoi(argv[2]), atoi(argv[3]), atoi(argv[4])}, cube = argc > 5;
  const size_t values = (size_t)n[0] * (size_t)n[1] * (size_t)n[2], plane = values / (size_t)n[0];
  fftw_complex *in = fft_memory(values), *out = fft_memory(values);
  fftw_init_threads();
  fftw_plan_with_nthreads(atoi(argv[1]));
  fftw_plan plan = fftw_plan_many_dft(cube ? 3 : 2, cube ? n : n + 1, cube ? 1 : n[0], in, NULL, 1, (int)plane, out,
                                      NULL, 1, (int)plane, FFTW_FORWARD, FFTW_MEASURE);
  if (!plan) return 1;
  fft_fill_with_values(values, in);
  fft_time_passes(pass, plan, (double)values, (double)(cube ? values : plane));
  return 0;
}
