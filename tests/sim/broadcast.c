/* SPDX-License-Identifier: MIT */
/* Built by SMPI's compiler (tests/sim/broadcast.sh): on a simulated machine, measures messages,
 * predicts and chooses broadcasts from them, makes them by all algorithms, and prints rows
 * ranks,per_node,bytes,algorithm,predicted,taken, chosen. Usage: broadcast PER_NODE */
#include "exchange/broadcast.h"
#include "tests/sim/messages.h"

static double broadcast(int64_t bytes, const hg_network_choice *how)
{
  const double start = together();
  hg_broadcast_world(buffer, bytes, 0, how);
  return latest(MPI_Wtime() - start);
}

int main(int argc, char **argv)
{
  static const int64_t sizes[] = {8, 1024, 16384, 131072, 1 << 20, LARGEST};
  hg_network_level level[2];
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const hg_rank_layout group = {ranks, atoi(argv[1])};
  const hg_network network = measure_network(&group, level);
  broadcast(8, NULL); /* makes its communicator */
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    hg_network_choice c, how;
    if (hg_network_choose(&network, &group, sizes[i], &c) != HG_OK) return 1;
    for (int a = 0; a < HG_BROADCASTS; a++) {
      if (!(c.candidate[a] >= 0)) continue;
      how = (hg_network_choice){.algorithm = (hg_broadcast_algorithm)a, .segment = c.candidate_segment[a]};
      const double taken = broadcast(sizes[i], &how);
      if (rank == 0)
        printf("%d,%d,%lld,%s,%.9g,%.9g,%d\n", ranks, group.per_node, (long long)sizes[i], hg_broadcast_names[a],
               c.candidate[a], taken, a == (int)c.algorithm);
    }
  }
  MPI_Finalize();
  return 0;
}
