/* SPDX-License-Identifier: MIT */
/* How long a worker stays busy: with what it has started and what waits for it, at the pace of its last tasks. */
#include <math.h>

#include "schedulers/availability.h"
#include "schedulers/constants.h"

bool hg_sched_has_stalled(const hg_sched_worker *w, double expected, double seconds)
{
  return w->cold || (expected > 0 && seconds > HG_STALL * expected);
}

/* A task that overruns may take as long again, unless its worker has stalled. A stall ends soon, and cores that took
 * the device's tasks meanwhile would hold them for long. */
double hg_sched_remaining(const hg_sched_worker *w, double time)
{
  const double passed = w->running_estimate > 0 ? time - w->started : 0;
  return hg_sched_has_stalled(w, w->running_estimate, passed) ? fmax(0, w->running_estimate - passed)
                                                              : fabs(w->running_estimate - passed);
}

double hg_sched_remaining_started(const hg_sched_worker *w, double time)
{
  const double rest = w->load > w->running_estimate ? w->load - w->running_estimate : 0;
  return w->bound_load + rest + hg_sched_remaining(w, time);
}

/* A worker that overruns is at least that slow; a task shorter than average says nothing about this. */
static double slowdown_now(const hg_sched_worker *w)
{
  if (w->begun <= 0 || w->running_estimate <= 0 || w->running_estimate < w->mean_estimate) return w->slowdown;
  const double passed = (hg_sched_now() - w->begun) / w->running_estimate;
  return passed > HG_LONG && !hg_sched_has_stalled(w, 1, passed) ? fmax(passed, w->slowdown) : w->slowdown;
}

/* Paces near 1 are noise. */
double hg_sched_scaled(const hg_sched_worker *w, double seconds)
{
  if (seconds <= 0) return 0;
  const double pace = slowdown_now(w);
  return pace * HG_NOISE > 1 && pace < HG_NOISE ? seconds : seconds * pace;
}

/* A task counts in proportion to its length: a short one that waited for its driver does not make the long ones seem
 * longer. One that takes far longer than expected sets the worker's slowdown at once. */
void hg_sched_note_slowdown(hg_sched_worker *w, double expected, double seconds)
{
  if (expected < HG_GRAIN) return; /* no estimate, or only a marker */
  const double took = fmin(seconds / expected, HG_STALL);
  hg_average_time(&w->mean_estimate, expected);
  const double part = fmin(expected / w->mean_estimate, 1);
  w->slowdown += (took - w->slowdown) * (part >= 1 && took > HG_LONG * w->slowdown ? 1 : part / HG_SOON);
}

double hg_sched_available(const hg_policy *p, int w, double time, bool link)
{
  const hg_sched_worker *m = &p->worker[w];
  const double done = hg_sched_remaining_started(m, time) + hg_sched_scaled(m, m->queue.seconds) +
                      (p->capacity > 0 ? p->shared.seconds / p->capacity : 0);
  return link ? fmax(done, p->memory[m->node].busy - time) : done;
}
