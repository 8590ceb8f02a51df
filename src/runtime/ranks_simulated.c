/* SPDX-License-Identifier: MIT */
/* Ranks of a simulated machine. There, StarPU-MPI's progress thread owns SimGrid's MPI, so all communication goes
 * through StarPU-MPI. The platform tells which rank has which workers. */
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "codelets/simulated_costs.h"
#include "runtime/comm.h"
#include "runtime/ranks.h"
#include "runtime/workers.h"

static hg_platform platform; /* from HETGRID_PLATFORM, a node per rank */

double hg_now(void)
{
  return starpu_timing_now() * 1e-6;
}

int hg_session_launch_rank(void)
{
  return starpu_mpi_world_rank();
}

hg_status hg_session_join(const void *communicator, hg_session *s)
{
  static struct hg_comms world;
  (void)communicator;
  world = (struct hg_comms){MPI_COMM_WORLD, MPI_COMM_WORLD};
  *s = (hg_session){.rank = starpu_mpi_world_rank(), .ranks = starpu_mpi_world_size(), .mpi = true, .comms = &world};
  hg_log_set_rank(s->rank);
  return HG_OK;
}

hg_status hg_session_is_of(const void *communicator, const hg_session *s)
{
  (void)communicator, (void)s;
  return HG_OK;
}

hg_status hg_ranks_prepare(hg_session *s, struct starpu_conf *conf)
{
  const char *path = getenv("HETGRID_PLATFORM");
  (void)conf;
  if (!path) return hg_fail(HG_INVALID, "HETGRID_PLATFORM: names no platform file; hetgrid-simulate sets it");
  HG_TRY(hg_platform_read(path, &platform));
  if (s->ranks > platform.nodes)
    return hg_fail(HG_INVALID, "%s: describes %d nodes, there are %d ranks", path, platform.nodes, s->ranks);
  hg_costs_set(&platform, s->rank);
  return HG_OK;
}

bool hg_ranks_are_all(const hg_session *s)
{
  (void)s;
  return true;
}

void hg_ranks_leave(hg_session *s)
{
  (void)s;
}

hg_status hg_ranks_collect(hg_session *s)
{
  int counts[s->ranks], total = 0;
  for (int r = 0; r < s->ranks; r++) total += counts[r] = platform.node[r].workers;
  if (s->workers != platform.node[s->rank].workers)
    return hg_fail(HG_INVALID, "rank %d: StarPU has %d workers, the platform %d; unset STARPU_NCPU and STARPU_NCUDA",
                   s->rank, s->workers, platform.node[s->rank].workers);
  hg_worker_note worker[total];
  for (int r = 0, i = 0; r < s->ranks; r++)
    for (int w = 0; w < counts[r]; w++, i++) {
      const hg_device *d = &platform.device[platform.node[r].device[w]];
      worker[i].kind = d->cuda ? HG_CUDA_WORKER : HG_CPU_WORKER;
      worker[i].host = r;
      snprintf(worker[i].model, sizeof worker[i].model, "%s", d->name);
    }
  return hg_session_set_workers(s, counts, worker);
}

/* All ranks have the same status: they read the same files, and nothing is computed. */
hg_status hg_session_agree(const hg_session *s, hg_status mine)
{
  (void)s;
  return mine;
}

hg_status hg_session_agree_or_abort(const hg_session *s, hg_status mine)
{
  return hg_session_agree(s, mine);
}

void hg_session_dup(const hg_session *s, hg_session *copy)
{
  *copy = *s;
}

void hg_session_free_dup(hg_session *copy)
{
  *copy = (hg_session){0};
}

void hg_session_bcast(const hg_session *s, void *bytes, size_t size)
{
  (void)s, (void)bytes, (void)size;
}

static void add(double *a, double b)
{
  *a += b;
}

static void keep_larger(double *a, double b)
{
  if (b > *a) *a = b;
}

static starpu_data_handle_t name_values(double *value, int64_t count)
{
  starpu_data_handle_t handle;
  starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)value, (uint32_t)count, sizeof *value);
  return handle;
}

/* Rank 0 reduces what the others send and sends the result back. */
static void reduce(const hg_session *s, double *value, int64_t count, void (*join)(double *a, double b))
{
  enum { UP = 1 << 29, DOWN };
  if (s->ranks == 1 || count == 0) return;
  double *other = malloc((size_t)count * sizeof *other);
  if (!other) abort();
  starpu_data_handle_t mine = name_values(value, count), theirs = name_values(other, count);
  if (s->rank > 0) {
    starpu_mpi_send(mine, 0, UP, MPI_COMM_WORLD);
    starpu_mpi_recv(mine, 0, DOWN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int r = 1; s->rank == 0 && r < s->ranks; r++) {
    starpu_mpi_recv(theirs, r, UP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    starpu_data_acquire(mine, STARPU_RW);
    starpu_data_acquire(theirs, STARPU_R);
    for (int64_t i = 0; i < count; i++) join(&value[i], other[i]);
    starpu_data_release(theirs);
    starpu_data_release(mine);
  }
  for (int r = 1; s->rank == 0 && r < s->ranks; r++) starpu_mpi_send(mine, r, DOWN, MPI_COMM_WORLD);
  starpu_data_unregister(mine);
  starpu_data_unregister(theirs);
  free(other);
}

void hg_session_max(const hg_session *s, double *value)
{
  reduce(s, value, 1, keep_larger);
}

void hg_session_sum(const hg_session *s, double *value)
{
  reduce(s, value, 1, add);
}

void hg_session_sum_all(const hg_session *s, double *value, int64_t count)
{
  reduce(s, value, count, add);
}

void hg_session_barrier(const hg_session *s)
{
  if (s->ranks > 1) starpu_mpi_barrier(MPI_COMM_WORLD);
}

void hg_session_abort(const hg_session *s, hg_status status)
{
  hg_log(HG_ERROR, "rank %d: %s", s->rank, hg_message());
  _Exit(status == HG_INVALID ? 2 : 1);
}
