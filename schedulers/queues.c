/* SPDX-License-Identifier: MIT */
/* The queues of ready tasks. Every ready task is in exactly one: the queue of a worker that is awake or being woken,
 * the shared queue as long as some worker is, or the queue of tasks that no worker currently in the context can run.
 * With HG_CHECKED defined this is checked each time the lock is released. */
#include "schedulers/costs.h"
#include "schedulers/prefetch.h"
#include "schedulers/queues.h"

#ifndef HG_CHECKED
#define HG_CHECKED 0
#endif

bool hg_sched_stop_idling(hg_policy *p, int w)
{
  const bool was_idle = atomic_exchange(&p->idle[w], false);
  if (was_idle) p->idlers--;
  return was_idle;
}

void hg_sched_alert(hg_policy *p, int w)
{
  if (hg_sched_stop_idling(p, w)) p->woken[p->wakes++] = p->worker[w].id;
}

/* The fastest of the idle workers that use this queue, or the worker itself. */
static int for_whom(const hg_policy *p, const hg_queue *q, int w, const hg_ready *r)
{
  int best = w;
  if (q != &p->shared) return w;
  for (int i = 0; i < p->workers; i++)
    if (p->idle[i] && (!p->idle[best] || hg_sched_expected(p, r, i) < hg_sched_expected(p, r, best))) best = i;
  return best;
}

void hg_sched_put(hg_policy *p, hg_queue *queue, int w, hg_ready *ready)
{
  ready->counted = (short)p->worker[w].id;
  if (!hg_queue_push(queue, ready)) STARPU_ABORT_MSG("hetgrid: no memory for ready tasks");
  starpu_sched_ctx_list_task_counters_increment(p->context, ready->counted);
  hg_sched_alert(p, for_whom(p, queue, w, ready));
}

hg_ready *hg_sched_take(hg_policy *p, hg_queue *queue, int i, double seconds)
{
  hg_ready *ready = hg_queue_take(queue, i);
  starpu_sched_ctx_list_task_counters_decrement(p->context, ready->counted);
  if (ready->prefetched) hg_sched_release(p, hg_sched_index(p, ready->counted), ready);
  ready->prefetched = false;
  ready->seconds = seconds;
  return ready;
}

/* All queues in turn: the workers', the shared one, the stranded tasks. */
hg_queue *hg_sched_queue(hg_policy *p, int i)
{
  if (i < p->workers) return &p->worker[i].queue;
  return i == p->workers ? &p->shared : &p->stranded;
}

int hg_sched_queues(const hg_policy *p)
{
  return p->workers + 2;
}

/* Whether an awake worker will look at queue i. Any worker that is awake adopts tasks of workers that left. */
static bool is_attended(const hg_policy *p, int i)
{
  bool served = false, awake = false, attended = false;
  for (int w = 0; w < p->workers; w++) {
    const bool serves = p->worker[w].member && (i == p->workers || w == i);
    served = served || serves;
    awake = awake || (p->worker[w].member && !p->idle[w]);
    attended = attended || (serves && !p->idle[w]);
  }
  return served ? attended : awake;
}

void hg_sched_check_queues(const hg_policy *p)
{
  for (int i = 0; HG_CHECKED && i <= p->workers; i++) {
    const int count = i < p->workers ? p->worker[i].queue.count : p->shared.count;
    if (count > 0 && !is_attended(p, i))
      STARPU_ABORT_MSG("hetgrid: %d tasks wait in queue %d, which no worker will look at", count, i);
  }
}
