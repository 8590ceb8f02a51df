/* SPDX-License-Identifier: MIT */
/* The plain MPI elimination with which the thesis compares: rows are dealt out cyclically. For every column the ranks
 * find the largest element, exchange two rows, broadcast the pivot row and update all rows below it.
 *   mpirun -n P elimination_mpi N   prints GFLOP/s */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hetgrid.h"

static void eliminate(double *a, int64_t n, int64_t rows, int rank, int ranks, double *pivot_row)
{
  for (int64_t k = 0; k < n; k++) {
    struct {
      double value;
      int row;
    } mine = {-1, 0}, best;
    int64_t first = (k - rank + ranks - 1) / ranks;
    for (int64_t i = first < 0 ? 0 : first; i < rows; i++)
      if (fabs(a[i * n + k]) > mine.value) {
        mine.value = fabs(a[i * n + k]);
        mine.row = (int)(i * ranks + rank);
      }
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    const int top = (int)(k % ranks), from = best.row % ranks;
    double *row_k = a + k / ranks * n, *row_p = a + (int64_t)(best.row / ranks) * n;
    if (rank == from) memcpy(pivot_row, row_p, (size_t)n * sizeof *a);
    if (top == from && rank == top && best.row != k) memcpy(row_p, row_k, (size_t)n * sizeof *a);
    if (top != from && rank == top) MPI_Send(row_k, (int)n, MPI_DOUBLE, from, 0, MPI_COMM_WORLD);
    if (top != from && rank == from) MPI_Recv(row_p, (int)n, MPI_DOUBLE, top, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(pivot_row + k, (int)(n - k), MPI_DOUBLE, from, MPI_COMM_WORLD);
    if (rank == top) memcpy(row_k + k, pivot_row + k, (size_t)(n - k) * sizeof *a);
    int64_t below = (k + 1 - rank + ranks - 1) / ranks;
    for (int64_t i = below < 0 ? 0 : below; i < rows; i++) {
      double *restrict row = a + i * n, factor = row[k] /= pivot_row[k];
      for (int64_t j = k + 1; j < n; j++) row[j] -= factor * pivot_row[j];
    }
  }
}

int main(int argc, char **argv)
{
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t n = argc > 1 ? atoll(argv[1]) : 1000, rows = (n - rank + ranks - 1) / ranks;
  double *a = malloc((size_t)(rows * n + 1) * sizeof *a), *pivot_row = malloc((size_t)n * sizeof *a);
  for (int64_t i = 0; i < rows * n; i++) a[i] = hg_random_unit(1 + (uint64_t)rank, (uint64_t)i) - .5;
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  eliminate(a, n, rows, rank, ranks, pivot_row);
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - start;
  if (rank == 0) printf("%.4g\n", 2. / 3 * (double)n * (double)n * (double)n / seconds * 1e-9);
  free(a);
  free(pivot_row);
  MPI_Finalize();
  return 0;
}
