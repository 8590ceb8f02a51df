/* SPDX-License-Identifier: MIT */
/* Built by SMPI's compiler (tests/sim/simulate.sh): prints rows bytes,seconds of a message, half a round trip between
 * two ranks. */
#include <mpi.h>
#include <stdio.h>

enum { LARGEST = 1 << 20, TIMES = 10 };

static char buffer[LARGEST];

static double half_a_round_trip(int rank, int bytes)
{
  const double start = MPI_Wtime();
  for (int i = 0; i < 2 * TIMES; i++)
    if (i % 2 == rank)
      MPI_Send(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return (MPI_Wtime() - start) / (2 * TIMES);
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int bytes = 1; bytes <= LARGEST; bytes <<= 10) {
    const double seconds = half_a_round_trip(rank, bytes);
    if (rank == 0) printf("%d,%.9g\n", bytes, seconds);
  }
  MPI_Finalize();
  return 0;
}
