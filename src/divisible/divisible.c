/* SPDX-License-Identifier: MIT */
/* Divisible jobs for applications: one StarPU for all runs of the process. */
#include "divisible/divisible.h"

#include <stdlib.h>

#include "base/locale.h"
#include "base/memory.h"
#include "divisible/passes.h"

static hg_session session;          /* shared by all runs */
static hg_divisible_run **run_list; /* the open ones */
static int runs;
static bool preparing; /* a job's prepare functions run */
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
static hg_status check_caller(const char *function)
{
  return preparing || hg_session_in_task() ? hg_fail(HG_UNSUPPORTED, "%s: called by a function of the job", function)
                                           : HG_OK;
}

static hg_status begin(hg_divisible_run *run)
{
  preparing = true;
  const hg_status status = hg_divisible_begin(run);
  preparing = false;
  return status;
}

hg_status hg_divisible_open(const hg_divisible *job, hg_divisible_run **out)
{
  HG_C_LOCALE;
  if (!job || !out) return hg_fail(HG_INVALID, "hg_divisible_open: job or out is NULL");
  *out = NULL;
  HG_TRY(check_caller("hg_divisible_open"));
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
  HG_TRY(check_caller(function));
  return place_of(run) < runs ? HG_OK : hg_fail(HG_INVALID, "%s: this run has been closed", function);
}

hg_status hg_divisible_pass(hg_divisible_run *run)
{
  HG_C_LOCALE;
  HG_TRY(given(run, "hg_divisible_pass"));
  HG_TRY(begin(run));
  return hg_divisible_end(run);
}

hg_status hg_divisible_submit(hg_divisible_run *run, hg_divisible_run *after)
{
  HG_C_LOCALE;
  HG_TRY(given(run, "hg_divisible_submit"));
  if (session.ranks > 1)
    return hg_fail(HG_UNSUPPORTED, "hg_divisible_submit: on one rank only, there are %d", session.ranks);
  if (after) HG_TRY(given(after, "hg_divisible_submit"));
  if (after) HG_TRY(hg_divisible_end(after));
  return begin(run);
}

hg_status hg_divisible_wait(hg_divisible_run *run)
{
  HG_C_LOCALE;
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
  HG_C_LOCALE;
  HG_TRY(given(run, "hg_divisible_part"));
  if (!out) return hg_fail(HG_INVALID, "hg_divisible_part: out is NULL");
  return hg_item_part_find(run, array, out);
}

hg_status hg_divisible_scatter(hg_divisible_run *run, int array, const void *all)
{
  HG_C_LOCALE;
  HG_TRY(given(run, "hg_divisible_scatter"));
  return hg_item_part_scatter(run, array, all);
}

hg_status hg_divisible_gather(hg_divisible_run *run, int array, void *all)
{
  HG_C_LOCALE;
  HG_TRY(given(run, "hg_divisible_gather"));
  return hg_item_part_gather(run, array, all);
}

hg_status hg_divisible_hand_over(hg_divisible_run *from, int array, hg_divisible_run *to, int target)
{
  HG_C_LOCALE;
  HG_TRY(given(from, "hg_divisible_hand_over"));
  HG_TRY(given(to, "hg_divisible_hand_over"));
  return hg_item_part_hand_over(from, array, to, target);
}

hg_status hg_divisible_close(hg_divisible_run *run)
{
  HG_C_LOCALE;
  if (!run) return HG_OK;
  HG_TRY(given(run, "hg_divisible_close"));
  const hg_status status = hg_divisible_save(run);
  end_run(run);
  leave_session();
  return status;
}
