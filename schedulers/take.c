/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "schedulers/policy.h"

/* Rounds over its tiles that a worker has done. */
static double progress(const hg_member *w)
{
  return w->owned > 0 ? (double)w->done / w->owned : INFINITY;
}

/* Whether it pays that `thief`, for which a task takes `seconds` and its data `transfer`, takes it from a queue that
 * ends at `end`, where it takes `there`: if it is done earlier, and saves more than bringing the data back will cost.
 */
static bool is_earlier(double seconds, double transfer, double end, double there)
{
  return seconds + transfer < end && there > transfer;
}

/* Whether it pays that `thief` takes the task from `victim`, whose queue ends at `end` s from now. In a stencil a
 * worker that is idle only because its neighbours' borders are missing takes nothing; one that is ahead does, and keeps
 * the tile if that balances better. */
static bool pays(const hg_policy *p, int thief, int victim, const hg_ready *r, double seconds, double end)
{
  const hg_member *a = &p->worker[thief], *b = &p->worker[victim];
  const double transfer = hg_sched_transfer(r->task, a->id);
  if (!p->uniform || r->tile < 0) return is_earlier(seconds, transfer, end, r->seconds);
  return progress(a) > progress(b) && seconds + 2 * transfer < end - r->seconds;
}

static void give_tile(hg_policy *p, int tile, int from, int to)
{
  hg_tile_owner *t = &p->owners.tile[tile];
  const double here = p->seconds[to] * (p->worker[to].owned + 1), there = p->seconds[from] * p->worker[from].owned;
  if (!p->uniform || t->worker != from || here >= there) return;
  t->worker = to;
  p->worker[from].owned--;
  p->worker[to].owned++;
}

/* The worker with tasks in its queue whose tiles are furthest behind, or -1. */
static int furthest_behind(const hg_policy *p)
{
  int found = -1;
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].member && p->worker[w].queue.count > 0 &&
        (found < 0 || progress(&p->worker[w]) < progress(&p->worker[found])))
      found = w;
  return found;
}

/* Whole tiles cannot be dealt out in proportion to speeds, so some workers are ahead a little more after each round
 * over their tiles. One that is ahead by more than a task takes, data on the way there and back included, does one for
 * the worker that is furthest behind. The tile goes back. */
bool hg_sched_lend_a_hand(hg_policy *p, int w, hg_ready *out)
{
  hg_member *self = &p->worker[w];
  if (!p->steals || !p->uniform || !p->complete || self->owned == 0 || self->done < self->helped + self->owned)
    return false;
  const int other = furthest_behind(p);
  if (other < 0 || other == w || p->worker[other].owned == 0) return false;
  const hg_member *behind = &p->worker[other];
  const double lead = (progress(self) - progress(behind)) * p->seconds[other] * behind->owned;
  const hg_ready *last = &behind->queue.ready[behind->queue.count - 1];
  unsigned implementation;
  const double seconds = hg_sched_expected(p, last->task, self->id, &implementation);
  self->helped = self->done;
  if (!(seconds > 0) || isinf(seconds) || last->tile < 0) return false;
  if (lead < seconds + 2 * hg_sched_transfer(last->task, self->id)) return false;
  *out = hg_sched_dequeue(p, other, behind->queue.count - 1);
  out->seconds = seconds;
  return true;
}

/* A task that waits for a worker which has left the context. */
static bool rescue(hg_policy *p, int thief, hg_ready *out)
{
  hg_sched_find_members(p);
  for (int w = 0; w < p->workers; w++) {
    unsigned implementation;
    if (p->worker[w].member || p->worker[w].queue.count == 0) continue;
    if (isinf(hg_sched_expected(p, p->worker[w].queue.ready[0].task, p->worker[thief].id, &implementation))) continue;
    *out = hg_sched_dequeue(p, w, 0);
    return true;
  }
  for (int g = 0; g < p->groups; g++) {
    unsigned implementation;
    hg_group *left = &p->group[g];
    if (left->members > 0 || left->queue.count == 0) continue;
    if (isinf(hg_sched_expected(p, left->queue.ready[0].task, p->worker[thief].id, &implementation))) continue;
    *out = hg_sched_take(p, &left->queue, &left->queued, 0);
    return true;
  }
  return false;
}

/* The last task of another group's queue, if it pays. */
static bool steal_shared(hg_policy *p, int thief, hg_ready *out)
{
  for (int w = 0; w < p->workers; w++) {
    hg_group *g = &p->group[p->worker[w].group];
    unsigned implementation;
    if (p->worker[w].group == p->worker[thief].group || g->queue.count == 0 || !p->worker[w].member) continue;
    struct starpu_task *task = g->queue.ready[g->queue.count - 1].task;
    double seconds = hg_sched_expected(p, task, p->worker[thief].id, &implementation);
    if (!(seconds > 0) || isinf(seconds) ||
        !is_earlier(seconds, hg_sched_transfer(task, p->worker[thief].id),
                    hg_sched_finish_time(p, &p->worker[w], hg_sched_now()), g->queue.ready[g->queue.count - 1].seconds))
      continue;
    *out = hg_sched_take(p, &g->queue, &g->queued, g->queue.count - 1);
    out->seconds = seconds;
    return true;
  }
  return false;
}

/* The last task of the longest queue that pays. */
static bool steal(hg_policy *p, int thief, hg_ready *out)
{
  const double time = hg_sched_now();
  int victim = -1;
  double longest = 0;
  for (int w = 0; w < p->workers; w++) {
    double end = hg_sched_finish_time(p, &p->worker[w], time);
    if (w == thief || p->worker[w].queue.count == 0 || end <= longest) continue;
    longest = end;
    victim = w;
  }
  if (victim < 0) return false;
  hg_queue *q = &p->worker[victim].queue;
  unsigned implementation;
  const int last = q->count - 1;
  double seconds = hg_sched_expected(p, q->ready[last].task, p->worker[thief].id, &implementation);
  if (isnan(seconds) || seconds <= 0)
    seconds = p->worker[thief].mean > 0 ? p->worker[thief].mean : q->ready[last].seconds;
  if (!isfinite(seconds) || !pays(p, thief, victim, &q->ready[last], seconds, longest)) return false;
  *out = hg_sched_dequeue(p, victim, last);
  out->seconds = seconds;
  if (out->tile >= 0) give_tile(p, out->tile, victim, thief);
  return true;
}

/* Whether all that the task reads is in the worker's memory. */
static bool has_data(struct starpu_task *task, unsigned node)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    int allocated, valid, loading, requested;
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_R)) continue;
    starpu_data_query_status2(STARPU_TASK_GET_HANDLE(task, b), (int)node, &allocated, &valid, &loading, &requested);
    if (!valid || loading || requested) return false;
  }
  return true;
}

/* Of the first tasks of the highest priority, the first whose data are there; if there is none, the one whose data were
 * asked for first, since waiting for it is shortest. */
static int readiest(const hg_member *w, bool *ready)
{
  enum { LOOK_AT = 128 };
  const hg_queue *q = &w->queue;
  const unsigned node = starpu_worker_get_memory_node((unsigned)w->id);
  int best = -1, oldest = 0;
  *ready = true;
  if (starpu_memory_nodes_get_count() == 1) return 0;
  for (int i = 0; i < q->count && i < LOOK_AT; i++) {
    const hg_ready *r = &q->ready[i];
    if (r->task->priority != q->ready[0].task->priority) continue;
    if (r->order < q->ready[oldest].order) oldest = i;
    if ((best < 0 || hg_ready_before(r, &q->ready[best])) && has_data(r->task, node)) best = i;
  }
  *ready = best >= 0;
  return best >= 0 ? best : oldest;
}

/* The first task of the worker's own queue or of its group's. A GPU that has work waits with tasks whose data have not
 * come. */
bool hg_sched_take_own(hg_policy *p, int w, hg_ready *out)
{
  hg_member *self = &p->worker[w];
  hg_group *g = &p->group[self->group];
  bool has_all = true;
  const int own = self->queue.count > 0 ? readiest(self, &has_all) : -1;
  const bool shared =
      g->queue.count > 0 && (own < 0 || !has_all || hg_ready_before(&g->queue.ready[0], &self->queue.ready[own]));
  if (shared)
    *out = hg_sched_take(p, &g->queue, &g->queued, 0);
  else if (own >= 0 && (has_all || self->ahead == 0))
    *out = hg_sched_dequeue(p, w, own);
  else
    return false;
  return true;
}

bool hg_sched_take_other(hg_policy *p, int w, hg_ready *out)
{
  return rescue(p, w, out) || (p->steals && (steal(p, w, out) || steal_shared(p, w, out)));
}
