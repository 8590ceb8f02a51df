/* SPDX-License-Identifier: MIT */
/* Until when a memory's link brings data. A GPU whose tasks wait for their data is not done when the tasks of its queue
 * would be, one after the other, but when its link is, so a worker's end is the later of both. What a task updates
 * counts as soon as it waits in a queue, what it only reads when it is asked for, since others may read it, too.
 * Transfers count as long as they take alone. What comes to main memory counts as if it came by one link. */
#include <math.h>

#include "schedulers/links.h"

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
