/* SPDX-License-Identifier: MIT */
/* What a policy learns from a task when it is submitted: its place in the graph, and the rounds over tiles. */
#include "schedulers/model_cache.h"
#include "schedulers/placement.h"
#include "schedulers/ranks.h"
#include "schedulers/submit.h"

static int how(enum starpu_data_access_mode mode)
{
  return mode & STARPU_W ? HG_WRITES : mode & STARPU_REDUX ? HG_ADDS : HG_READS;
}

static int record(hg_policy *p, struct starpu_task *task, double seconds)
{
  enum { MOST = 64 };
  hg_access access[MOST];
  const unsigned buffers = STARPU_TASK_GET_NBUFFERS(task);
  int count = 0;
  for (unsigned b = 0; b < buffers && count < MOST; b++)
    access[count++] = (hg_access){STARPU_TASK_GET_HANDLE(task, b), how(STARPU_TASK_GET_MODE(task, b))};
  const int known = hg_sched_task_node(p, task);
  if (known >= 0) hg_task_graph_remove(&p->graph, known);
  const int n = hg_task_graph_add(&p->graph, task, seconds, access, count);
  task->sched_data = (void *)((intptr_t)n + 1);
  return n;
}

static void note_tile(hg_policy *p, int tile)
{
  hg_owners_submitted(&p->owners, tile);
  if (p->complete || p->owners.tile[tile].written != 2) return;
  p->complete = true;
  if (p->rule->known) p->rule->known(p);
}

int hg_sched_submitted(hg_policy *p, struct starpu_task *task, const hg_model_estimate *model)
{
  const double seconds = hg_sched_typical(model);
  const int tile = hg_sched_tile(p, task), n = record(p, task, seconds);
  if (n >= 0) p->graph.node[n].tile = tile;
  if (n >= 0 && tile >= 0) note_tile(p, tile);
  p->resumed = p->resumed || p->waited_for;
  if (hg_task_graph_has_grown(&p->graph)) hg_sched_rank(p);
  return n;
}
