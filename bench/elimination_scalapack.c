/* SPDX-License-Identifier: MIT */
/* ScaLAPACK's pdgetrf on P x Q ranks.   mpirun -n PQ elimination_scalapack P Q N NB   prints GFLOP/s, the best of as
 * many runs as fit a second */
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
void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desc, int *pivot,
              int *info);

int main(int argc, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 2;
  MPI_Init(&argc, &argv);
  if (argc < 5) return 2;
  const int p = atoi(argv[1]), q = atoi(argv[2]), n = atoi(argv[3]), nb = atoi(argv[4]), zero = 0, one = 1;
  int context, row, col, rows, cols, desc[9], info, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", p, q);
  Cblacs_gridinfo(context, &rows, &cols, &row, &col);
  const int local_rows = numroc_(&n, &nb, &row, &zero, &p), local_cols = numroc_(&n, &nb, &col, &zero, &q);
  const int ld = local_rows > 1 ? local_rows : 1;
  const int64_t size = (int64_t)ld * local_cols;
  double *a = malloc((size_t)(size + 1) * sizeof *a), best = 1e300, spent = 0;
  int *pivot = malloc((size_t)(local_rows + nb) * sizeof *pivot);
  descinit_(desc, &n, &n, &nb, &nb, &zero, &zero, &context, &ld, &info);
  for (int run = 0; run < 2 || spent < 1; run++) {
    for (int64_t i = 0; i < size; i++) a[i] = hg_random_unit(1 + (uint64_t)rank, (uint64_t)i) - .5;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    pdgetrf_(&n, &n, a, &one, &one, desc, pivot, &info);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    spent += seconds;
    best = seconds < best ? seconds : best;
  }
  if (rank == 0) printf("%.4g\n", 2. / 3 * n * n * n / best * 1e-9);
  MPI_Finalize();
  return 0;
}
