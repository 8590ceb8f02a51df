/* SPDX-License-Identifier: MIT */
#include "runtime/oversubscription.h"

#include <mpi.h>
#include <starpu.h>
#include <stdbool.h>

#include "base/log.h"
#include "base/topology.h"
#include "runtime/comm.h"

/* The ranks of a machine, and the load that they share. */
typedef struct node_load {
  int ranks, workers, cores;
} node_load;

static node_load load_here(const hg_session *s, const cpu_set_t *allowed)
{
  MPI_Comm node;
  cpu_set_t all;
  node_load c;
  const int cpus = (int)starpu_cpu_worker_get_count(), mine = cpus > 0 ? cpus : 1; /* without one it waits on a core */
  MPI_Comm_split_type(s->comms->own, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &c.ranks);
  MPI_Allreduce(&mine, &c.workers, 1, MPI_INT, MPI_SUM, node);
  MPI_Allreduce(allowed, &all, sizeof all, MPI_BYTE, MPI_BOR, node);
  MPI_Comm_free(&node);
  c.cores = hg_topology_cores(&all);
  if (c.cores == 0) c.cores = CPU_COUNT(&all);
  return c;
}

void hg_oversubscription_warn(const hg_session *s, const cpu_set_t *allowed)
{
  static bool warned;
  const node_load mine = load_here(s, allowed);
  node_load all[s->ranks], *worst = all;
  MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, s->comms->own);
  if (s->rank > 0 || warned) return;
  for (int r = 1; r < s->ranks; r++)
    if (all[r].workers - all[r].cores > worst->workers - worst->cores) worst = &all[r];
  if (worst->ranks < 2 || worst->workers <= worst->cores) return;
  warned = true;
  hg_log(HG_WARN,
         "the %d ranks of a machine have %d workers in total on %d core%s: oversubscribed, expect slow messages; %s",
         worst->ranks, worst->workers, worst->cores, worst->cores == 1 ? "" : "s",
         worst->ranks > worst->cores ? "start fewer ranks" : "STARPU_NCPU sets the number of workers per rank");
}
