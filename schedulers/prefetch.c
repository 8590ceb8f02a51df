/* SPDX-License-Identifier: MIT */
/* Which data are prefetched, and which task of a queue has its data. */
#include <math.h>

#include "schedulers/constants.h"
#include "schedulers/memory.h"
#include "schedulers/prefetch.h"

static bool updates(struct starpu_task *task)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if ((STARPU_TASK_GET_MODE(task, b) & STARPU_RW) == STARPU_RW) return true;
  return false;
}

/* Data that tasks update are gone from where they were, and others may want the task there: fewer are prefetched. */
static int ahead(struct starpu_task *task)
{
  return updates(task) ? HG_AHEAD / 2 : HG_AHEAD;
}

/* Prefetched data may fill only a share of a memory; the rest is for running tasks. Nor are data prefetched beyond the
 * first tasks of a queue: later tasks leave their data where they are, for workers that may steal them. */
bool hg_sched_reserve(hg_policy *p, int w, hg_ready *r)
{
  const unsigned node = p->worker[w].node;
  hg_memory *m = &p->memory[node];
  r->reserved = 0;
  if (m->bytes <= 0) return true;
  const double bytes = hg_sched_bytes_beside(p, node, r->task),
               room = fmin(HG_SHARE * m->bytes, m->bytes - m->resident - HG_IN_FLIGHT * p->largest);
  if ((m->reserved > 0 && m->reserved + bytes > room) || p->worker[w].requested >= ahead(r->task)) return false;
  p->worker[w].requested++;
  r->reserved = (float)bytes;
  m->reserved += bytes;
  return true;
}

void hg_sched_release(hg_policy *p, int w, const hg_ready *ready)
{
  hg_memory *m = &p->memory[p->worker[w].node];
  if (m->bytes <= 0) return;
  m->reserved = fmax(0, m->reserved - (double)ready->reserved);
  p->worker[w].requested--;
}

/* StarPU lets a task's data be prefetched only once; if the task now goes elsewhere, they are sent when the link is
 * idle. */
void hg_sched_prefetch(hg_policy *p, int w, struct starpu_task *task)
{
  const unsigned id = (unsigned)p->worker[w].id;
  if (task->prefetched)
    starpu_idle_prefetch_task_input_for(task, id);
  else
    starpu_prefetch_task_input_for(task, id);
}

/* Bytes that the task reads and that are missing in the worker's memory; those on their way count half. */
static double missing(struct starpu_task *task, unsigned node)
{
  double bytes = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    int allocated, valid, loading, requested;
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_R)) continue;
    starpu_data_query_status2(handle, (int)node, &allocated, &valid, &loading, &requested);
    if (!valid || loading || requested)
      bytes += (double)starpu_data_get_size(handle) * (loading || requested ? .5 : 1) + 1;
  }
  return bytes;
}

/* Whether a task's data are in the worker's memory. Requesting them costs nothing then, and StarPU does not evict them
 * for others that are prefetched. */
static bool is_there(const hg_policy *p, int w, struct starpu_task *task)
{
  const unsigned node = p->worker[w].node;
  return p->memory[node].bytes > 0 && updates(task) && missing(task, node) == 0;
}

/* While new tiles still appear, nothing is transferred to a worker that may lose the tile. */
bool hg_sched_may_ask_ahead(hg_policy *p, int w, hg_ready *r)
{
  if (!starpu_get_prefetch_flag() || starpu_memory_nodes_get_count() == 1) return false;
  if (r->tile >= 0 && p->regions && !p->complete && !p->owners.tile[r->tile].settled) return false;
  const hg_queue *q = &p->worker[w].queue;
  if (is_there(p, w, r->task)) {
    p->worker[w].requested++;
    r->reserved = 0;
    return true;
  }
  return q->count < ahead(r->task) && hg_sched_reserve(p, w, r);
}

void hg_sched_prefetch_next(hg_policy *p, int w)
{
  const hg_queue *q = &p->worker[w].queue;
  if (!starpu_get_prefetch_flag() || starpu_memory_nodes_get_count() == 1) return;
  for (int i = 0; i < q->count && i < HG_AHEAD; i++) {
    hg_ready *r = hg_queue_at(q, i);
    if (r->prefetched) continue;
    if (!hg_sched_reserve(p, w, r)) return;
    r->prefetched = true;
    hg_sched_prefetch(p, w, r->task);
  }
}

/* Among the first tasks, the first whose data are there. If memory is not short, it may have a lower priority than the
 * most urgent one if it begins a path that is nearly as long. If no task has its data: among those of the highest
 * priority, the one with the fewest bytes missing if memory is short, else the one whose data were requested first, as
 * the wait for it is shortest. Most often this is the very first task; the others are examined only if not. */
int hg_sched_with_data(const hg_policy *p, int w, bool *ready)
{
  enum { LOOK_AT = 128 };
  const hg_queue *q = &p->worker[w].queue;
  const unsigned node = p->worker[w].node;
  const hg_ready *first = hg_queue_at(q, 0), *oldest = first;
  const double wanted = missing(first->task, node);
  *ready = true;
  if (wanted == 0) return 0;
  const bool full = hg_sched_is_full(p, node);
  double least = INFINITY;
  bool short_of_memory = false;
  int best = 0;
  for (int i = 0; i < q->count && i < LOOK_AT; i++) {
    const hg_ready *r = hg_queue_at(q, i);
    const bool urgent = r->priority == first->priority;
    if (!urgent && (full || r->rank * HG_NOISE <= first->rank)) continue;
    const double bytes = i > 0 ? missing(r->task, node) : wanted;
    if (bytes == 0) return i;
    if (!urgent) continue;
    short_of_memory = short_of_memory || !r->prefetched;
    if (short_of_memory ? bytes < least : r->order < oldest->order) {
      best = i;
      oldest = r;
    }
    least = fmin(bytes, least);
  }
  *ready = false;
  return best;
}

int hg_sched_readiest(const hg_policy *p, int w, bool *ready)
{
  *ready = true;
  return starpu_memory_nodes_get_count() == 1 ? 0 : hg_sched_with_data(p, w, ready);
}
