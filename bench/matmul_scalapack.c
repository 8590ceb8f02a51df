/* SPDX-License-Identifier: MIT */
/* ScaLAPACK's pdgemm on P x Q ranks.   mpirun -n PQ matmul_scalapack P Q N NB RUNS   prints GFLOP/s, the best of the
 * runs */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "hetgrid.h"
#include "scalapack.h"

void pdgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k, const double *alpha,
             const double *a, const int *ia, const int *ja, const int *desc_a, const double *b, const int *ib,
             const int *jb, const int *desc_b, const double *beta, double *c, const int *ic, const int *jc,
             const int *desc_c);

int main(int argc, char **argv)
{
  if (hg_blas_prepare(argv) != HG_OK) return 2;
  MPI_Init(&argc, &argv);
  if (argc < 6) return 2;
  const int n = atoi(argv[3]), runs = atoi(argv[5]), one = 1;
  const dealt d = deal(atoi(argv[1]), atoi(argv[2]), n, atoi(argv[4]));
  double *a = make_values(&d), *b = make_values(&d), *c = make_values(&d), best = 1e300, alpha = 1, beta = 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill(&d, rank, a);
  fill(&d, rank, b);
  for (int run = 0; run < runs + 1; run++) { /* the first is not counted */
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    pdgemm_("N", "N", &n, &n, &n, &alpha, a, &one, &one, d.desc, b, &one, &one, d.desc, &beta, c, &one, &one, d.desc);
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - start;
    if (run > 0 && seconds < best) best = seconds;
  }
  if (rank == 0) printf("%.4g\n", 2. * n * n * n / best * 1e-9);
  MPI_Finalize();
  return 0;
}
