/* SPDX-License-Identifier: MIT */
/* Ranks that are processes of MPI. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "codelets/gpu.h"
#include "graph/ranks.h"
#include "graph/workers.h"
#include "model/tables.h"

/* Set by the launchers of Open MPI, MPICH and relatives, and PMIx. Without a launcher MPI is left alone: starting it
 * takes a tenth of a second or more and needs a daemon. */
static bool launched_by_mpi(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return true;
  return false;
}

/* Gives each rank of a node its share of the cores, unless the launcher has bound it already: StarPU binds its workers
 * to the cores the process may use, and would put those of all ranks on the same ones. Returns the number of cores. */
static int share_cores(void)
{
  cpu_set_t all, mine;
  MPI_Comm node;
  int rank, ranks, cores;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof all, &all);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  cores = CPU_COUNT(&all);
  if (ranks == 1 || cores < (int)sysconf(_SC_NPROCESSORS_ONLN)) return cores;
  int each = cores / ranks > 0 ? cores / ranks : 1, seen = 0, taken = 0;
  for (size_t cpu = 0; cpu < CPU_SETSIZE && taken < each; cpu++)
    if (CPU_ISSET(cpu, &all) && seen++ >= rank * each % cores) {
      CPU_SET(cpu, &mine);
      taken++;
    }
  sched_setaffinity(0, sizeof mine, &mine);
  return each;
}

/* StarPU-MPI reserves a core for its progress thread. Where cores are few, all of them compute, and the progress
 * thread, which may nap when it has nothing to do (mpi_nap.h), shares one. What the user has set stays. */
static void share_with_mpi(hg_session *s, struct starpu_conf *conf, int cores)
{
  enum { CORES_TO_SPARE_ONE = 8 };
  if (cores >= CORES_TO_SPARE_ONE || getenv("STARPU_NCPU") || getenv("STARPU_NCPUS")) return;
  conf->ncpus = cores;
  s->mpi_shares_core = true;
  hg_mpi_nap_enable();
  setenv("STARPU_MPI_NOBIND", "1", 0);
}

int hg_session_launch_rank(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return atoi(getenv(names[i]));
  return 0;
}

hg_status hg_ranks_start(hg_session *s, struct starpu_conf *conf)
{
  *s = (hg_session){.ranks = 1, .mpi = launched_by_mpi()};
  if (!s->mpi) return HG_OK;
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s->ranks);
  hg_log_set_rank(s->rank);
  if (provided < MPI_THREAD_MULTIPLE)
    return hg_fail(HG_RUNTIME, "this MPI has no MPI_THREAD_MULTIPLE, which StarPU-MPI needs");
  share_with_mpi(s, conf, share_cores());
  return HG_OK;
}

void hg_ranks_stop(hg_session *s)
{
  if (!s->mpi) return;
  MPI_Barrier(MPI_COMM_WORLD); /* what the ranks recorded is in their files */
  MPI_Finalize();
}

/* The workers of this rank; its processor's model, which is the same for all cores, is read once. */
static void describe_workers(int count, hg_worker_note *worker)
{
  char model[HG_MODEL_NAME] = "";
  hg_cpu_model(model, sizeof model);
  memset(worker, 0, (size_t)count * sizeof *worker);
  for (int i = 0; i < count; i++) {
    const bool cuda = starpu_worker_get_type(i) == STARPU_CUDA_WORKER;
    worker[i].kind = cuda ? HG_CUDA_WORKER : HG_CPU_WORKER;
    if (cuda)
      hg_gpu_model(starpu_worker_get_devid(i), worker[i].model, sizeof worker[i].model);
    else
      memcpy(worker[i].model, model, sizeof model);
  }
}

/* Every rank learns about all workers, since all cut the same tiles. */
hg_status hg_ranks_collect(hg_session *s)
{
  int counts[s->ranks], bytes[s->ranks], places[s->ranks], total = 0;
  hg_worker_note mine[s->workers + 1];
  describe_workers(s->workers, mine);
  counts[0] = s->workers;
  if (s->mpi) MPI_Allgather(&s->workers, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < s->ranks; r++) {
    bytes[r] = counts[r] * (int)sizeof *mine;
    places[r] = total * (int)sizeof *mine;
    total += counts[r];
  }
  hg_worker_note *all = malloc(((size_t)total + 1) * sizeof *all);
  if (!all) return hg_fail(HG_MEMORY, "no memory for %d workers", total);
  memcpy(all, mine, (size_t)s->workers * sizeof *all);
  if (s->mpi) MPI_Allgatherv(mine, bytes[s->rank], MPI_BYTE, all, bytes, places, MPI_BYTE, MPI_COMM_WORLD);
  const hg_status status = hg_session_set_workers(s, counts, all);
  free(all);
  return status;
}

hg_status hg_session_agree(const hg_session *s, hg_status mine)
{
  if (!s->mpi) return mine;
  int bad = mine == HG_OK ? s->ranks : s->rank, first;
  MPI_Allreduce(&bad, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == s->ranks) return HG_OK;
  char text[1024];
  int code = mine;
  snprintf(text, sizeof text, "%s", hg_message());
  MPI_Bcast(text, sizeof text, MPI_CHAR, first, MPI_COMM_WORLD);
  MPI_Bcast(&code, 1, MPI_INT, first, MPI_COMM_WORLD);
  return hg_fail((hg_status)code, "%s", text);
}

void hg_session_max(const hg_session *s, double *value)
{
  if (s->mpi) MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

void hg_session_sum(const hg_session *s, double *value)
{
  if (s->mpi) MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void hg_session_sum_all(const hg_session *s, double *value, int64_t count)
{
  enum { PART = 1 << 24 }; /* MPI counts with int */
  for (int64_t at = 0; s->mpi && at < count; at += PART) {
    int part = count - at < PART ? (int)(count - at) : PART;
    MPI_Allreduce(MPI_IN_PLACE, value + at, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

void hg_session_barrier(const hg_session *s)
{
  if (s->mpi) MPI_Barrier(MPI_COMM_WORLD);
}

void hg_session_abort(const hg_session *s, int code)
{
  if (s->mpi) MPI_Abort(MPI_COMM_WORLD, code);
  _Exit(code);
}
