/* SPDX-License-Identifier: MIT */
#include "runtime/session.h"

#include <sched.h>
#include <starpu.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/log.h"
#include "codelets/simulated_costs.h"
#include "runtime/comm.h"
#include "runtime/ranks.h"
#include "runtime/record.h"
#include "runtime/starpu_environment.h"
#include "runtime/worker_list.h"
#include "runtime/worker_backoff.h"
#include "schedulers/hetgrid_sched.h"

static bool live; /* StarPU runs for a session of ours */

/* Appends a name to a list if there is room. */
static void append(char *list, size_t size, const char *name)
{
  if (strlen(list) + strlen(name) + 2 > size) return;
  strcat(list, " ");
  strcat(list, name);
}

/* It asks how long tasks take on several cores at once, and aborts: our models tell workers apart. */
static bool is_for_parallel_tasks(const char *name)
{
  return strcmp(name, "pheft") == 0;
}

/* Whether StarPU has a policy of that name; `known` lists ours and its. */
static bool is_known(const char *name, char *known, size_t size)
{
  bool found = false;
  for (struct starpu_sched_policy **p = hg_sched_policies; *p; p++) append(known, size, (*p)->policy_name);
  for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++) {
    if (is_for_parallel_tasks((*p)->policy_name)) continue;
    found = found || strcmp((*p)->policy_name, name) == 0;
    append(known, size, (*p)->policy_name);
  }
  return found;
}

/* Our own policies by name, StarPU's by name, hetgrid if nothing is wanted. What STARPU_SCHED says
 * wins, also where it names one of ours, which StarPU would not know; a plugin may bring others. */
static hg_status choose_policy(const char *option, struct starpu_conf *conf)
{
  char known[1024] = "";
  const char *environment = getenv("STARPU_SCHED"), *wanted = environment ? environment : option;
  conf->sched_policy = hg_sched_find(wanted ? wanted : "hetgrid");
  conf->sched_policy_name = conf->sched_policy ? NULL : wanted;
  if (conf->sched_policy || is_known(wanted, known, sizeof known)) return HG_OK;
  if (is_for_parallel_tasks(wanted))
    return hg_fail(HG_INVALID, "%s: '%s' is for tasks that run on several cores at once, which hetgrid's do not",
                   environment ? "STARPU_SCHED" : "sched", wanted);
  if (environment && (getenv("STARPU_SCHED_LIB") || strcmp(environment, "help") == 0)) return HG_OK;
  return hg_fail(HG_INVALID, "%s: '%s' is unknown; known:%s", environment ? "STARPU_SCHED" : "sched", wanted, known);
}

/* StarPU does not know our policies by name, so it does not see them named; the environment is the
 * process' and stays.
 */
static int init_starpu(const hg_session *s, struct starpu_conf *conf)
{
  const char *wanted = getenv("STARPU_SCHED");
  char *kept = wanted && hg_sched_find(wanted) ? strdup(wanted) : NULL;
  if (kept) unsetenv("STARPU_SCHED");
  const int error = s->mpi ? starpu_mpi_init_conf(NULL, NULL, 0, s->comms->tasks, conf) : starpu_init(conf);
  if (kept) setenv("STARPU_SCHED", kept, 1);
  free(kept);
  return error;
}

static bool may_rest(const hg_session *s)
{
  return !hg_simulated && s->workers > 0 && starpu_cuda_worker_get_count() == 0;
}

/* Whether polling workers leave no hardware thread to those that are to bring them tasks. */
static bool shall_nap(const hg_session *s)
{
  cpu_set_t mine;
  if (s->mpi_shares_core) return true;
  return may_rest(s) && sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) <= s->workers;
}

/* Several workers keep a GPU busy while one of them is given its next task, so that none is given one ahead, behind
 * which an urgent one would wait. */
static void share_gpus(int workers)
{
  char text[16];
  snprintf(text, sizeof text, "%d", workers);
  setenv("STARPU_NWORKER_PER_CUDA", text, 0);
  if (strcmp(getenv("STARPU_NWORKER_PER_CUDA"), "1") != 0) setenv("STARPU_CUDA_PIPELINE", "1", 0);
}

/* What StarPU knows from its environment alone, unless the user has said it. */
static void set_environment(const hg_session_options *options)
{
  if (options->gpu_workers > 1 && !hg_simulated) share_gpus(options->gpu_workers);
  setenv("STARPU_SILENT", "1", 0); /* its remarks on the machine are not the user's concern */
  /* tiles stay on their device: writing them back ahead of any need only makes their tasks wait */
  setenv("STARPU_MINIMUM_CLEAN_BUFFERS", "0", 0);
  setenv("STARPU_TARGET_CLEAN_BUFFERS", "0", 0);
}

/* They read models, too, and write into logs. */
static void take_c_locale(void *unused)
{
  (void)unused;
  hg_locale_take();
}

static hg_status start_starpu(hg_session *s, const hg_session_options *options, struct starpu_conf *conf)
{
  HG_TRY(choose_policy(options->sched, conf));
  set_environment(options);
  const int error = init_starpu(s, conf);
  if (error == -ENODEV) return hg_fail(HG_NO_WORKER, "StarPU found no processor to run on");
  if (error) return hg_fail(HG_RUNTIME, "StarPU could not start: %s", strerror(-error));
  s->open = live = true;
  if (!hg_simulated) starpu_execute_on_each_worker(take_c_locale, NULL, STARPU_CPU | STARPU_CUDA);
  starpu_malloc_set_align(64);
  s->workers = (int)(starpu_cpu_worker_get_count() + starpu_cuda_worker_get_count());
  if (!options->polls && shall_nap(s)) hg_worker_nap_begin();
  snprintf(s->sched, sizeof s->sched, "%s", starpu_sched_get_sched_policy()->policy_name);
  return HG_OK;
}

/* StarPU runs once in a process. */
static hg_status check_free(void)
{
  if (live)
    return hg_fail(HG_UNSUPPORTED, "another run is live in this process; it must be finished or abandoned before");
  if (!hg_simulated && starpu_is_initialized())
    return hg_fail(HG_UNSUPPORTED, "this process has started StarPU itself; it must shut it down before");
  return HG_OK;
}

static hg_status prepare(const hg_session_options *options, hg_session *s, struct starpu_conf *conf)
{
  HG_TRY(check_free());
  HG_TRY(hg_starpu_environment_check());
  starpu_conf_init(conf);
  HG_TRY(hg_ranks_prepare(s, conf));
  HG_TRY(hg_worker_list_start(options->workers, conf));
  if (options->trace && !hg_ranks_are_all(s)) /* StarPU-MPI has all of them meet to set their clocks */
    return hg_fail(HG_UNSUPPORTED, "--trace: not of a part of the ranks that MPI has started");
  return options->trace ? hg_record_prepare(options->trace, s->rank) : HG_OK;
}

hg_status hg_session_open(const hg_session_options *options, hg_session *s)
{
  struct starpu_conf conf;
  HG_TRY(hg_session_agree(s, prepare(options, s, &conf)));
  HG_TRY(hg_session_agree(s, start_starpu(s, options, &conf)));
  HG_TRY(hg_session_agree(s, hg_ranks_collect(s)));
  hg_log(HG_INFO, "%d ranks, %d CPU workers, %d CUDA workers, policy %s", s->ranks, s->cpu_workers, s->cuda_workers,
         s->sched);
  return HG_OK;
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
  hg_worker_nap_end();
  s->open = live = false;
}

void hg_session_close(hg_session *s)
{
  if (s->open) stop_starpu(s);
  hg_ranks_leave(s);
  free(s->worker_rank);
  free(s->worker_host);
  free(s->kind);
  free(s->model);
  free(s->allowed);
  *s = (hg_session){0};
}
