/* SPDX-License-Identifier: MIT */
/* The plain MPI program with which hetgrid-heat is compared: bands of rows, one exchange of a row with each neighbour
 * per step, a double-buffered sweep.   mpirun -n P heat_mpi N STEPS   prints GStencil/s. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void exchange(double *t, int64_t n, int64_t rows, int rank, int ranks)
{
  int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(t + n, (int)n, MPI_DOUBLE, up, 0, t + (rows + 1) * n, (int)n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(t + rows * n, (int)n, MPI_DOUBLE, down, 1, t, (int)n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void sweep(const double *restrict t, double *restrict r, int64_t n, int64_t first, int64_t last)
{
  const double ax = .1, ay = .12, c0 = (1 - 2 * ax) - 2 * ay;
  for (int64_t y = first; y < last; y++)
    for (int64_t x = 1; x < n - 1; x++) {
      int64_t i = y * n + x;
      r[i] = fma(ay, t[i - n] + t[i + n], fma(ax, t[i - 1] + t[i + 1], c0 * t[i]));
    }
}

int main(int argc, char **argv)
{
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int64_t n = argc > 1 ? atoll(argv[1]) : 1000, steps = argc > 2 ? atoll(argv[2]) : 10;
  int64_t rows = n * (rank + 1) / ranks - n * rank / ranks; /* own rows 1..rows, ghost rows 0 and rows+1 */
  int64_t first = rank == 0 ? 2 : 1, last = rank == ranks - 1 ? rows : rows + 1;
  double *a = malloc((size_t)((rows + 2) * n) * sizeof *a), *b = malloc((size_t)((rows + 2) * n) * sizeof *b);
  for (int64_t i = 0; i < (rows + 2) * n; i++) a[i] = b[i] = (double)(i % 1001) * 1e-3;
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int64_t s = 0; s < steps; s++) {
    double *t = s % 2 ? b : a;
    exchange(t, n, rows, rank, ranks);
    sweep(t, s % 2 ? a : b, n, first, last);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%.4g\n", 1e-9 * (double)(n * n * steps) / (MPI_Wtime() - start));
  MPI_Finalize();
  return 0;
}
