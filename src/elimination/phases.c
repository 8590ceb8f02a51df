/* SPDX-License-Identifier: MIT */
/* What the workers' time is spent on besides products. A task that chooses pivots or moves rows by them counts as
 * pivoting. Between two tasks a worker waits for messages until the last message of the second task's step has
 * arrived.
 *
 * Example: a task ends at 1 s, the panel of step 3 arrives at 4 s, and a product of step 3 begins at 4.5 s: 3 s of
 * waiting for messages, 0.5 s of neither. */
#include <math.h>
#include <stdlib.h>

#include "codelets/lu/lu_tournament_codelet.h"
#include "elimination/graph.h"
#include "elimination/tiles.h"

/* in s, from the times that StarPU records for tasks */
static double seconds(struct timespec time)
{
  return starpu_timing_timespec_to_us(&time) * 1e-6;
}

static bool is_pivoting(const struct starpu_task *task)
{
  const struct starpu_codelet *c = task->cl;
  if (c == &hg_lu_column_codelet) return !((const hg_lu_task *)task->cl_arg)->solve;
  return c == &hg_lu_panel_codelet || c == &hg_lu_choose_codelet || c == &hg_lu_decide_codelet ||
         c == &hg_lu_scale_codelet || c == &hg_lu_pack_codelet;
}

/* Called by the worker when one of its tasks has ended. */
static void add_task(void *arg)
{
  hg_lu_step *const *here = arg;
  const struct starpu_task *task = starpu_task_get_current();
  const struct starpu_profiling_task_info *info = task ? task->profiling_info : NULL;
  if (!info || !here) return;
  const hg_lu_step *step = *here;
  hg_lu_spent *s = &step->e->spent[info->workerid];
  const double start = seconds(info->start_time), end = seconds(info->end_time);
  double arrived;
  __atomic_load(&step->arrived, &arrived, __ATOMIC_ACQUIRE);
  s->messages += fmax(fmin(start, arrived) - s->end, 0);
  if (is_pivoting(task)) s->pivoting += end - start;
  s->end = end;
}

hg_lu_callback *hg_lu_task_ended(const hg_elimination *e)
{
  return e->watched ? add_task : NULL;
}

hg_lu_step **hg_lu_step_here(const hg_elimination *e)
{
  hg_lu_step **here = e->watched ? malloc(sizeof *here) : NULL;
  if (here) *here = &e->steps[e->step];
  return here;
}

void hg_lu_message_arrived(void *arg)
{
  hg_lu_step *step = arg;
  double now = starpu_timing_now() * 1e-6;
  __atomic_store(&step->arrived, &now, __ATOMIC_RELEASE);
}

void hg_elimination_watch(hg_elimination *e, bool watched)
{
  e->watched = watched;
  if (!watched) return;
  for (int k = 0; k <= e->tiles; k++) e->steps[k] = (hg_lu_step){.e = e};
  for (int w = 0; w < e->session->workers; w++) e->spent[w] = (hg_lu_spent){.end = starpu_timing_now() * 1e-6};
}

void hg_elimination_phases(const hg_elimination *e, const hg_worker_use *use, hg_worker_times *times)
{
  for (int w = 0; w < e->session->workers; w++) {
    const hg_lu_spent *s = &e->spent[w];
    times[w] = (hg_worker_times){.unpack = use[w].transfers + s->messages,
                                 .compute = use[w].busy - s->pivoting,
                                 .dynamic = s->pivoting,
                                 .busy = use[w].busy + use[w].transfers + s->messages};
  }
}
