/* SPDX-License-Identifier: MIT */
#include "runtime/session.h"

#include <sched.h>
#include <starpu.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/locale.h"
#include "base/log.h"
#include "base/topology.h"
#include "codelets/gpu/gpu.h"
#include "codelets/simulated_costs.h"
#include "runtime/comm.h"
#include "runtime/ranks.h"
#include "runtime/record.h"
#include "runtime/starpu_environment.h"
#include "runtime/worker_list.h"
#include "runtime/worker_backoff.h"

static bool live;     /* StarPU runs for one of our sessions */
static pid_t starter; /* ... in this process */

/* Starts StarPU with the chosen policy, which STARPU_SCHED would override; that variable belongs to the process and is
 * restored. */
static int init_starpu(const hg_session *s, struct starpu_conf *conf)
{
  const char *wanted = getenv("STARPU_SCHED");
  char *kept = wanted ? strdup(wanted) : NULL;
  unsetenv("STARPU_SCHED");
  const int error = s->mpi ? starpu_mpi_init_conf(NULL, NULL, 0, s->comms->tasks, conf) : starpu_init(conf);
  if (kept) setenv("STARPU_SCHED", kept, 1);
  free(kept);
  return error;
}

/* Warns of settings in the environment that StarPU did not apply. */
static void warn_of_unmet(void)
{
  const struct {
    const char *name, *what;
    unsigned used;
  } asked[] = {{"STARPU_NCPU", "core", starpu_cpu_worker_get_count()},
               {"STARPU_NCPUS", "core", starpu_cpu_worker_get_count()},
               {"STARPU_NCUDA", "GPU", starpu_cuda_worker_get_count()}};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    const char *value = getenv(asked[i].name);
    const unsigned used = asked[i].used;
    if (value && strtol(value, NULL, 10) > (long)used)
      hg_log(HG_WARN, "%s=%s: only %u %s%s used, as StarPU found no more or was built for no more", asked[i].name,
             value, used, asked[i].what, used == 1 ? " is" : "s are");
  }
}

static bool may_rest(const hg_session *s)
{
  return !hg_simulated && s->workers > 0 && starpu_cuda_worker_get_count() == 0;
}

/* Whether polling workers leave no hardware thread for the threads that bring them tasks. The workers of a GPU share
 * one thread. */
static bool shall_backoff(const hg_session *s)
{
  cpu_set_t mine;
  if (s->mpi_shares_core) return true;
  if (hg_simulated || s->workers == 0) return false;
  const unsigned polling = starpu_cpu_worker_get_count() + starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
  return sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) <= (int)polling;
}

/* The submitting thread gets a core of its own, unless the environment sets the number of cores. If it shared one with
 * a polling GPU driver or a CPU task, it would get it back only at the system's next tick: on an H200 with 16 cores
 * and as many workers, panels waited 8 to 15 ms for the tasks that follow from their pivots. */
static void leave_core(const hg_session_options *options, struct starpu_conf *conf)
{
  hg_topology here;
  const bool said = conf->ncpus >= 0 || conf->reserve_ncpus >= 0 || getenv("STARPU_MAIN_THREAD_BIND");
  if (hg_simulated || said) return;
  if (!options->steers && (conf->ncuda == 0 || hg_gpu_count() == 0)) return;
  if (hg_topology_read(&here) != HG_OK) return;
  if (here.cores >= HG_CORES_TO_SPARE_ONE && here.threads <= here.cores) conf->reserve_ncpus = 1;
}

/* Several workers keep a GPU busy while one of them gets its next task. So none gets a task in advance, behind which
 * an urgent one would wait. */
static void share_gpus(int workers)
{
  static char text[16];
  snprintf(text, sizeof text, "%d", workers);
  hg_environment_lend("STARPU_NWORKER_PER_CUDA", text);
  const char *shared = getenv("STARPU_NWORKER_PER_CUDA");
  if (shared && strcmp(shared, "1") != 0) hg_environment_lend("STARPU_CUDA_PIPELINE", "1");
}

/* Settings that StarPU takes from its environment only, unless the user has set them. */
static void set_environment(const hg_session_options *options)
{
  if (options->gpu_workers > 1 && !hg_simulated) share_gpus(options->gpu_workers);
  hg_environment_lend("STARPU_SILENT", "1"); /* hides StarPU's remarks on the machine */
  /* tiles stay on their device: writing them back early only delays their tasks */
  hg_environment_lend("STARPU_MINIMUM_CLEAN_BUFFERS", "0");
  hg_environment_lend("STARPU_TARGET_CLEAN_BUFFERS", "0");
}

/* Workers read models and write logs, so they need the C locale. */
static void take_c_locale(void *unused)
{
  (void)unused;
  hg_locale_take();
}

static hg_status start_starpu(hg_session *s, const hg_session_options *options, struct starpu_conf *conf)
{
  HG_TRY(hg_policy_choose(options->sched, conf));
  set_environment(options);
  const int error = init_starpu(s, conf);
  if (error == -ENODEV) return hg_fail(HG_NO_WORKER, "StarPU found no processor to run on");
  if (error) return hg_fail(HG_RUNTIME, "StarPU could not start: %s", strerror(-error));
  s->open = live = true;
  starter = getpid();
  if (!hg_simulated) starpu_execute_on_each_worker(take_c_locale, NULL, STARPU_CPU | STARPU_CUDA);
  starpu_malloc_set_align(64);
  s->workers = (int)(starpu_cpu_worker_get_count() + starpu_cuda_worker_get_count());
  if (!hg_simulated) warn_of_unmet();
  if (!options->polls && shall_backoff(s)) hg_worker_backoff_begin();
  snprintf(s->sched, sizeof s->sched, "%s", starpu_sched_get_sched_policy()->policy_name);
  return HG_OK;
}

/* StarPU can run only once at a time in a process. */
static hg_status check_free(void)
{
  if (live) return hg_fail(HG_UNSUPPORTED, "another run exists in this process; it must be finished or freed first");
  if (!hg_simulated && starpu_is_initialized())
    return hg_fail(HG_UNSUPPORTED, "this process has started StarPU itself; it must shut StarPU down first");
  return HG_OK;
}

/* What may fail on one rank alone, before what ranks do together. */
static hg_status check_process(void)
{
  HG_TRY(check_free());
  return hg_starpu_environment_check();
}

static hg_status prepare(const hg_session_options *options, hg_session *s, struct starpu_conf *conf)
{
  HG_TRY(hg_session_agree(s, check_process()));
  starpu_conf_init(conf);
  HG_TRY(hg_ranks_prepare(s, conf));
  HG_TRY(hg_worker_list_start(options->workers, conf));
  leave_core(options, conf);
  if (options->trace && !hg_ranks_are_all(s)) /* StarPU-MPI synchronises the clocks of all of them */
    return hg_fail(HG_UNSUPPORTED, "--trace: not supported for a subset of the ranks that MPI has started");
  return HG_OK;
}

/* All ranks write to rank 0's folder. Simulated ranks, which are told nothing, see it under the same name. */
static hg_status prepare_record(const hg_session *s, const char *folder)
{
  char marker[HG_PATH_MAX] = "";
  if (hg_simulated && s->rank > 0) {
    mkdir(folder, 0777); /* whichever is first */
    HG_TRY(hg_file_in(folder, "", marker));
  }
  HG_TRY(hg_session_agree(s, s->rank == 0 ? hg_record_make_folder(folder, marker) : HG_OK));
  hg_session_bcast(s, marker, sizeof marker);
  const hg_status status = hg_session_agree(s, s->rank > 0 ? hg_record_find_folder(marker) : HG_OK);
  if (s->rank == 0) unlink(marker);
  return status == HG_OK ? hg_session_agree(s, hg_record_prepare(s->rank)) : status;
}

/* Ranks that record by FxT meet when StarPU-MPI starts, to set their clocks. */
static hg_status compare_recording(const hg_session *s)
{
  const char *value = getenv("STARPU_FXT_TRACE");
  const double mine = value && atoi(value) != 0;
  double any = mine, some_not = !(mine > 0);
  if (hg_simulated) return HG_OK;
  hg_session_max(s, &any);
  hg_session_max(s, &some_not);
  if (any <= 0 || some_not <= 0) return HG_OK;
  return hg_fail(HG_INVALID, "STARPU_FXT_TRACE: 1 on some ranks, 0 or not set on others, must be the same on all");
}

hg_status hg_session_open(const hg_session_options *options, hg_session *s)
{
  struct starpu_conf conf;
  HG_TRY(hg_session_agree(s, prepare(options, s, &conf)));
  if (options->trace) HG_TRY(prepare_record(s, options->trace));
  HG_TRY(compare_recording(s));
  HG_TRY(hg_session_agree(s, start_starpu(s, options, &conf)));
  HG_TRY(hg_session_agree(s, hg_ranks_collect(s)));
  hg_log(HG_INFO, "%d ranks, %d CPU workers, %d CUDA workers, policy %s", s->ranks, s->cpu_workers, s->cuda_workers,
         s->sched);
  return HG_OK;
}

hg_status hg_session_check_fork(const char *function)
{
  if (!live || starter == getpid()) return HG_OK;
  return hg_fail(HG_UNSUPPORTED, "%s: this process was forked during a run, whose threads it does not have", function);
}

bool hg_session_in_task(void)
{
  return starpu_is_initialized() && starpu_worker_get_id() >= 0;
}

void hg_session_pause(const hg_session *s)
{
  if (may_rest(s)) starpu_pause();
}

void hg_session_resume(const hg_session *s)
{
  if (may_rest(s)) starpu_resume();
}

static void stop_starpu(hg_session *s)
{
  if (hg_record_save(s->rank) != HG_OK) hg_log(HG_ERROR, "trace of rank %d: %s", s->rank, hg_message());
  if (s->mpi)
    starpu_mpi_shutdown_comm(s->comms->tasks); /* waits for the other ranks */
  else
    starpu_shutdown();
  hg_worker_backoff_end();
  s->open = live = false;
}

void hg_session_close(hg_session *s)
{
  if (s->open) stop_starpu(s);
  if (!live) hg_environment_restore();
  hg_ranks_leave(s);
  free(s->worker_rank);
  free(s->worker_host);
  free(s->kind);
  free(s->model);
  free(s->allowed);
  *s = (hg_session){0};
}
