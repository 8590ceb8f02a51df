/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and in which order the tasks that wait reuse it. Data are asked for ahead only as far as
 * they fit beside each other: more would evict what was brought before. Where they do not all fit, the next task is the
 * one that wants the fewest bytes that are not there (as in Gonthier, Marchal, Thibault, Memory-aware scheduling of
 * tasks sharing data on multiple GPUs with dynamic runtime systems, IPDPS 2022). */
#include <math.h>

#include "schedulers/policy.h"

static double bytes_of(struct starpu_task *task)
{
  double bytes = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    bytes += (double)starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, b));
  return bytes;
}

bool hg_sched_claim(hg_policy *p, int w, struct starpu_task *task)
{
  hg_memory *m = &p->memory[hg_sched_node(p, w)];
  if (m->bytes <= 0) return true;
  const double bytes = bytes_of(task);
  if (m->claimed > 0 && m->claimed + bytes > m->bytes) return false;
  m->claimed += bytes;
  return true;
}

void hg_sched_release(hg_policy *p, int w, const hg_ready *ready)
{
  hg_memory *m = &p->memory[hg_sched_node(p, w)];
  if (m->bytes > 0) m->claimed = fmax(0, m->claimed - bytes_of(ready->task));
}

void hg_sched_prefetch_next(hg_policy *p, int w)
{
  enum { AHEAD = 8 };
  int number[AHEAD];
  hg_queue *q = &p->worker[w].queue;
  if (!starpu_get_prefetch_flag() || starpu_memory_nodes_get_count() == 1) return;
  const int count = hg_queue_head(q, AHEAD, number);
  for (int i = 0; i < count; i++) {
    hg_ready *r = hg_queue_at(q, number[i]);
    if (r->prefetched) continue;
    if (!hg_sched_claim(p, w, r->task)) return;
    r->prefetched = true;
    starpu_prefetch_task_input_for(r->task, (unsigned)p->worker[w].id);
  }
}

/* Bytes that the task reads and that are not in the worker's memory; those on their way count half. */
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

/* Of the first tasks of the highest priority, the first whose data are there; if there is none, the one with the fewest
 * bytes missing where memory is short, else the one whose data were asked for first, since waiting for it is shortest. */
int hg_sched_readiest(const hg_policy *p, int w, bool *ready)
{
  enum { LOOK_AT = 128 };
  int number[LOOK_AT], best = -1;
  const hg_queue *q = &p->worker[w].queue;
  const unsigned node = hg_sched_node(p, w);
  *ready = true;
  if (starpu_memory_nodes_get_count() == 1) return hg_queue_first(q);
  const int count = hg_queue_head(q, LOOK_AT, number);
  const hg_ready *first = hg_queue_at(q, number[0]), *oldest = first;
  double least = INFINITY;
  bool short_of_memory = false;
  best = number[0];
  for (int i = 0; i < count; i++) {
    const hg_ready *r = hg_queue_at(q, number[i]);
    if (r->priority != first->priority) break;
    const double bytes = missing(r->task, node);
    if (bytes == 0) return number[i];
    short_of_memory = short_of_memory || !r->prefetched;
    if (short_of_memory ? bytes < least : r->order < oldest->order) {
      best = number[i];
      oldest = r;
    }
    least = fmin(bytes, least);
  }
  *ready = false;
  return best;
}
