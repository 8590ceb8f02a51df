/* SPDX-License-Identifier: MIT */
/* StarPU's own FFT library alone, on all StarPU workers: one task per plane (it has no batches). Its plans, made with
 * FFTW_ESTIMATE, are made beforehand. Prints GFLOP/s, the median of some passes, out of place, after a comparison with
 * FFTW. fft_starpufft N1 N2 N3   N1 planes of N2 x N3 */
#include "fft_passes.h"

#include <fftw3.h>
#include <starpu.h>
#include <starpufft.h>

typedef struct planes {
  int count;
  size_t points; /* of one */
  double complex *in, *out;
  starpufft_plan *plan;
  struct starpu_task **task;
} planes;

static void pass(void *arg)
{
  const planes *p = arg;
  for (int i = 0; i < p->count; i++) {
    const size_t at = (size_t)i * p->points;
    p->task[i] = starpufft_start(p->plan[i], p->in + at, p->out + at);
    if (!p->task[i]) exit(1);
  }
  for (int i = 0; i < p->count; i++)
    if (starpu_task_wait(p->task[i]) != 0) exit(1);
  for (int i = 0; i < p->count; i++) starpufft_cleanup(p->plan[i]);
}

/* Largest difference of the last plane from FFTW's. */
static double error_of(const planes *p, int rows, int columns)
{
  const size_t at = (size_t)(p->count - 1) * p->points;
  double complex *right = fft_memory(p->points);
  double error = 0;
  fftw_plan plan = fftw_plan_dft_2d(rows, columns, p->in + at, right, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  for (size_t i = 0; i < p->points; i++) error = fmax(error, cabs(right[i] - p->out[at + i]));
  return error;
}

int main(int argc, char **argv)
{
  if (argc != 4) return 2;
  const int n[3] = {atoi(argv[1]), atoi(argv[2]), atoi(argv[3])};
  planes p = {.count = n[0], .points = (size_t)n[1] * (size_t)n[2]};
  const size_t values = (size_t)p.count * p.points;
  if (starpu_init(NULL) != 0) return 77;
  p.in = fft_memory(values), p.out = fft_memory(values);
  p.plan = calloc((size_t)p.count, sizeof *p.plan);
  p.task = calloc((size_t)p.count, sizeof *p.task);
  if (!p.plan || !p.task) return 1;
  for (int i = 0; i < p.count; i++) p.plan[i] = starpufft_plan_dft_2d(n[1], n[2], STARPUFFT_FORWARD, 0);
  fft_fill_with_values(values, p.in);
  pass(&p);
  const double error = error_of(&p, n[1], n[2]);
  if (!(error < 1e-9 * (double)p.points)) {
    fprintf(stderr, "fft_starpufft: a transform is wrong by %g\n", error);
    return 1;
  }
  fft_time_passes(pass, &p, (double)values, (double)p.points);
  starpu_shutdown();
  return 0;
}
