/* SPDX-License-Identifier: MIT */
#include "job/live.h"

#include <stdatomic.h>

#include "runtime/session.h"

static const hg_run *_Atomic live;
static const char *_Atomic worker; /* API function that works on the run, or NULL */
static atomic_bool between;        /* it waits for a function of the job that may access values */

hg_status hg_live_begin(hg_run *run)
{
  const hg_run *none = NULL;
  if (!atomic_compare_exchange_strong(&live, &none, run))
    return hg_fail(HG_UNSUPPORTED, "another run exists in this process; it must be finished or freed first");
  worker = "hg_start";
  return HG_OK;
}

void hg_live_end(const hg_run *run)
{
  if (!hg_live_is(run)) return;
  hg_live_rest();
  live = NULL;
}

bool hg_live_is(const hg_run *run)
{
  return run && run == live;
}

static hg_status check(const hg_run *run, const char *function)
{
  if (!run) return hg_fail(HG_INVALID, "%s: the run is NULL", function);
  if (!hg_live_is(run)) return hg_fail(HG_INVALID, "%s: this run has already been finished or freed", function);
  return hg_session_check_fork(function);
}

static hg_status refuse(const char *function, const char *other)
{
  return hg_fail(HG_UNSUPPORTED, "%s: called while %s is running, for example from a function of the job", function,
                 other);
}

hg_status hg_live_work(const hg_run *run, const char *function)
{
  const char *other = NULL;
  HG_TRY(check(run, function));
  return atomic_compare_exchange_strong(&worker, &other, function) ? HG_OK : refuse(function, other);
}

void hg_live_rest(void)
{
  worker = NULL;
}

hg_status hg_live_ask(const hg_run *run, const char *function)
{
  const char *other = worker;
  HG_TRY(check(run, function));
  return !other || between ? HG_OK : refuse(function, other);
}

void hg_live_between(bool steps)
{
  between = steps;
}
