/* SPDX-License-Identifier: MIT */
/* Peers of hetgrid-heat, and its kernel alone, each as one timed run:
 *   heat_peers copy             bandwidth of a plain copy of 256 MB, all threads (read + written bytes)
 *   heat_peers naive  DIMS N S  S steps of a double-buffered sweep on N^DIMS cells, OpenMP over the slowest axis
 *   heat_peers kernel DIMS N S K NAME  the deep-halo kernel alone, one thread, S steps in blocks of K
 * OMP_NUM_THREADS sets the threads. Prints one number: GB/s or GStencil/s. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hetgrid.h"

/* Memory first touched by the threads that use it. */
static double *grid(int64_t cells)
{
  size_t bytes = ((size_t)cells * sizeof(double) + (2 << 20) - 1) / (2 << 20) * (2 << 20);
  double *g = aligned_alloc(2 << 20, bytes);
  madvise(g, bytes, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < cells; i++) g[i] = (double)(i % 1001) * 1e-3;
  return g;
}

static void copy_once(const double *restrict a, double *restrict b, int64_t n)
{
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) b[i] = a[i];
}

static double bandwidth(void)
{
  const int64_t n = 16 << 20;
  double *a = grid(n), *b = grid(n), best = INFINITY;
  for (int r = 0; r < 10; r++) {
    double start = hg_now();
    copy_once(a, b, n);
    best = fmin(best, hg_now() - start);
  }
  return 16e-9 * (double)n / best;
}

/* One row, as a separate function, since in an OpenMP region the compiler loses the information that t and r do not
 * overlap. */
static __attribute__((noinline)) void row_2d(const double *restrict t, double *restrict r, int64_t n)
{
  const double ax = .1, ay = .12, c0 = (1 - 2 * ax) - 2 * ay;
  for (int64_t x = 1; x < n - 1; x++) r[x] = fma(ay, t[x - n] + t[x + n], fma(ax, t[x - 1] + t[x + 1], c0 * t[x]));
}

static __attribute__((noinline)) void row_3d(const double *restrict t, double *restrict r, int64_t n)
{
  const double ax = .1, ay = .12, az = .09, c0 = ((1 - 2 * ax) - 2 * ay) - 2 * az;
  for (int64_t x = 1; x < n - 1; x++)
    r[x] = fma(az, t[x - n * n] + t[x + n * n], fma(ay, t[x - n] + t[x + n], fma(ax, t[x - 1] + t[x + 1], c0 * t[x])));
}

static void sweep_2d(const double *t, double *r, int64_t n)
{
#pragma omp parallel for schedule(static)
  for (int64_t y = 1; y < n - 1; y++) row_2d(t + y * n, r + y * n, n);
}

static void sweep_3d(const double *t, double *r, int64_t n)
{
#pragma omp parallel for schedule(static)
  for (int64_t z = 1; z < n - 1; z++)
    for (int64_t y = 1; y < n - 1; y++) row_3d(t + (z * n + y) * n, r + (z * n + y) * n, n);
}

static int64_t cells_of(int dims, int64_t n)
{
  return dims == 3 ? n * n * n : n * n;
}

static double naive(int dims, int64_t n, int steps)
{
  double *a = grid(cells_of(dims, n)), *b = grid(cells_of(dims, n)), start = hg_now();
  for (int s = 0; s < steps; s++) {
    (dims == 3 ? sweep_3d : sweep_2d)(s % 2 ? b : a, s % 2 ? a : b, n);
  }
  return 1e-9 * (double)cells_of(dims, n) * steps / (hg_now() - start);
}

static double kernel(int dims, int64_t n, int steps, int block, const char *name)
{
  const hg_heat_kernel *k = hg_heat_kernel_find(name);
  if (!k) return 0;
  hg_tile_shape s = {.dims = dims, .n = {n, n, dims == 3 ? n : 1}, .stride = {1, n, n * n}};
  for (int a = 0; a < dims; a++) s.hold[a][0] = s.hold[a][1] = true;
  s.stream = cells_of(dims, n) * 8 > 32 << 20;
  const hg_heat_coef c = {{.1, .12, dims == 3 ? .09 : 0}};
  double *a = grid(cells_of(dims, n)), *b = grid(cells_of(dims, n));
  void *work = grid((int64_t)k->workspace[0](&s, block, false) / 8 + 8);
  double start = hg_now();
  for (int done = 0, i = 0; done < steps; i++) {
    int length = steps - done < block ? steps - done : block;
    k->advance[0](&s, &c, length, i % 2 ? b : a, i % 2 ? a : b, NULL, work);
    done += length;
  }
  return 1e-9 * (double)cells_of(dims, n) * steps / (hg_now() - start);
}

int main(int argc, char **argv)
{
  if (argc == 2 && strcmp(argv[1], "copy") == 0)
    printf("%.4g\n", bandwidth());
  else if (argc == 5 && strcmp(argv[1], "naive") == 0)
    printf("%.4g\n", naive(atoi(argv[2]), atoll(argv[3]), atoi(argv[4])));
  else if (argc == 7 && strcmp(argv[1], "kernel") == 0)
    printf("%.4g\n", kernel(atoi(argv[2]), atoll(argv[3]), atoi(argv[4]), atoi(argv[5]), argv[6]));
  else
    return fprintf(stderr, "usage: heat_peers copy | naive DIMS N STEPS | kernel DIMS N STEPS BLOCK NAME\n"), 2;
  return 0;
}
