/* SPDX-License-Identifier: MIT */
/* Locates the ranks; starts and ends MPI. */
#include "exchange/world.h"

#include <hwloc.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "runtime/comm.h"
#include "runtime/session.h"

static int numa_of(hwloc_topology_t topology, int cpu)
{
  hwloc_obj_t node = NULL;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)))
    if (cpu >= 0 && hwloc_bitmap_isset(node->cpuset, (unsigned)cpu)) return (int)node->logical_index;
  return 0;
}

static void describe_place(hg_place *p)
{
  hwloc_topology_t topology;
  hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
  gethostname(p->host, sizeof p->host - 1);
  p->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
  snprintf(p->cpus, sizeof p->cpus, "?");
  if (cpus && hwloc_topology_init(&topology) == 0) {
    if (hwloc_topology_load(topology) == 0) {
      p->numa = numa_of(topology, sched_getcpu());
      if (hwloc_get_cpubind(topology, cpus, HWLOC_CPUBIND_PROCESS) == 0)
        hwloc_bitmap_list_snprintf(p->cpus, sizeof p->cpus, cpus);
    }
    hwloc_topology_destroy(topology);
  }
  hwloc_bitmap_free(cpus);
}

/* Extracts "Open MPI v4.1.4" from a possibly long text. */
static void describe_mpi(hg_network_world *w)
{
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  const char *transport = getenv("OMPI_MCA_btl");
  int length;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, ",\n")] = '\0';
  snprintf(w->mpi, sizeof w->mpi, "%.100s", text);
  snprintf(w->transport, sizeof w->transport, "%.100s", transport ? transport : "default");
}

static void describe_binding(hg_network_world *w)
{
  size_t length = 0;
  for (int r = 0; r < w->ranks && length < sizeof w->binding; r++)
    length += (size_t)snprintf(w->binding + length, sizeof w->binding - length, "%s%d: %s", r ? ", " : "", r,
                               w->place[r].cpus);
}

static int ranks_of_host(const hg_network_world *w, const char *host)
{
  int count = 0;
  for (int r = 0; r < w->ranks; r++) count += strcmp(w->place[r].host, host) == 0;
  return count;
}

static double measure_tick(void)
{
  double least = 1;
  for (int i = 0; i < 1000; i++) {
    const double start = MPI_Wtime();
    double now = start;
    while (now <= start) now = MPI_Wtime();
    if (now - start < least) least = now - start;
  }
  return least;
}

hg_status hg_network_world_open(hg_network_world *w)
{
  *w = (hg_network_world){.ranks = 1, .launched = hg_session_is_launched(), .tick = 1e-7};
  snprintf(w->mpi, sizeof w->mpi, "no MPI");
  snprintf(w->transport, sizeof w->transport, "none");
  if (w->launched) {
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return hg_fail(HG_RUNTIME, "MPI cannot be started");
    hg_comm_guard(MPI_COMM_WORLD);
    hg_comm_guard(MPI_COMM_SELF);
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->ranks);
    describe_mpi(w);
    w->tick = measure_tick();
  }
  hg_log_set_rank(w->rank);
  w->place = calloc((size_t)w->ranks, sizeof *w->place);
  if (!w->place) return hg_fail(HG_MEMORY, "no memory for %d ranks", w->ranks);
  hg_place mine = {.numa = 0};
  describe_place(&mine);
  if (w->launched)
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, w->place, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  else
    w->place[0] = mine;
  describe_binding(w);
  for (int r = 0; r < w->ranks; r++)
    w->oversubscribed = w->oversubscribed || ranks_of_host(w, w->place[r].host) > w->place[r].cores;
  return HG_OK;
}

void hg_network_world_close(hg_network_world *w)
{
  free(w->place);
  w->place = NULL;
  if (w->launched) MPI_Finalize();
}

hg_rank_layout hg_network_world_group(const hg_network_world *w)
{
  int together = 1;
  while (together < w->ranks && strcmp(w->place[together].host, w->place[0].host) == 0) together++;
  return (hg_rank_layout){w->ranks, together};
}
