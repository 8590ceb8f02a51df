/* SPDX-License-Identifier: MIT */
/* ScaLAPACK's pdgemm on P x Q ranks.   mpirun -n PQ matmul_scalapack P Q N NB RUNS   prints GFLOP/s, the best of the
 * runs */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "hetgrid.h"

/* ScaLAPACK comes without C headers. */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int cols);
void Cblacs_gridinfo(int context, int *rows, int *cols, int *row, int *col);
int numroc_(const int *n, const int *nb, const int *process, const int *source, const int *processes);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *rsrc, const int *csrc,
               const int *context, const int *ld, int *info);
void pdgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k, const double *alpha,
             const double *a, const int *ia, const int *ja, const int *desc_a, const double *b, const int *ib,
             const int *jb, const int *desc_b, const double *beta, double *c, const int *ic, const int *jc,
             const int *desc_c);

int main(int argc, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 2;
  MPI_Init(&argc, &argv);
  if (argc < 6) return 2;
  const int p = atoi(argv[1]), q = atoi(argv[2]), n = atoi(argv[3]), nb = atoi(argv[4]), runs = atoi(argv[5]), zero = 0,
            one = 1;
  int context, row, col, rows, cols, desc[9], info, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", p, q);
  Cblacs_gridinfo(context, &rows, &cols, &row, &col);
  const int local_rows = numroc_(&n, &nb, &row, &zero, &p), local_cols = numroc_(&n, &nb, &col, &zero, &q);
  const int ld = local_rows > 1 ? local_rows : 1;
  const int64_t size = (int64_t)ld * local_cols;
  double *a = malloc((size_t)(size + 1) * sizeof *a), *b = malloc((size_t)(size + 1) * sizeof *b);
  double *c = malloc((size_t)(size + 1) * sizeof *c), best = 1e300, alpha = 1, beta = 0;
  descinit_(desc, &n, &n, &nb, &nb, &zero, &zero, &context, &ld, &info);
  for (int64_t i = 0; i < size; i++) a[i] = b[i] = hg_random_unit(1 + (uint64_t)rank, (uint64_t)i) - .5;
  for (int run = 0; run < runs + 1; run++) { /* the first is not counted */
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    pdgemm_("N", "N", &n, &n, &n, &alpha, a, &one, &one, desc, b, &one, &one, desc, &beta, c, &one, &one, desc);
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - start;
    if (run > 0 && seconds < best) best = seconds;
  }
  if (rank == 0) printf("%.4g\n", 2. * n * n * n / best * 1e-9);
  MPI_Finalize();
  return 0;
}
