/* SPDX-License-Identifier: MIT */
/* Peers of hetgrid-matmul on one rank: dgemm of OpenBLAS, or of MKL if MKL_RT names libmkl_rt.so.
 *   matmul_peers openblas|mkl THREADS N RUNS   prints GFLOP/s, the best of the runs */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mkl.h"
#include "hetgrid.h"

typedef void gemm(int layout, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc);

static double *random_matrix(int64_t n, uint64_t seed)
{
  double *a = malloc((size_t)(n * n) * sizeof *a);
  for (int64_t i = 0; a && i < n * n; i++) a[i] = hg_random_unit(seed, (uint64_t)i) - .5;
  return a;
}

int main(int argc, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 2;
  if (argc < 5) return 2;
  const int threads = atoi(argv[2]), n = atoi(argv[3]), runs = atoi(argv[4]);
  gemm *multiply = strcmp(argv[1], "mkl") == 0 ? (gemm *)mkl_routine("cblas_dgemm", threads) : (gemm *)cblas_dgemm;
  double *a = random_matrix(n, 1), *b = random_matrix(n, 2), *c = random_matrix(n, 3), best = 1e300;
  if (!multiply || !a || !b || !c) {
    fprintf(stderr, "matmul_peers: %s\n", multiply ? "no memory" : dlerror());
    return 1;
  }
  openblas_set_num_threads(threads);
  for (int run = 0; run < runs + 1; run++) { /* the first is not counted */
    const double start = hg_now();
    multiply(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
    const double seconds = hg_now() - start;
    if (run > 0 && seconds < best) best = seconds;
  }
  printf("%.4g\n", 2. * n * n * n / best * 1e-9);
  return 0;
}
