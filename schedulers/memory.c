/* SPDX-License-Identifier: MIT */
/* What fits into a memory, and in which order the tasks that wait reuse it. Data are asked for ahead only as far as
 * they fit beside each other: more would evict what was brought before. Where they do not all fit, the next task is the
 * one that wants the fewest bytes that are not there (as in Gonthier, Marchal, Thibault, Memory-aware scheduling of
 * tasks sharing data on multiple GPUs with dynamic runtime systems, IPDPS 2022). */
#include <math.h>

#include "schedulers/constants.h"
#include "schedulers/memory.h"

void hg_sched_find_memories(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++) {
    const unsigned node = hg_sched_node(p, w);
    const starpu_ssize_t bytes = starpu_node_get_kind(node) == STARPU_CPU_RAM ? -1 : starpu_memory_get_total(node);
    p->memory[node].bytes = bytes > 0 ? (double)bytes : 0;
  }
  p->memories_known = true;
}

bool hg_sched_limited(const hg_policy *p, int w)
{
  return p->memory[hg_sched_node(p, w)].bytes > 0;
}

bool hg_sched_is_full(const hg_policy *p, unsigned memory)
{
  const double bytes = p->memory[memory].bytes;
  return bytes > 0 && (double)starpu_memory_get_available(memory) < (1 - HG_SHARE) * bytes;
}

int hg_sched_blocked_on_memory(const hg_policy *p, int *ids)
{
  int count = 0;
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].taken > 0 && p->worker[w].begun <= 0 && hg_sched_is_full(p, hg_sched_node(p, w)))
      ids[count++] = p->worker[w].id;
  return count;
}

/* --- links: until when they bring data ---
 * A GPU whose tasks wait for their data is not done when the tasks of its queue would be, one after the other, but when
 * its link is, so a worker's end is the later of both. What a task updates counts as soon as it waits in a queue, what
 * it only reads when it is asked for, since others may read it, too. Transfers count as long as they take alone. What
 * comes to main memory counts as if it came by one link. */

void hg_sched_reserve_link(hg_policy *p, int w, hg_ready *r, double seconds)
{
  hg_memory *m = &p->memory[hg_sched_node(p, w)];
  m->busy = fmax(m->busy, hg_sched_now()) + seconds;
  r->bringing += (float)seconds;
}

void hg_sched_release_link(hg_policy *p, int w, const hg_ready *r)
{
  if (!r->prefetched) p->memory[hg_sched_node(p, w)].busy -= r->bringing;
}

double hg_sched_link_free(const hg_policy *p, int w, double time)
{
  return p->memory[hg_sched_node(p, w)].busy - time;
}
