/* SPDX-License-Identifier: MIT */
/* What a free worker does next: a task of its own queue or of its group's, else one that others are too slow for. */
#include <math.h>

#include "schedulers/availability.h"
#include "schedulers/constants.h"
#include "schedulers/costs.h"
#include "schedulers/memory.h"
#include "schedulers/placement.h"
#include "schedulers/prefetch.h"
#include "schedulers/queues.h"
#include "schedulers/stealing.h"
#include "schedulers/transfers.h"
#include "schedulers/workers.h"

/* Whether it pays that a thief, for which a task takes `seconds` and its data `transfer`, takes it from a queue that
 * is done with it at `end`, where it takes `there`: if it is done earlier, and saves more than bringing the data back
 * will cost, unless nobody will want them there. */
static bool is_earlier(double seconds, double transfer, double end, double there, bool last)
{
  return seconds + transfer < end && (last || there > transfer);
}

/* A task leaves the queue of a worker for another's. */
static hg_ready *move(hg_policy *p, hg_queue *q, int i, int from, double seconds)
{
  hg_ready *r = hg_sched_take(p, q, i);
  if (from >= 0 && r->prefetched) hg_sched_release(p, from, r);
  r->prefetched = false;
  r->seconds = seconds;
  return r;
}

/* Whether workers of the context take from queue i. */
static bool is_served(const hg_policy *p, int i)
{
  if (i < p->workers) return p->worker[i].member;
  return i < p->workers + p->groups && p->group[i - p->workers].members > 0;
}

/* A task that waits for a worker which has left the context. */
static hg_ready *adopt_orphan(hg_policy *p, int thief)
{
  if (hg_sched_workers_changed(p)) hg_sched_find_workers(p);
  for (int i = 0; i < hg_sched_queues(p); i++) {
    hg_queue *q = hg_sched_queue(p, i);
    if (q->count == 0 || is_served(p, i)) continue;
    const double seconds = hg_sched_expected(p, hg_queue_at(q, 0), thief);
    if (isfinite(seconds)) return move(p, q, 0, i < p->workers ? i : -1, seconds);
  }
  return NULL;
}

/* A task that another queue has, with what a thief would save. */
typedef struct candidate {
  hg_queue *queue;
  int number, victim; /* -1: a group's */
  double seconds, saved;
  bool offered; /* to a thief that sleeps */
} candidate;

/* s until the worker has done this task of its queue, or its group has. */
static double done_there(const hg_policy *p, int victim, const hg_queue *q, int i, double time)
{
  const hg_ready *r = hg_queue_at(q, i);
  const hg_group *g = &p->group[p->worker[victim].group];
  const hg_sched_worker *m = &p->worker[victim];
  const double before = hg_queue_before(q, i), left = hg_sched_remaining_started(m, time);
  if (q == &g->queue) return left + r->seconds + before / fmax(g->capacity, 1);
  const double all = q->seconds, part = all > 0 ? (before + r->seconds) / all : 1;
  return left + part * hg_sched_scaled(m, all);
}

/* Of a tile that has an owner a worker takes a task if it is done with it, and its data are back, before the owner
 * would begin. One that sleeps waits for its neighbours' borders and is offered none. */
static void look_at(const hg_policy *p, int thief, int victim, hg_queue *q, int number, double time, candidate *best)
{
  const hg_ready *r = hg_queue_at(q, number);
  const bool owned = hg_sched_owner(p, r->task) >= 0, last = hg_sched_is_last(p, r->node);
  if (owned && best->offered) return;
  const double seconds = hg_sched_expected(p, r, thief);
  if (!isfinite(seconds)) return;
  const double end = done_there(p, victim, q, number, time);
  if (seconds >= end) return;
  const double transfer = hg_sched_transfer_time(p, r, thief), there = hg_sched_scaled(&p->worker[victim], r->seconds);
  const bool pays = owned ? seconds + 2 * transfer < end - r->seconds : is_earlier(seconds, transfer, end, there, last);
  const double saved = end - seconds - transfer - hg_sched_energy_penalty(p, r->task, thief, seconds, 0) +
                       hg_sched_energy_penalty(p, r->task, victim, r->seconds, 0);
  if (pays && saved > fmax(best->saved, 0))
    *best = (candidate){q, number, q == &p->worker[victim].queue ? victim : -1, seconds, saved, best->offered};
}

/* Whether a thief need not look further: of workers that are alike any task saves as much. */
static bool will_do(const hg_policy *p, const candidate *best)
{
  return best->number >= 0 && hg_sched_are_equal(p);
}

/* Of a few of the last tasks of a queue the one that saves most. */
static void look_through(const hg_policy *p, int thief, int victim, hg_queue *q, double time, candidate *best)
{
  const int last = q->count - 1;
  for (int i = last; i >= 0 && i > last - HG_CHOICE && !will_do(p, best); i--)
    look_at(p, thief, victim, q, i, time, best);
}

/* Looks at the workers that have longest to do, and at other groups. */
static hg_ready *steal(hg_policy *p, int thief)
{
  const double time = hg_sched_now();
  bool seen[STARPU_NMAXWORKERS] = {false}, looked_at[STARPU_NMAXWORKERS] = {false};
  candidate best = {.number = -1, .saved = -INFINITY};
  for (int round = 0; round < HG_CHOICE && !will_do(p, &best); round++) {
    int victim = -1;
    double longest = 0;
    for (int w = 0; w < p->workers; w++) {
      if (w == thief || seen[w] || p->worker[w].queue.count == 0) continue;
      const double end = hg_sched_available(p, w, time);
      if (end > longest) longest = end, victim = w;
    }
    if (victim < 0) break;
    seen[victim] = true;
    look_through(p, thief, victim, &p->worker[victim].queue, time, &best);
  }
  for (int w = 0; w < p->workers; w++) {
    const int g = p->worker[w].group;
    if (g == p->worker[thief].group || looked_at[g] || !p->worker[w].member) continue;
    looked_at[g] = true;
    if (p->group[g].queue.count > 0) look_through(p, thief, w, &p->group[g].queue, time, &best);
  }
  return best.number >= 0 ? move(p, best.queue, best.number, best.victim, best.seconds) : NULL;
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
    look_through(p, thief, w, &p->worker[w].queue, hg_sched_now(), &best);
    if (best.number >= 0)
      hg_sched_put(p, &p->worker[thief].queue, thief, move(p, best.queue, best.number, best.victim, best.seconds));
  }
}

static bool is_faster(const hg_policy *p, int i, int w)
{
  const hg_sched_worker *m = &p->worker[i];
  return i != w && m->group == p->worker[w].group && m->member && m->speed >= HG_DIFFERS * p->worker[w].speed;
}

/* s until one of the group's faster workers is free. */
static double faster_left(const hg_policy *p, int w, double time)
{
  double least = INFINITY;
  for (int i = 0; i < p->workers; i++)
    if (is_faster(p, i, w))
      least = fmin(least, hg_sched_remaining_started(&p->worker[i], time) + p->worker[i].queue.seconds);
  return least;
}

/* What a worker leaves to faster ones must find one of them awake: they may have left it when they were slower. */
static void leave_to_faster(hg_policy *p, int w)
{
  for (int i = 0; i < p->workers; i++)
    if (is_faster(p, i, w)) hg_sched_alert(p, i);
}

/* The group's task for a worker: the first of those at the head, or the last of all, that no faster worker of the group
 * would be done with earlier. -1: none. */
static int from_group(const hg_policy *p, int w, double *seconds)
{
  enum { LOOK_AT = 32 };
  const hg_group *g = &p->group[p->worker[w].group];
  const hg_queue *q = &g->queue;
  if (q->count == 0) return -1;
  const double left = g->heterogeneous ? faster_left(p, w, hg_sched_now()) : INFINITY;
  const int head = isinf(left) ? 1 : LOOK_AT, last = q->count - 1;
  for (int i = 0; i <= last; i = i < head - 1 || i == last ? i + 1 : last) {
    const hg_ready *r = hg_queue_at(q, i);
    *seconds = g->heterogeneous ? hg_sched_expected(p, r, w) : r->seconds;
    if (*seconds <= left + hg_queue_before(q, i) / g->capacity + r->seconds) return i;
  }
  return -1;
}

/* The first task of the worker's own queue or of its group's. A GPU that has work waits with tasks whose data have not
 * come. */
hg_ready *hg_sched_pop(hg_policy *p, int w)
{
  hg_sched_worker *self = &p->worker[w];
  hg_queue *shared = &p->group[self->group].queue;
  bool has_all = true;
  double seconds = 0;
  const int own = self->queue.count > 0 ? hg_sched_readiest(p, w, &has_all) : -1, other = from_group(p, w, &seconds);
  if (other >= 0 &&
      (own < 0 || !has_all || hg_ready_before(hg_queue_at(shared, other), hg_queue_at(&self->queue, own))))
    return move(p, shared, other, -1, seconds);
  if (own >= 0) return move(p, &self->queue, own, w, hg_queue_at(&self->queue, own)->seconds);
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
