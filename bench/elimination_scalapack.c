/* SPDX-License-Identifier: MIT */
/* ScaLAPACK's pdgetrf on P x Q ranks.   mpirun -n PQ elimination_scalapack P Q N NB   prints GFLOP/s, the best of as
 * many runs as fit in a second */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "hetgrid.h"
#include "scalapack.h"

void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desc, int *pivot,
              int *info);

int main(int argc, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 2;
  MPI_Init(&argc, &argv);
  if (argc < 5) return 2;
  const int n = atoi(argv[3]), nb = atoi(argv[4]), one = 1;
  const dealt d = deal(atoi(argv[1]), atoi(argv[2]), n, nb);
  double *a = make_values(&d), best = 1e300, spent = 0;
  int *pivot = malloc((size_t)(d.rows + nb) * sizeof *pivot), info, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int run = 0; run < 2 || spent < 1; run++) {
    fill(&d, rank, a);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    pdgetrf_(&n, &n, a, &one, &one, d.desc, pivot, &info);
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
