/* SPDX-License-Identifier: MIT */
/* What a free worker does next: a task of its own or the shared queue, else one that waits for a slower worker. */
#include <math.h>

#include "schedulers/availability.h"
#include "schedulers/constants.h"
#include "schedulers/costs.h"
#include "schedulers/placement.h"
#include "schedulers/prefetch.h"
#include "schedulers/queues.h"
#include "schedulers/stealing.h"
#include "schedulers/transfers.h"
#include "schedulers/workers.h"

/* A task that waits for a worker which has left the context, or for any worker that can run it. */
static hg_ready *adopt_orphan(hg_policy *p, int thief)
{
  if (hg_sched_workers_changed(p)) hg_sched_find_workers(p);
  for (int i = 0; i < hg_sched_queues(p); i++) {
    hg_queue *q = hg_sched_queue(p, i);
    if (i == p->workers || (i < p->workers && p->worker[i].member)) continue;
    for (int e = 0; e < q->count; e++) {
      const double seconds = hg_sched_expected(p, hg_queue_at(q, e), thief);
      if (isfinite(seconds)) return hg_sched_take(p, q, e, seconds);
    }
  }
  return NULL;
}

/* A task in another worker's queue, with the time that a thief would save. */
typedef struct candidate {
  int victim, number; /* -1: none */
  double seconds, saved;
  bool offered; /* to a sleeping thief */
} candidate;

/* A thief takes a task if it finishes it earlier, counting the transfer of the data and, unless no other task needs
 * them, their way back. If the tile has an owner, all this must be done before the owner would begin. Such a task is
 * taken only by a thief that is ahead, since others wait for their neighbours' borders; it is never offered to one
 * that sleeps. */
static void look_at(const hg_policy *p, int thief, int victim, int number, double time, candidate *best)
{
  const hg_ready *r = hg_queue_at(&p->worker[victim].queue, number);
  const bool owned = r->owner >= 0, last = hg_sched_is_last(p, r->node);
  if (owned && (best->offered || hg_sched_rounds(p, thief) <= hg_sched_rounds(p, victim))) return;
  const double seconds = hg_sched_expected(p, r, thief);
  if (!isfinite(seconds)) return;
  const hg_sched_worker *m = &p->worker[victim];
  const double until = hg_queue_before(&m->queue, number) + r->seconds,
               end = hg_sched_remaining_started(m, time) + hg_sched_scaled(m, until);
  if (seconds >= end) return;
  const double transfer = hg_sched_transfer_time(p, r, thief);
  const double ready = owned ? end - r->seconds : end, moved = owned || !last ? 2 * transfer : transfer;
  const double saved = end - seconds - moved - hg_sched_energy_penalty(p, r->task, thief, seconds, 0) +
                       hg_sched_energy_penalty(p, r->task, victim, r->seconds, 0);
  if (seconds + moved < ready && saved > fmax(best->saved, 0))
    *best = (candidate){victim, number, seconds, saved, best->offered};
}

/* Whether a thief can stop looking: among identical workers any task saves equally much. */
static bool will_do(const hg_policy *p, const candidate *best)
{
  return best->number >= 0 && hg_sched_are_equal(p);
}

/* Among a few of the last tasks of a queue, the one that saves most. */
static void look_through(const hg_policy *p, int thief, int victim, double time, candidate *best)
{
  const int last = p->worker[victim].queue.count - 1;
  for (int i = last; i >= 0 && i > last - HG_CHOICE && !will_do(p, best); i--) look_at(p, thief, victim, i, time, best);
}

static hg_ready *carry_off(hg_policy *p, const candidate *best)
{
  return hg_sched_take(p, &p->worker[best->victim].queue, best->number, best->seconds);
}

/* Looks at the workers that are busy longest. */
static hg_ready *steal(hg_policy *p, int thief)
{
  const double time = hg_sched_now();
  bool seen[STARPU_NMAXWORKERS] = {false};
  candidate best = {.number = -1, .saved = -INFINITY};
  for (int round = 0; round < HG_CHOICE && !will_do(p, &best); round++) {
    int victim = -1;
    double longest = 0;
    for (int w = 0; w < p->workers; w++) {
      if (w == thief || seen[w] || p->worker[w].queue.count == 0) continue;
      const double end = hg_sched_available(p, w, time, true);
      if (end > longest) longest = end, victim = w;
    }
    if (victim < 0) break;
    seen[victim] = true;
    look_through(p, thief, victim, time, &best);
  }
  return best.number >= 0 ? carry_off(p, &best) : NULL;
}

void hg_sched_offer(hg_policy *p, int w)
{
  bool seen[STARPU_NMAXWORKERS] = {false};
  if (!p->steals || atomic_load(&p->idlers) == 0) return;
  for (int thief = 0; thief < p->workers; thief++) {
    const int g = p->worker[thief].group;
    if (!p->idle[thief] || !p->worker[thief].member || seen[g] || p->worker[w].queue.count == 0) continue;
    candidate best = {.number = -1, .saved = -INFINITY, .offered = true};
    seen[g] = true;
    look_through(p, thief, w, hg_sched_now(), &best);
    if (best.number >= 0) hg_sched_put(p, &p->worker[thief].queue, thief, carry_off(p, &best));
  }
}

static bool is_faster(const hg_policy *p, int i, int w)
{
  const hg_sched_worker *m = &p->worker[i];
  return i != w && m->member && m->speed >= HG_DIFFERS * p->worker[w].speed;
}

/* Seconds until one of the faster workers is free. */
static double faster_left(const hg_policy *p, int w, double time)
{
  double least = INFINITY;
  for (int i = 0; i < p->workers; i++)
    if (is_faster(p, i, w))
      least = fmin(least, hg_sched_remaining_started(&p->worker[i], time) + p->worker[i].queue.seconds);
  return least;
}

/* Faster workers must be awake for what this one leaves to them: they may have left it when they were slower. */
static void leave_to_faster(hg_policy *p, int w)
{
  for (int i = 0; i < p->workers; i++)
    if (is_faster(p, i, w)) hg_sched_alert(p, i);
}

/* The task of the shared queue for a worker: one of the first, or the very last, that no faster worker would finish
 * earlier. -1: none. */
static int from_shared(const hg_policy *p, int w, double *seconds)
{
  enum { LOOK_AT = 32 };
  const hg_queue *q = &p->shared;
  const bool same = hg_sched_are_equal(p);
  if (q->count == 0) return -1;
  const double left = p->heterogeneous ? faster_left(p, w, hg_sched_now()) : INFINITY;
  const int head = isinf(left) ? 1 : LOOK_AT, last = q->count - 1;
  for (int i = 0; i <= last; i = i < head - 1 || i == last ? i + 1 : last) {
    const hg_ready *r = hg_queue_at(q, i);
    *seconds = same ? r->seconds : hg_sched_expected(p, r, w);
    if (isfinite(*seconds) && *seconds <= left + hg_queue_before(q, i) / p->capacity + r->seconds) return i;
  }
  return -1;
}

/* The first task of the worker's own or the shared queue. A GPU that has work does not yet take tasks whose data have
 * not arrived. */
hg_ready *hg_sched_pop(hg_policy *p, int w)
{
  hg_sched_worker *self = &p->worker[w];
  hg_queue *shared = &p->shared;
  bool has_all = true;
  double seconds = 0;
  const int own = self->queue.count > 0 ? hg_sched_readiest(p, w, &has_all) : -1, other = from_shared(p, w, &seconds);
  if (other >= 0 &&
      (own < 0 || !has_all || hg_ready_before(hg_queue_at(shared, other), hg_queue_at(&self->queue, own))))
    return hg_sched_take(p, shared, other, seconds);
  if (own >= 0) return hg_sched_take(p, &self->queue, own, hg_queue_at(&self->queue, own)->seconds);
  if (shared->count > 0) leave_to_faster(p, w);
  return NULL;
}

hg_ready *hg_sched_steal(hg_policy *p, int w)
{
  hg_ready *r = adopt_orphan(p, w);
  return r || !p->steals ? r : steal(p, w);
}

void hg_sched_return(hg_policy *p, hg_task_graph_node *node)
{
  hg_sched_worker *w = &p->worker[node->worker];
  if (w->taken > 0) w->taken--;
  w->load = w->taken > 0 ? fmax(0, w->load - node->taken) : 0;
  node->worker = -1;
}
