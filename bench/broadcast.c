/* SPDX-License-Identifier: MIT */
/* Broadcasts by MPI and by hg_broadcast, by the rule and by the network file: rows
 * ranks,bytes,way,seconds (medians of the time until all ranks have it). Usage: mpirun -n P bench/broadcast
 * BYTES.. (HETGRID_NETWORK names the file) */
#include <mpi.h>
#include <stdlib.h>

#include "hetgrid.h"

enum { SAMPLES = 31 };

/* 0: MPI's; otherwise hg_broadcast. */
static double median(char *buffer, int64_t bytes, const hg_network_choice *how)
{
  double seconds[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (how)
      hg_broadcast_world(buffer, bytes, 0, how);
    else
      MPI_Bcast(buffer, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    double mine = MPI_Wtime() - start;
    MPI_Allreduce(&mine, &seconds[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  return hg_samples_describe(SAMPLES, seconds).median;
}

int main(int argc, char **argv)
{
  hg_session w;
  if (hg_session_join(NULL, &w) != HG_OK || !w.mpi) return 1;
  if (w.rank == 0) puts("ranks,bytes,way,seconds");
  for (int i = 1; i < argc; i++) {
    const int64_t bytes = atoll(argv[i]);
    char *buffer = calloc((size_t)bytes + 1, 1);
    hg_network_choice how, rule;
    if (!buffer || hg_broadcast_choose(&w, bytes, &how) != HG_OK ||
        hg_network_choose(NULL, &(hg_rank_layout){.ranks = w.ranks}, bytes, &rule) != HG_OK)
      return 1;
    const double mpi = median(buffer, bytes, NULL), by_rule = median(buffer, bytes, &rule),
                 by_file = median(buffer, bytes, &how);
    if (w.rank == 0)
      printf("%d,%lld,MPI,%.9g\n%d,%lld,rule %s,%.9g\n%d,%lld,file %s,%.9g\n", w.ranks, (long long)bytes, mpi, w.ranks,
             (long long)bytes, hg_broadcast_names[rule.algorithm], by_rule, w.ranks, (long long)bytes,
             hg_broadcast_names[how.algorithm], by_file);
    free(buffer);
  }
  hg_session_close(&w);
  return 0;
}
