/* SPDX-License-Identifier: MIT */
/* Peers of hetgrid-elimination on one rank: OpenBLAS' dgemm, dgetrf and dgetrs, and MKL's dgetrf and sgetrf if MKL_RT
 * names libmkl_rt.so.
 *   elimination_peers gemm|getrf|getrs|mkl|mkl-float THREADS N   prints GFLOP/s, the best of as many runs as fit a
 *                                                                second */
#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mkl.h"
#include "hetgrid.h"

typedef int getrf(int layout, int m, int n, double *a, int lda, int *pivot);
typedef int getrf_float(int layout, int m, int n, float *a, int lda, int *pivot);

enum { NRHS = 64 };

/* Returns the routine, or ends with a message. */
static void *from_mkl(const char *name, int threads)
{
  void *routine = mkl_routine(name, threads);
  if (routine) return routine;
  fprintf(stderr, "elimination_peers: %s\n", dlerror());
  exit(1);
}

/* s of the fastest of several eliminations in single precision. */
static double time_float(getrf_float *factor, int n)
{
  const int64_t size = (int64_t)n * n;
  float *a = malloc((size_t)size * sizeof *a);
  int *pivot = malloc((size_t)n * sizeof *pivot);
  double best = 1e300, spent = 0;
  for (int run = 0; run < 2 || spent < 1; run++) {
    for (int64_t i = 0; i < size; i++) a[i] = (float)(hg_random_unit(1, (uint64_t)i) - .5);
    const double start = hg_now();
    factor(LAPACK_COL_MAJOR, n, n, a, n, pivot);
    const double seconds = hg_now() - start;
    spent += seconds;
    best = seconds < best ? seconds : best;
  }
  return best;
}

static void fill(double *a, int64_t count)
{
  for (int64_t i = 0; i < count; i++) a[i] = hg_random_unit(1, (uint64_t)i) - .5;
}

int main(int argc, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 2;
  if (argc < 4) return 2;
  const char *what = argv[1];
  const int n = atoi(argv[3]);
  const int64_t size = (int64_t)n * n;
  if (strcmp(what, "mkl-float") == 0) {
    printf("%.4g\n", 2. / 3 * n * n * n / time_float(from_mkl("LAPACKE_sgetrf_work", atoi(argv[2])), n) * 1e-9);
    return 0;
  }
  double *a = malloc((size_t)size * sizeof *a), *b = malloc((size_t)size * sizeof *b), *c = NULL, best = 1e300,
         spent = 0;
  int *pivot = malloc((size_t)n * sizeof *pivot);
  openblas_set_num_threads(atoi(argv[2]));
  getrf *factor =
      strcmp(what, "mkl") == 0 ? (getrf *)from_mkl("LAPACKE_dgetrf_work", atoi(argv[2])) : (getrf *)LAPACKE_dgetrf_work;
  const bool gemm = strcmp(what, "gemm") == 0, solve = strcmp(what, "getrs") == 0;
  if (gemm) fill(c = malloc((size_t)size * sizeof *c), size);
  fill(a, size);
  fill(b, size);
  if (solve) LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivot);
  for (int run = 0; run < 2 || spent < 1; run++) {
    if (!gemm && !solve) fill(a, size);
    double start = hg_now();
    if (gemm)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, -1, a, n, b, n, 1, c, n);
    else if (solve)
      LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, NRHS, a, n, pivot, b, n);
    else
      factor(LAPACK_COL_MAJOR, n, n, a, n, pivot);
    double seconds = hg_now() - start;
    spent += seconds;
    best = seconds < best ? seconds : best;
    if (solve) fill(b, (int64_t)n * NRHS);
  }
  double flops = gemm ? 2. * n * n * n : solve ? 2. * n * n * NRHS : 2. / 3 * n * n * n;
  printf("%.4g\n", flops / best * 1e-9);
  return 0;
}
