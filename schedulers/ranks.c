/* SPDX-License-Identifier: MIT */
/* The graph of all known tasks, and the order of waiting tasks. */
#include "schedulers/constants.h"
#include "schedulers/queues.h"
#include "schedulers/ranks.h"

bool hg_sched_is_urgent(const hg_policy *p, int node)
{
  return p->graph.node[node].rank * p->capacity > HG_URGENT * p->graph.seconds;
}

double hg_sched_rank_among_alike(const hg_policy *p, int node, bool own)
{
  const hg_task_graph_node *n = &p->graph.node[node];
  if (hg_sched_is_urgent(p, node)) return n->rank;
  return own && n->seconds * (double)p->graph.live <= HG_LONG * p->graph.seconds ? 0 : n->seconds;
}

/* Ranks all tasks again and sorts the queues accordingly. */
void hg_sched_rank(hg_policy *p)
{
  hg_task_graph_rank(&p->graph);
  for (int i = 0; i < hg_sched_queues(p); i++) {
    hg_queue *q = hg_sched_queue(p, i);
    bool changed = false;
    for (int e = 0; e < q->count; e++) {
      hg_ready *r = hg_queue_at(q, e);
      if (r->node < 0) continue;
      const bool own = i < p->workers;
      const double now = p->groups == 1 ? hg_sched_rank_among_alike(p, r->node, own) : p->graph.node[r->node].rank;
      changed = changed || r->rank != now;
      r->rank = now;
    }
    if (changed) hg_queue_sort(q);
  }
}

/* A task stores its node, which may belong to another task by now. */
int hg_sched_task_node(const hg_policy *p, const struct starpu_task *task)
{
  const intptr_t n = (intptr_t)task->sched_data - 1;
  return hg_task_graph_holds(&p->graph, n, task) ? (int)n : -1;
}

static int how(enum starpu_data_access_mode mode)
{
  return mode & STARPU_W ? HG_WRITES : mode & STARPU_REDUX ? HG_ADDS : HG_READS;
}

int hg_sched_record(hg_policy *p, struct starpu_task *task, double seconds)
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
