/* SPDX-License-Identifier: MIT */
/* Workers and tasks of a trace, by rank and by their numbers there. */
#include <stdlib.h>

#include "base/memory.h"
#include "traces/build.h"

int hg_trace_worker_index(hg_trace *t, int rank, int id)
{
  for (int i = t->workers - 1; i >= 0; i--)
    if (t->worker[i].rank == rank && t->worker[i].id == id) return i;
  if (hg_grow("the trace", (void **)&t->worker, t->workers, sizeof *t->worker) != HG_OK) return -1;
  t->worker[t->workers] = (hg_trace_worker){.rank = rank, .id = id};
  if (rank >= t->ranks) t->ranks = rank + 1;
  return t->workers++;
}

int hg_trace_by_rank_and_job(const void *a, const void *b)
{
  const hg_trace_task *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->job < y->job ? -1 : x->job > y->job;
}

int64_t hg_trace_find_job(const hg_trace *t, int rank, int64_t job)
{
  const hg_trace_task key = {.rank = rank, .job = job};
  if (t->tasks == 0) return -1;
  const hg_trace_task *found = bsearch(&key, t->task, (size_t)t->tasks, sizeof key, hg_trace_by_rank_and_job);
  return found ? found - t->task : -1;
}
