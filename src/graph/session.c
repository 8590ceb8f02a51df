/* SPDX-License-Identifier: MIT */
#include "graph/session.h"

#include <mpi.h>
#include <sched.h>
#include <starpu.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "graph/mpi_nap.h"
#include "schedulers/hetgrid_sched.h"
#include "traces/record.h"

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
 * thread, which naps when it has nothing to do, shares one. What the user has set stays. */
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

/* Appends a name to a list if there is room. */
static void append(char *list, size_t size, const char *name)
{
  if (strlen(list) + strlen(name) + 2 > size) return;
  strcat(list, " ");
  strcat(list, name);
}

/* Our own policies by name, StarPU's by name, hetgrid if nothing is wanted. What STARPU_SCHED says wins, also where it
 * names one of ours, which StarPU would not know. */
static hg_status choose_policy(const char *wanted, struct starpu_conf *conf)
{
  char known[1024] = "";
  const char *environment = getenv("STARPU_SCHED");
  if (environment && hg_sched_find(environment)) {
    conf->sched_policy = hg_sched_find(environment);
    unsetenv("STARPU_SCHED");
    return HG_OK;
  }
  conf->sched_policy = hg_sched_find(wanted ? wanted : "hetgrid");
  conf->sched_policy_name = conf->sched_policy ? NULL : wanted;
  if (conf->sched_policy) return HG_OK;
  for (struct starpu_sched_policy **p = hg_sched_policies; *p; p++) append(known, sizeof known, (*p)->policy_name);
  for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++) {
    if (strcmp((*p)->policy_name, wanted) == 0) return HG_OK;
    append(known, sizeof known, (*p)->policy_name);
  }
  return hg_fail(HG_INVALID, "sched: '%s' is unknown; known:%s", wanted, known);
}

static hg_status start_starpu(hg_session *s, const hg_session_options *options, int cores)
{
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  if (s->mpi) share_with_mpi(s, &conf, cores);
  HG_TRY(choose_policy(options->sched, &conf));
  setenv("STARPU_SILENT", "1", 0); /* its remarks on the machine are not the user's concern */
  /* tiles stay on their device: writing them back ahead of any need only makes their tasks wait */
  setenv("STARPU_MINIMUM_CLEAN_BUFFERS", "0", 0);
  setenv("STARPU_TARGET_CLEAN_BUFFERS", "0", 0);
  int error = s->mpi ? starpu_mpi_init_conf(NULL, NULL, 0, MPI_COMM_WORLD, &conf) : starpu_init(&conf);
  if (error == -ENODEV) return hg_fail(HG_NO_WORKER, "StarPU found no processor to run on");
  if (error) return hg_fail(HG_RUNTIME, "StarPU could not start: %s", strerror(-error));
  starpu_malloc_set_align(64);
  s->workers = (int)(starpu_cpu_worker_get_count() + starpu_cuda_worker_get_count());
  snprintf(s->sched, sizeof s->sched, "%s", starpu_sched_get_sched_policy()->policy_name);
  return HG_OK;
}

/* Every rank learns the kinds of all workers, since all compute the same partition and tiles. */
static hg_status collect_workers(hg_session *s)
{
  int counts[s->ranks], places[s->ranks], mine[s->workers];
  for (int i = 0; i < s->workers; i++)
    mine[i] = starpu_worker_get_type(i) == STARPU_CUDA_WORKER ? HG_CUDA_WORKER : HG_CPU_WORKER;
  counts[0] = s->workers;
  if (s->mpi) MPI_Allgather(&s->workers, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < s->ranks; r++) {
    places[r] = s->all_workers;
    s->all_workers += counts[r];
  }
  int kinds[s->all_workers];
  memcpy(kinds, mine, sizeof mine);
  if (s->mpi) MPI_Allgatherv(mine, s->workers, MPI_INT, kinds, counts, places, MPI_INT, MPI_COMM_WORLD);
  s->worker_rank = malloc((size_t)s->all_workers * sizeof *s->worker_rank);
  s->kind = malloc((size_t)s->all_workers * sizeof *s->kind);
  if (!s->worker_rank || !s->kind) return hg_fail(HG_MEMORY, "no memory for %d workers", s->all_workers);
  for (int r = 0, i = 0; r < s->ranks; r++)
    for (int j = 0; j < counts[r]; j++, i++) {
      s->worker_rank[i] = r;
      s->kind[i] = (hg_worker_kind)kinds[i];
      if (s->kind[i] == HG_CPU_WORKER)
        s->cpu_workers++;
      else
        s->cuda_workers++;
    }
  return HG_OK;
}

hg_status hg_session_open(const hg_session_options *options, hg_session *s)
{
  *s = (hg_session){.ranks = 1, .mpi = launched_by_mpi()};
  int cores = 0;
  if (s->mpi) {
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->ranks);
    hg_log_set_rank(s->rank);
    if (provided < MPI_THREAD_MULTIPLE)
      return hg_fail(HG_RUNTIME, "this MPI has no MPI_THREAD_MULTIPLE, which StarPU-MPI needs");
    cores = share_cores();
  }
  hg_status status = options->trace ? hg_session_agree(s, hg_record_prepare(options->trace, s->rank)) : HG_OK;
  if (status == HG_OK) status = start_starpu(s, options, cores);
  if (status != HG_OK && s->mpi) MPI_Finalize();
  HG_TRY(status);
  HG_TRY(collect_workers(s));
  hg_log(HG_INFO, "%d ranks, %d CPU workers, %d CUDA workers, policy %s", s->ranks, s->cpu_workers, s->cuda_workers,
         s->sched);
  return HG_OK;
}

void hg_session_close(hg_session *s)
{
  if (hg_record_save(s->rank) != HG_OK) hg_log(HG_ERROR, "trace of rank %d: %s", s->rank, hg_message());
  if (s->mpi)
    starpu_mpi_shutdown();
  else
    starpu_shutdown();
  if (s->mpi) MPI_Barrier(MPI_COMM_WORLD); /* what the ranks recorded is in their files */
  if (s->mpi) MPI_Finalize();
  free(s->worker_rank);
  free(s->kind);
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
