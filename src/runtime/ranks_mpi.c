/* SPDX-License-Identifier: MIT */
/* Ranks that are MPI processes. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/log.h"
#include "base/topology.h"
#include "codelets/simulated_costs.h"
#include "codelets/gpu/gpu.h"
#include "runtime/comm.h"
#include "runtime/oversubscription.h"
#include "runtime/ranks.h"
#include "runtime/workers.h"
#include "speed/tables.h"

/* Without a launcher MPI is not started: that would take a tenth of a second or more and need a daemon. */
bool hg_session_is_launched(void)
{
  return hg_environment_is_launched();
}

/* --- MPI, which can start and end only once in a process --- */

static pid_t starter;   /* process in which this library started MPI; 0: it did not */
static int joined;      /* number of sessions */
static cpu_set_t whole; /* cores of the process before it was restricted to its share */
static bool shares = false;

/* Runs at the exit of the process. A rank that fails alone must not wait for the others, which are waiting for it: the
 * launcher then ends them. */
static void end_mpi(int status, void *unused)
{
  static const double PATIENCE = 2;
  int ended;
  MPI_Request all;
  (void)unused;
  MPI_Finalized(&ended);
  if (ended || starter != getpid() || joined > 0) return;
  if (status != 0 && (MPI_Ibarrier(MPI_COMM_WORLD, &all) != MPI_SUCCESS || !hg_wait_quietly(1, &all, PATIENCE))) return;
  MPI_Finalize();
}

static hg_status start_mpi(void)
{
  int provided;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
    return hg_fail(HG_RUNTIME, "MPI cannot be started");
  starter = getpid();
  hg_comm_guard(MPI_COMM_WORLD);
  hg_comm_guard(MPI_COMM_SELF); /* its handler is used where there is no communicator */
  return on_exit(end_mpi, NULL) == 0 ? HG_OK : hg_fail(HG_RUNTIME, "no memory to finalise MPI at exit");
}

static hg_status check_threads(void)
{
  static const char *const names[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED"};
  static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED};
  int provided;
  MPI_Query_thread(&provided);
  if (provided >= MPI_THREAD_MULTIPLE) return HG_OK;
  if (starter) return hg_fail(HG_RUNTIME, "this MPI does not support MPI_THREAD_MULTIPLE, which StarPU-MPI needs");
  const char *name = "less";
  for (int i = 0; i < 3; i++)
    if (provided == levels[i]) name = names[i];
  return hg_fail(HG_RUNTIME, "MPI was initialised with %s, StarPU-MPI needs MPI_THREAD_MULTIPLE (by MPI_Init_thread)",
                 name);
}

/* Starts MPI if `wanted`; *runs tells whether it runs. */
static hg_status need_mpi(bool wanted, bool *runs)
{
  int started, ended;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  *runs = started || hg_session_is_launched();
  if (ended) return hg_fail(HG_RUNTIME, "MPI has been finalised in this process, and cannot be started again");
  if (wanted && !started) return hg_fail(HG_INVALID, "communicator: MPI is not initialised");
  if (!*runs) return HG_OK;
  if (!started) HG_TRY(start_mpi());
  return check_threads();
}

/* --- a session's ranks --- */

/* The user's communicator may return errors; its duplicates here do not. */
static hg_status duplicate(MPI_Comm comm, struct hg_comms *comms)
{
  if (MPI_Comm_dup(comm, &comms->own) != MPI_SUCCESS)
    return hg_fail(HG_RUNTIME, "communicator: MPI cannot duplicate it");
  hg_comm_guard(comms->own);
  MPI_Comm_dup(comms->own, &comms->tasks);
  return HG_OK;
}

hg_status hg_session_join(const void *communicator, hg_session *s)
{
  bool runs;
  *s = (hg_session){.ranks = 1};
  HG_TRY(need_mpi(communicator != NULL, &runs));
  if (!runs) return HG_OK;
  const MPI_Comm comm = communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD;
  if (comm == MPI_COMM_NULL) return hg_fail(HG_INVALID, "communicator: is MPI_COMM_NULL in this process");
  struct hg_comms *comms = malloc(sizeof *comms);
  if (!comms) return hg_fail(HG_MEMORY, "no memory for a communicator");
  const hg_status status = duplicate(comm, comms);
  if (status != HG_OK) free(comms);
  HG_TRY(status);
  s->mpi = true;
  s->comms = comms;
  MPI_Comm_rank(comms->own, &s->rank);
  MPI_Comm_size(comms->own, &s->ranks);
  hg_log_set_rank(s->rank);
  joined++;
  return HG_OK;
}

hg_status hg_session_is_of(const void *communicator, const hg_session *s)
{
  const MPI_Comm comm = communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD;
  int likeness = MPI_UNEQUAL;
  if (!s->mpi && !communicator) return HG_OK;
  if (s->mpi && comm != MPI_COMM_NULL) MPI_Comm_compare(comm, s->comms->own, &likeness);
  if (likeness == MPI_IDENT || likeness == MPI_CONGRUENT) return HG_OK;
  return hg_fail(HG_UNSUPPORTED, "communicator: its ranks are not the %d of the runs that are open", s->ranks);
}

/* Communicator of the ranks of this machine; the caller frees it. */
static MPI_Comm ranks_of_host(const hg_session *s)
{
  MPI_Comm node;
  MPI_Comm_split_type(s->comms->own, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  return node;
}

/* Whether the ranks of a node may use different hardware threads, which means that the launcher has bound them. */
static bool differ(MPI_Comm node, const cpu_set_t *mine)
{
  cpu_set_t any, all;
  MPI_Allreduce(mine, &any, sizeof any, MPI_BYTE, MPI_BOR, node);
  MPI_Allreduce(mine, &all, sizeof all, MPI_BYTE, MPI_BAND, node);
  return !CPU_EQUAL(&any, &all);
}

/* Gives each rank of a node its share of the cores, unless the launcher has bound it already: StarPU binds its workers
 * to the cores that the process may use, which would otherwise be the same for all ranks. Returns the number of
 * cores. */
static int share_cores(const hg_session *s)
{
  cpu_set_t mine;
  MPI_Comm node = ranks_of_host(s);
  int rank, ranks;
  CPU_ZERO(&whole); /* stays so if a machine has more threads than the set */
  sched_getaffinity(0, sizeof whole, &whole);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  const bool share = ranks > 1 && !differ(node, &whole);
  MPI_Comm_free(&node);
  const int threads = CPU_COUNT(&whole);
  const int cores = share ? hg_topology_part(rank, ranks, &whole, &mine) : hg_topology_cores(&whole);
  if (share && cores > 0) shares = sched_setaffinity(0, sizeof mine, &mine) == 0;
  return cores > 0 ? cores : threads > 0 ? threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Number of workers that the user asks for; 0: not specified. */
static int wanted_workers(void)
{
  const char *text = getenv("STARPU_NCPU") ? getenv("STARPU_NCPU") : getenv("STARPU_NCPUS");
  return text ? atoi(text) : 0;
}

/* StarPU-MPI reserves a core for its progress thread. If there are few cores, or the user asks for as many workers as
 * cores, all of them compute and the progress thread shares one; it may back off when it has nothing to do
 * (mpi_backoff.h). Other settings of the user stay. In virtual time nothing is shared. */
static void share_with_mpi(hg_session *s, struct starpu_conf *conf, int cores)
{
  const int wanted = wanted_workers();
  if (hg_simulated || (wanted ? wanted < cores : cores >= HG_CORES_TO_SPARE_ONE)) return;
  if (!wanted) conf->ncpus = cores;
  s->mpi_shares_core = true;
  hg_mpi_backoff_enable();
  hg_environment_lend("STARPU_MPI_NOBIND", "1");
}

int hg_session_launch_rank(void)
{
  return hg_environment_rank();
}

/* MPI's blocking calls do not match those that wait quietly, so all ranks make the same. */
static void agree_to_wait(hg_session *s)
{
  int some = s->mpi_shares_core;
  MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, s->comms->own);
  s->some_share_core = some;
}

hg_status hg_ranks_prepare(hg_session *s, struct starpu_conf *conf)
{
  if (!s->mpi) return HG_OK;
  share_with_mpi(s, conf, share_cores(s));
  agree_to_wait(s);
  return HG_OK;
}

bool hg_ranks_are_all(const hg_session *s)
{
  int all = 1;
  if (s->mpi) MPI_Comm_size(MPI_COMM_WORLD, &all);
  return s->ranks == all;
}

void hg_ranks_leave(hg_session *s)
{
  if (!s->mpi) return;
  MPI_Request all; /* all ranks have completed their files and printed their messages */
  if (MPI_Ibarrier(s->comms->own, &all) == MPI_SUCCESS) hg_wait_quietly(1, &all, 0);
  MPI_Comm_free(&s->comms->own);
  MPI_Comm_free(&s->comms->tasks);
  free(s->comms);
  joined--;
  if (shares) sched_setaffinity(0, sizeof whole, &whole);
  shares = false;
}

/* The first rank of this rank's machine. Collective. */
static int first_of_host(const hg_session *s)
{
  int first = s->rank;
  if (!s->mpi) return first;
  MPI_Comm node = ranks_of_host(s);
  MPI_Bcast(&first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return first;
}

/* Describes the workers of this rank; the processor's model is the same for all cores and read once. */
static void describe_workers(int count, int host, hg_worker_note *worker)
{
  char model[HG_MODEL_NAME] = "";
  hg_cpu_model(model, sizeof model);
  memset(worker, 0, (size_t)count * sizeof *worker);
  for (int i = 0; i < count; i++) {
    const bool cuda = starpu_worker_get_type(i) == STARPU_CUDA_WORKER;
    worker[i].kind = cuda ? HG_CUDA_WORKER : HG_CPU_WORKER;
    worker[i].host = host;
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
  if (s->mpi && s->ranks > 1) hg_oversubscription_warn(s, &whole);
  if (s->mpi) hg_comm_guard(s->comms->tasks); /* StarPU-MPI makes errors return, but does not check all of them */
  describe_workers(s->workers, first_of_host(s), mine);
  counts[0] = s->workers;
  if (s->mpi) MPI_Allgather(&s->workers, 1, MPI_INT, counts, 1, MPI_INT, s->comms->own);
  for (int r = 0; r < s->ranks; r++) {
    bytes[r] = counts[r] * (int)sizeof *mine;
    places[r] = total * (int)sizeof *mine;
    total += counts[r];
  }
  hg_worker_note *all = malloc(((size_t)total + 1) * sizeof *all);
  const hg_status room = hg_session_agree(s, all ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d workers", total));
  if (room != HG_OK) {
    free(all);
    return room;
  }
  memcpy(all, mine, (size_t)s->workers * sizeof *all);
  if (s->mpi) MPI_Allgatherv(mine, bytes[s->rank], MPI_BYTE, all, bytes, places, MPI_BYTE, s->comms->own);
  const hg_status status = hg_session_set_workers(s, counts, all);
  free(all);
  return status;
}

/* Rank of the first failure (`ranks`: none); whether some rank has not failed. */
typedef struct outcome {
  int first, some_are_well;
} outcome;

static outcome outcome_of(const hg_session *s, hg_status mine)
{
  return (outcome){mine == HG_OK ? s->ranks : s->rank, mine == HG_OK ? 0 : 1};
}

/* Whether waiting must not poll, since tasks need the core. */
static bool is_quiet(const hg_session *s)
{
  return s->quiet || s->some_share_core;
}

static void reduce(const hg_session *s, void *value, int count, MPI_Datatype type, MPI_Op op)
{
  MPI_Request request;
  if (!is_quiet(s))
    MPI_Allreduce(MPI_IN_PLACE, value, count, type, op, s->comms->own);
  else if (MPI_Iallreduce(MPI_IN_PLACE, value, count, type, op, s->comms->own, &request) == MPI_SUCCESS)
    hg_wait_quietly(1, &request, 0);
}

static void bcast(const hg_session *s, void *bytes, size_t size, int from)
{
  MPI_Request request;
  if (!is_quiet(s))
    MPI_Bcast(bytes, (int)size, MPI_BYTE, from, s->comms->own);
  else if (MPI_Ibcast(bytes, (int)size, MPI_BYTE, from, s->comms->own, &request) == MPI_SUCCESS)
    hg_wait_quietly(1, &request, 0);
}

void hg_session_dup(const hg_session *s, hg_session *copy)
{
  static struct hg_comms comms; /* for one duplicate at a time */
  *copy = *s;
  copy->quiet = true;
  if (!s->mpi) return;
  MPI_Comm_dup(s->comms->own, &comms.own);
  comms.tasks = MPI_COMM_NULL;
  copy->comms = &comms;
}

void hg_session_free_dup(hg_session *copy)
{
  if (copy->mpi) MPI_Comm_free(&copy->comms->own);
  *copy = (hg_session){0};
}

/* All ranks take over the first failing rank's status and message. */
static hg_status adopt(const hg_session *s, hg_status mine, const outcome *v)
{
  if (v->first == s->ranks) return HG_OK;
  char text[1024];
  int code = mine;
  const bool alone = v->some_are_well == 0 && v->first > 0;
  if (alone && s->rank == v->first) {
    snprintf(text, sizeof text, "%.1000s", hg_message());
    hg_fail(mine, "rank %d: %s", s->rank, text);
  }
  snprintf(text, sizeof text, "%s", hg_message());
  bcast(s, text, sizeof text, v->first);
  bcast(s, &code, sizeof code, v->first);
  return hg_fail((hg_status)code, "%s", text);
}

hg_status hg_session_agree(const hg_session *s, hg_status mine)
{
  if (!s->mpi) return mine;
  outcome v = outcome_of(s, mine);
  reduce(s, &v, 2, MPI_INT, MPI_MIN);
  return adopt(s, mine, &v);
}

hg_status hg_session_agree_or_abort(const hg_session *s, hg_status mine)
{
  static const double PATIENCE = 5;
  if (!s->mpi) return mine;
  outcome v = outcome_of(s, mine);
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, &v, 2, MPI_INT, MPI_MIN, s->comms->own, &request);
  if (!hg_wait_quietly(1, &request, mine == HG_OK ? 0 : PATIENCE)) hg_session_abort(s, mine);
  return adopt(s, mine, &v);
}

void hg_session_bcast(const hg_session *s, void *bytes, size_t size)
{
  if (s->mpi) bcast(s, bytes, size, 0);
}

void hg_session_max(const hg_session *s, double *value)
{
  if (s->mpi) reduce(s, value, 1, MPI_DOUBLE, MPI_MAX);
}

void hg_session_sum(const hg_session *s, double *value)
{
  if (s->mpi) reduce(s, value, 1, MPI_DOUBLE, MPI_SUM);
}

void hg_session_sum_all(const hg_session *s, double *value, int64_t count)
{
  enum { PART = 1 << 24 }; /* MPI counts with int */
  for (int64_t at = 0; s->mpi && at < count; at += PART) {
    int part = count - at < PART ? (int)(count - at) : PART;
    reduce(s, value + at, part, MPI_DOUBLE, MPI_SUM);
  }
}

void hg_session_barrier(const hg_session *s)
{
  if (s->mpi) MPI_Barrier(s->comms->own);
}

void hg_session_abort(const hg_session *s, hg_status status)
{
  hg_log(HG_ERROR, "rank %d: %s", s->rank, hg_message());
  fflush(NULL);
  const int code = status == HG_INVALID ? 2 : status == HG_NO_WORKER ? 77 : 1;
  if (s->mpi) MPI_Abort(s->comms->own, code);
  _Exit(code);
}
