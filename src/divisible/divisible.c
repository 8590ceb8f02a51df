/* SPDX-License-Identifier: MIT */
/* Divisible jobs for applications: one StarPU for all runs of the process. */
#include "divisible/divisible.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/locale.h"
#include "base/memory.h"
#include "divisible/passes.h"

static hg_session session;          /* shared by all runs */
static hg_divisible_run **run_list; /* the open ones */
static int runs;
static const char *_Atomic worker; /* function below that works on the runs, or NULL */
/* Ended runs, kept since StarPU writes the models of their tasks when it shuts down. */
static hg_divisible_run **ended;
static int ended_count;

static hg_status open_session(const hg_divisible *job)
{
  if (runs > 0) return hg_session_is_of(job->communicator, &session);
  HG_TRY(hg_session_join(job->communicator, &session));
  const hg_status status =
      hg_session_open(&(hg_session_options){.sched = job->sched, .workers = job->workers}, &session);
  if (status != HG_OK) hg_session_close(&session);
  return status;
}

static void leave_session(void)
{
  if (runs > 0) return;
  hg_session_close(&session);
  for (int i = 0; i < ended_count; i++) hg_free_distinct(ended[i]);
  free(ended);
  free(run_list);
  ended = run_list = NULL;
  ended_count = 0;
}

static int place_of(const hg_divisible_run *run)
{
  int i = 0;
  while (i < runs && run_list[i] != run) i++;
  return i;
}

/* If there is no memory for the list, the run is never freed. */
static void end_run(hg_divisible_run *run)
{
  hg_divisible_release(run);
  if (hg_grow("runs", (void **)&ended, ended_count, sizeof *ended) == HG_OK) ended[ended_count++] = run;
  run_list[place_of(run)] = run_list[runs - 1];
  runs--;
}

/* A task that waits for other tasks would block the worker they need. */
static hg_status take(const char *function, bool *taken)
{
  const char *other = NULL;
  HG_TRY(hg_session_check_fork(function));
  if (hg_session_in_task()) return hg_fail(HG_UNSUPPORTED, "%s: called by a function of the job", function);
  *taken = atomic_compare_exchange_strong(&worker, &other, function);
  if (*taken) return HG_OK;
  return hg_fail(HG_UNSUPPORTED, "%s: called by another thread or a function of the job during %s", function, other);
}

static void give(const bool *taken)
{
  if (*taken) worker = NULL;
}

/* Until the end of the function no other one works on the runs. */
#define HG_ALONE                                                                                                       \
  HG_C_LOCALE;                                                                                                         \
  __attribute__((cleanup(give))) bool hg_taken = false;                                                                \
  HG_TRY(take(__func__, &hg_taken))

hg_status hg_divisible_open(const hg_divisible *job, hg_divisible_run **out)
{
  if (!job || !out) return hg_fail(HG_INVALID, "hg_divisible_open: job or out is NULL");
  *out = NULL;
  HG_ALONE;
  HG_TRY(open_session(job));
  hg_status status = hg_grow("runs", (void **)&run_list, runs, sizeof *run_list);
  if (status == HG_OK) status = hg_divisible_make(&session, job, out);
  if (status == HG_OK)
    run_list[runs++] = *out;
  else
    leave_session();
  return status;
}

static hg_status given(const hg_divisible_run *run, const char *function)
{
  if (!run) return hg_fail(HG_INVALID, "%s: the run is NULL", function);
  return place_of(run) < runs ? HG_OK : hg_fail(HG_INVALID, "%s: this run has been closed", function);
}

hg_status hg_divisible_pass(hg_divisible_run *run)
{
  HG_ALONE;
  HG_TRY(given(run, "hg_divisible_pass"));
  HG_TRY(hg_divisible_begin(run));
  return hg_divisible_end(run);
}

hg_status hg_divisible_submit(hg_divisible_run *run, hg_divisible_run *after)
{
  HG_ALONE;
  HG_TRY(given(run, "hg_divisible_submit"));
  if (session.ranks > 1)
    return hg_fail(HG_UNSUPPORTED, "hg_divisible_submit: supports one rank only, there are %d", session.ranks);
  if (after) HG_TRY(given(after, "hg_divisible_submit"));
  if (after) HG_TRY(hg_divisible_end(after));
  return hg_divisible_begin(run);
}

hg_status hg_divisible_wait(hg_divisible_run *run)
{
  HG_ALONE;
  HG_TRY(given(run, "hg_divisible_wait"));
  return hg_divisible_end(run);
}

const hg_divisible_report *hg_divisible_report_of(const hg_divisible_run *run)
{
  static const hg_divisible_report none = {.state = "learning"};
  return run && place_of(run) < runs ? hg_divisible_last(run) : &none;
}

hg_status hg_divisible_part(hg_divisible_run *run, int array, hg_item_part *out)
{
  HG_ALONE;
  HG_TRY(given(run, "hg_divisible_part"));
  if (!out) return hg_fail(HG_INVALID, "hg_divisible_part: out is NULL");
  return hg_item_part_find(run, array, out);
}

hg_status hg_divisible_scatter(hg_divisible_run *run, int array, const void *all)
{
  HG_ALONE;
  HG_TRY(given(run, "hg_divisible_scatter"));
  return hg_item_part_scatter(run, array, all);
}

hg_status hg_divisible_gather(hg_divisible_run *run, int array, void *all)
{
  HG_ALONE;
  HG_TRY(given(run, "hg_divisible_gather"));
  return hg_item_part_gather(run, array, all);
}

hg_status hg_divisible_hand_over(hg_divisible_run *from, int array, hg_divisible_run *to, int target)
{
  HG_ALONE;
  HG_TRY(given(from, "hg_divisible_hand_over"));
  HG_TRY(given(to, "hg_divisible_hand_over"));
  return hg_item_part_hand_over(from, array, to, target);
}

hg_status hg_divisible_close(hg_divisible_run *run)
{
  if (!run) return HG_OK;
  HG_ALONE;
  HG_TRY(given(run, "hg_divisible_close"));
  const hg_status status = hg_divisible_save(run);
  end_run(run);
  leave_session();
  return status;
}
