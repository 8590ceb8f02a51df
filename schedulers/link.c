/* SPDX-License-Identifier: MIT */
/* Until when a memory's link brings data. A GPU whose tasks wait for their data is not done when the tasks of its queue
 * would be, one after the other, but when its link is, so a worker's end is the later of both. What a task updates
 * counts as soon as it waits in a queue, what it only reads when it is asked for, since others may read it, too.
 * Transfers count as long as they take alone. What comes to main memory counts as if it came by one link. */
#include <math.h>

#include "schedulers/policy.h"

void hg_sched_bring(hg_policy *p, int w, hg_ready *r, double seconds)
{
  hg_memory *m = &p->memory[hg_sched_node(p, w)];
  m->busy = fmax(m->busy, hg_sched_now()) + seconds;
  r->bringing += (float)seconds;
}

void hg_sched_spare(hg_policy *p, int w, const hg_ready *r)
{
  if (!r->prefetched) p->memory[hg_sched_node(p, w)].busy -= r->bringing;
}

/* A device that waits for data while several tasks are in its queue waits for its link, not for other tasks. */
void hg_sched_note_wait(hg_policy *p, int w, double time)
{
  enum { SEVERAL = 4, OF_LAST = 32 };
  hg_member *m = &p->worker[w];
  if (!hg_sched_limited(p, w)) return;
  if (m->latest > 0) {
    const double wait = m->queue.count >= SEVERAL ? time - fmax(m->ended, m->latest) : 0;
    p->starved += (wait - p->starved) / OF_LAST;
    p->passed += (time - m->latest - p->passed) / OF_LAST;
  }
  m->latest = time;
}

unsigned hg_sched_gpus(void)
{
  return starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
}

double hg_sched_in_use(void)
{
  const unsigned gpus = hg_sched_gpus();
  return gpus > 0 ? 2 * gpus : 1;
}

/* StarPU's estimate is right for what a task writes, since it will have to come back if others want it. Where few
 * devices wait for their links most of the time, it is more: each byte that travels delays them all, so that what they
 * work on had better stay. */
double hg_sched_fare(const hg_policy *p)
{
  const double MOST = 12, in_use = hg_sched_in_use();
  return fmax(in_use, fmin(MOST, in_use * hg_sched_price(p)));
}

double hg_sched_price(const hg_policy *p)
{
  const double WAITING = 3;
  return 1 + WAITING * (p->passed > 0 ? p->starved / p->passed : 0);
}

/* s until what is asked of a device has left it. Its driver looks between two tasks, unless these return before they
 * are done: it begins to send after the one that runs, and sees that all is sent after the next. */
static double until_sent(const hg_member *m, double time)
{
  const double next = m->queue.count > 0 ? hg_queue_seconds(&m->queue) / m->queue.count : 0;
  return m->holds ? hg_sched_runs(m, time) + next : 0;
}

/* What is not here comes from the device that sends it first; what is to be written waits for all that have asked for a
 * copy and not got it. */
static double held_data(const hg_policy *p, starpu_data_handle_t data, enum starpu_data_access_mode mode, unsigned node,
                        double time)
{
  int allocated, here, loading, requested;
  double first = INFINITY, asked = 0;
  starpu_data_query_status2(data, (int)node, &allocated, &here, &loading, &requested);
  for (int w = 0; w < p->workers; w++) {
    int valid;
    if (!hg_sched_limited(p, w)) continue;
    starpu_data_query_status2(data, (int)hg_sched_node(p, w), &allocated, &valid, &loading, &requested);
    if (!valid && !loading && !requested) continue;
    const double sent = until_sent(&p->worker[w], time);
    if (valid && mode & STARPU_R) first = fmin(first, sent);
    if (mode & STARPU_W && (loading || requested)) asked = fmax(asked, sent);
  }
  return fmax(asked, here || isinf(first) ? 0 : first);
}

double hg_sched_held(const hg_policy *p, struct starpu_task *task, unsigned node, double time)
{
  double last = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    last = fmax(last, held_data(p, STARPU_TASK_GET_HANDLE(task, b), STARPU_TASK_GET_MODE(task, b), node, time));
  return last;
}

double hg_sched_brought(const hg_policy *p, int w, double time)
{
  return p->memory[hg_sched_node(p, w)].busy - time;
}
