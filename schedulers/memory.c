/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and in which order the tasks that wait reuse it. Data are asked for ahead only as far as
 * they fit beside each other: more would evict what was brought before. Where they do not all fit, the next task is the
 * one that wants the fewest bytes that are not there (as in Gonthier, Marchal, Thibault, Memory-aware scheduling of
 * tasks sharing data on multiple GPUs with dynamic runtime systems, IPDPS 2022). */
#include <math.h>

#include "schedulers/memory.h"
#include "schedulers/residency.h"
#include "schedulers/workers.h"

/* That are not kept in the memory anyway. */
static double bytes_of(const hg_policy *p, unsigned node, struct starpu_task *task)
{
  double bytes = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, b);
    if (!hg_sched_is_resident(p, node, handle)) bytes += (double)starpu_data_get_size(handle);
  }
  return bytes;
}

void hg_sched_find_memories(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++) {
    const unsigned node = hg_sched_node(p, w);
    const starpu_ssize_t bytes = starpu_node_get_kind(node) == STARPU_CPU_RAM ? -1 : starpu_memory_get_total(node);
    p->memory[node].bytes = bytes > 0 ? (double)bytes : 0;
  }
  p->memories_known = true;
  hg_sched_count_workers(p);
}

bool hg_sched_limited(const hg_policy *p, int w)
{
  return p->memory[hg_sched_node(p, w)].bytes > 0;
}

bool hg_sched_is_full(const hg_policy *p, unsigned memory)
{
  const double NEARLY = .3, bytes = p->memory[memory].bytes;
  return bytes > 0 && (double)starpu_memory_get_available(memory) < NEARLY * bytes;
}

int hg_sched_blocked_on_memory(const hg_policy *p, int *ids)
{
  int count = 0;
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].taken > 0 && p->worker[w].begun <= 0 && hg_sched_is_full(p, hg_sched_node(p, w)))
      ids[count++] = p->worker[w].id;
  return count;
}

static bool updates(struct starpu_task *task)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if ((STARPU_TASK_GET_MODE(task, b) & STARPU_RW) == STARPU_RW) return true;
  return false;
}

/* What tasks update leaves where it was, and others may want to take the task there: fewer are asked for. */
int hg_sched_ahead(struct starpu_task *task)
{
  enum { UPDATES = 12 };
  return updates(task) ? UPDATES : HG_AHEAD;
}

/* Data asked for ahead may fill a share of a memory; the rest is for what runs. And no more than the first tasks of a
 * queue want: those that come behind them since keep what they have from others who might take them. */
bool hg_sched_reserve(hg_policy *p, int w, hg_ready *r)
{
  const double SHARE = .7, WITH_KEPT = .9;
  const unsigned node = hg_sched_node(p, w);
  hg_memory *m = &p->memory[node];
  r->reserved = 0;
  if (m->bytes <= 0) return true;
  const double bytes = bytes_of(p, node, r->task), room = fmin(SHARE * m->bytes, WITH_KEPT * m->bytes - m->resident);
  if ((m->reserved > 0 && m->reserved + bytes > room) || p->worker[w].requested >= hg_sched_ahead(r->task))
    return false;
  p->worker[w].requested++;
  r->reserved = (float)bytes;
  m->reserved += bytes;
  return true;
}

void hg_sched_release(hg_policy *p, int w, const hg_ready *ready)
{
  hg_memory *m = &p->memory[hg_sched_node(p, w)];
  if (m->bytes <= 0) return;
  m->reserved = fmax(0, m->reserved - (double)ready->reserved);
  p->worker[w].requested--;
}
