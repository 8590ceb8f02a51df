/* SPDX-License-Identifier: MIT */
/* Why a run took as long as it did.
 *
 * Longest chain: the largest sum of task times along dependencies; what a machine with endless workers and free
 * transfers would need. Path: from the last task back through what it started after - the later of its last dependency
 * and the task before it on its worker - to the start of the run; its times and the gaps between them add up to the
 * time of the run. Steps of StarPU's own between tasks take no time here; they pass dependencies on.
 *
 *     worker 0  [ A ][ B ]            path of D: D <- C (dependency) <- gap <- A (dependency); B is not on it
 *     worker 1           [ C ][ D ]   longest chain: A C D
 */
#include <math.h>
#include <stdlib.h>

#include "traces/summary.h"

static int by_worker_and_start(const void *a, const void *b, void *arg)
{
  const hg_trace_task *task = arg, *x = &task[*(const int64_t *)a], *y = &task[*(const int64_t *)b];
  if (x->worker != y->worker) return x->worker < y->worker ? -1 : 1;
  if (x->start < y->start || x->start > y->start) return x->start < y->start ? -1 : 1;
  return x->job < y->job ? -1 : x->job > y->job;
}

hg_status hg_trace_by_worker(const hg_trace *t, int64_t **order, int64_t **first)
{
  int64_t count = 0;
  *order = malloc(((size_t)t->tasks + 1) * sizeof **order);
  *first = calloc((size_t)t->workers + 2, sizeof **first);
  if (!*order || !*first) return hg_fail(HG_MEMORY, "no memory to sort the tasks of the trace");
  for (int64_t i = 0; i < t->tasks; i++)
    if (t->task[i].worker >= 0) {
      (*order)[count++] = i;
      (*first)[t->task[i].worker + 1]++;
    }
  for (int w = 0; w < t->workers; w++) (*first)[w + 1] += (*first)[w];
  qsort_r(*order, (size_t)count, sizeof **order, by_worker_and_start, t->task);
  return HG_OK;
}

typedef struct causes {
  const hg_trace *trace;
  int64_t *topological; /* [tasks] */
  int64_t *previous;    /* [tasks] task before it on its worker, or -1 */
  double *chain;        /* [tasks] s: longest chain up to its end */
  int64_t *chain_tasks; /* [tasks] */
  int64_t *blocker;     /* [tasks] the task that ran and ended last of those it needs, or -1 */
} causes;

/* Kahn's algorithm; tasks on a cycle, which a damaged file may have, are left out. */
static hg_status sort_topologically(causes *c, int64_t *sorted)
{
  const hg_trace *t = c->trace;
  int64_t *left = calloc((size_t)t->tasks + 1, sizeof *left), *first = calloc((size_t)t->tasks + 2, sizeof *first);
  int64_t *user = malloc(((size_t)t->needs + 1) * sizeof *user);
  hg_status status = left && first && user ? HG_OK : hg_fail(HG_MEMORY, "no memory to sort the tasks of the trace");
  *sorted = 0;
  if (status == HG_OK) {
    for (int64_t i = 0; i < t->needs; i++) first[t->need[i] + 1]++;
    for (int64_t i = 0; i < t->tasks; i++) first[i + 1] += first[i];
    for (int64_t i = 0; i < t->tasks; i++)
      for (int64_t j = 0; j < t->task[i].needs; j++) user[first[t->need[t->task[i].first_need + j]]++] = i;
    for (int64_t i = t->tasks; i > 0; i--) first[i] = first[i - 1]; /* undo the shift of filling */
    first[0] = 0;
    for (int64_t i = 0; i < t->tasks; i++)
      if ((left[i] = t->task[i].needs) == 0) c->topological[(*sorted)++] = i;
    for (int64_t i = 0; i < *sorted; i++)
      for (int64_t j = first[c->topological[i]]; j < first[c->topological[i] + 1]; j++)
        if (--left[user[j]] == 0) c->topological[(*sorted)++] = user[j];
  }
  free(left);
  free(first);
  free(user);
  return status;
}

static bool ran(const hg_trace *t, int64_t i)
{
  return t->task[i].worker >= 0;
}

/* The later end of two tasks, either of which may be -1. */
static int64_t later(const hg_trace *t, int64_t a, int64_t b)
{
  if (a < 0 || b < 0) return a < 0 ? b : a;
  return t->task[a].end >= t->task[b].end ? a : b;
}

static void follow(causes *c, int64_t sorted)
{
  const hg_trace *t = c->trace;
  for (int64_t i = 0; i < t->tasks; i++) c->blocker[i] = -1;
  for (int64_t s = 0; s < sorted; s++) {
    const int64_t i = c->topological[s];
    const hg_trace_task *k = &t->task[i];
    for (int64_t j = 0; j < k->needs; j++) {
      const int64_t need = t->need[k->first_need + j];
      c->blocker[i] = later(t, c->blocker[i], ran(t, need) ? need : c->blocker[need]);
      if (c->chain[need] > c->chain[i]) {
        c->chain[i] = c->chain[need];
        c->chain_tasks[i] = c->chain_tasks[need];
      }
    }
    if (!ran(t, i)) continue;
    c->chain[i] += k->end - k->start;
    c->chain_tasks[i]++;
  }
}

static void find_longest_chain(const causes *c, hg_trace_summary *s)
{
  for (int64_t i = 0; i < c->trace->tasks; i++)
    if (c->chain[i] > s->longest_chain) {
      s->longest_chain = c->chain[i];
      s->chain_tasks = c->chain_tasks[i];
    }
}

static void walk_back(const causes *c, hg_trace_summary *s)
{
  const hg_trace *t = c->trace;
  int64_t at = -1;
  for (int64_t i = 0; i < t->tasks; i++)
    if (ran(t, i)) at = later(t, at, i);
  double until = t->end;
  while (at >= 0 && s->path_length < t->tasks) {
    const hg_trace_task *k = &t->task[at];
    double end = fmin(k->end, until), length = fmax(0, end - k->start);
    s->path_waits += until - end;
    s->path_tasks += length;
    s->path_kind[k->kind] += length;
    s->path_length++;
    until = fmin(k->start, end);
    at = later(t, c->blocker[at], c->previous[at]);
  }
  s->path_waits += until - t->start;
}

static double fetched(const hg_trace *t, int worker, double start, double end)
{
  double sum = 0;
  for (int64_t i = 0; i < t->intervals; i++) {
    const hg_trace_interval *v = &t->interval[i];
    if (v->worker == worker && v->state == HG_TRACE_TRANSFER) sum += fmax(0, fmin(end, v->end) - fmax(start, v->start));
  }
  return sum;
}

/* Most of a wait was spent on the last dependency, if that ended late in it; else on data, else on a message, else on
 * the runtime. `fetching`: s of it that data were on their way. */
static hg_trace_reason explain(const causes *c, const hg_trace_wait *w, double fetching, int64_t *cause)
{
  const hg_trace *t = c->trace;
  const double half = (w->end - w->start) / 2;
  *cause = -1;
  if (w->next < 0) return HG_TRACE_ON_END;
  const int64_t blocker = c->blocker[w->next];
  const bool elsewhere = blocker >= 0 && t->task[blocker].rank != t->worker[w->worker].rank;
  const bool late = blocker >= 0 && t->task[blocker].end >= w->start + half;
  if (!late && fetching > half) return HG_TRACE_ON_DATA;
  if (late || elsewhere) {
    *cause = blocker;
    return elsewhere ? HG_TRACE_ON_MESSAGE : HG_TRACE_ON_TASK;
  }
  return w->start <= t->start ? HG_TRACE_ON_START : HG_TRACE_ON_RUNTIME;
}

/* Data count by the workers' own states, which are known in all. */
static void lose(const causes *c, const hg_trace_wait *w, hg_trace_summary *s)
{
  int64_t cause;
  const double length = w->end - w->start;
  s->lost[explain(c, w, 0, &cause)] += length;
  if (cause >= 0) s->waited_kind[c->trace->task[cause].kind] += length;
}

static void keep_wait(hg_trace_summary *s, hg_trace_wait wait)
{
  int at = s->waits;
  while (at > 0 && s->wait[at - 1].end - s->wait[at - 1].start < wait.end - wait.start) at--;
  if (at == HG_TRACE_WAITS) return;
  if (s->waits < HG_TRACE_WAITS) s->waits++;
  for (int i = s->waits - 1; i > at; i--) s->wait[i] = s->wait[i - 1];
  s->wait[at] = wait;
}

static void add_wait(const causes *c, hg_trace_wait wait, hg_trace_summary *s)
{
  lose(c, &wait, s);
  keep_wait(s, wait);
}

static void find_waits(causes *c, const int64_t *order, const int64_t *first, hg_trace_summary *s)
{
  const hg_trace *t = c->trace;
  for (int w = 0; w < t->workers; w++) {
    double free_since = t->start;
    for (int64_t i = first[w]; i < first[w + 1]; i++) {
      const hg_trace_task *k = &t->task[order[i]];
      c->previous[order[i]] = i > first[w] ? order[i - 1] : -1;
      if (k->start > free_since)
        add_wait(c, (hg_trace_wait){.worker = w, .start = free_since, .end = k->start, .next = order[i]}, s);
      free_since = fmax(free_since, k->end);
    }
    if (t->end > free_since)
      add_wait(c, (hg_trace_wait){.worker = w, .start = free_since, .end = t->end, .next = -1}, s);
    s->lost[HG_TRACE_ON_DATA] += s->worker[w].transfer;
    s->lost[HG_TRACE_ON_RUNTIME] -= fmin(s->worker[w].transfer, s->lost[HG_TRACE_ON_RUNTIME]);
  }
}

hg_status hg_trace_find_causes(const hg_trace *t, hg_trace_summary *s)
{
  const size_t n = (size_t)t->tasks + 1;
  int64_t *order = NULL, *first = NULL, sorted;
  causes c = {t,
              malloc(n * sizeof(int64_t)),
              malloc(n * sizeof(int64_t)),
              calloc(n, sizeof(double)),
              calloc(n, sizeof(int64_t)),
              malloc(n * sizeof(int64_t))};
  hg_status status = c.topological && c.previous && c.chain && c.chain_tasks && c.blocker
                         ? HG_OK
                         : hg_fail(HG_MEMORY, "no memory for the causes of the trace");
  for (size_t i = 0; status == HG_OK && i < n; i++) c.previous[i] = -1;
  if (status == HG_OK) status = sort_topologically(&c, &sorted);
  if (status == HG_OK) status = hg_trace_by_worker(t, &order, &first);
  if (status == HG_OK) {
    follow(&c, sorted);
    find_longest_chain(&c, s);
    find_waits(&c, order, first, s);
    walk_back(&c, s);
    for (int i = 0; i < s->waits; i++) {
      hg_trace_wait *w = &s->wait[i];
      w->reason = explain(&c, w, fetched(t, w->worker, w->start, w->end), &w->cause);
    }
  }
  free(order);
  free(first);
  free(c.topological);
  free(c.previous);
  free(c.chain);
  free(c.chain_tasks);
  free(c.blocker);
  return status;
}
