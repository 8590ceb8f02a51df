/* SPDX-License-Identifier: MIT */
/* A trace put together from the files of a folder: tasks, dependencies, workers in order, times from the first one. */
#include "traces/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/build.h"

static int by_task(const void *a, const void *b)
{
  const hg_trace_want *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  if (x->job != y->job) return x->job < y->job ? -1 : 1;
  if (x->needs_rank != y->needs_rank) return x->needs_rank < y->needs_rank ? -1 : 1;
  return x->needs_job < y->needs_job ? -1 : x->needs_job > y->needs_job;
}

/* Puts tasks in order and replaces job names by indices of tasks; drops those of jobs that were not recorded. */
static hg_status link_tasks(hg_trace_build *b)
{
  hg_trace *t = b->trace;
  if (t->tasks) qsort(t->task, (size_t)t->tasks, sizeof *t->task, hg_trace_by_rank_and_job);
  if (b->wants) qsort(b->want, (size_t)b->wants, sizeof *b->want, by_task);
  t->need = malloc(((size_t)b->wants + 1) * sizeof *t->need);
  if (!t->need) return hg_fail(HG_MEMORY, "no memory for %" PRId64 " dependencies", b->wants);
  for (int64_t i = 0; i < b->wants; i++) {
    const hg_trace_want *w = &b->want[i];
    if (i > 0 && by_task(w - 1, w) == 0) continue; /* named once per handle */
    int64_t task = hg_trace_find_job(t, w->rank, w->job), needed = hg_trace_find_job(t, w->needs_rank, w->needs_job);
    if (task < 0 || needed < 0 || task == needed) continue;
    if (t->task[task].needs == 0) t->task[task].first_need = t->needs;
    t->task[task].needs++;
    t->need[t->needs++] = needed;
  }
  return HG_OK;
}

/* Times count from the first submission (or start) of a task that ran. */
static hg_status set_origin(hg_trace *t)
{
  double first = INFINITY, last = -INFINITY;
  for (int64_t i = 0; i < t->tasks; i++) {
    const hg_trace_task *k = &t->task[i];
    if (k->worker < 0) continue;
    first = fmin(first, isnan(k->submit) ? k->start : fmin(k->submit, k->start));
    last = fmax(last, k->end);
  }
  if (!(last >= first)) return hg_fail(HG_INVALID, "no task of this trace ran on a worker");
  for (int64_t i = 0; i < t->tasks; i++) {
    t->task[i].submit -= first;
    t->task[i].start -= first;
    t->task[i].end -= first;
  }
  for (int64_t i = 0; i < t->intervals; i++) {
    t->interval[i].start -= first;
    t->interval[i].end -= first;
  }
  for (int64_t i = 0; i < t->copies; i++) {
    t->copy[i].start -= first;
    t->copy[i].end -= first;
  }
  t->start = 0;
  t->end = last - first;
  return HG_OK;
}

static hg_status name_workers(hg_trace *t)
{
  for (int i = 0; i < t->workers; i++) {
    char name[32];
    if (t->worker[i].name) continue;
    snprintf(name, sizeof name, "worker %d", t->worker[i].id);
    t->worker[i].name = strdup(name);
    if (!t->worker[i].name) return hg_fail(HG_MEMORY, "no memory for the trace");
  }
  return HG_OK;
}

static int by_rank_and_id(const void *a, const void *b, void *arg)
{
  const hg_trace_worker *w = arg, *x = &w[*(const int *)a], *y = &w[*(const int *)b];
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

static hg_status sort_workers(hg_trace *t)
{
  int *order = malloc(((size_t)t->workers + 1) * 2 * sizeof *order), *place = order + t->workers;
  hg_trace_worker *sorted = malloc(((size_t)t->workers + 1) * sizeof *sorted);
  if (!order || !sorted) {
    free(order);
    free(sorted);
    return hg_fail(HG_MEMORY, "no memory for %d workers", t->workers);
  }
  for (int i = 0; i < t->workers; i++) order[i] = i;
  if (t->workers) qsort_r(order, (size_t)t->workers, sizeof *order, by_rank_and_id, t->worker);
  for (int i = 0; i < t->workers; i++) {
    sorted[i] = t->worker[order[i]];
    place[order[i]] = i;
  }
  for (int64_t i = 0; i < t->tasks; i++)
    if (t->task[i].worker >= 0) t->task[i].worker = place[t->task[i].worker];
  for (int64_t i = 0; i < t->intervals; i++) t->interval[i].worker = place[t->interval[i].worker];
  free(order);
  free(t->worker);
  t->worker = sorted;
  return HG_OK;
}

/* Without copies there is one memory, whose data StarPU fetches at once: the time is its own. */
static void correct_states(hg_trace *t)
{
  for (int64_t i = 0; i < t->copies; i++)
    if (!t->copy[i].network) return;
  for (int64_t i = 0; i < t->intervals; i++) t->interval[i].state = HG_TRACE_OVERHEAD;
}

static hg_status read_all(hg_trace_build *b)
{
  HG_TRY(hg_trace_read_data(b));
  HG_TRY(hg_trace_read_tasks(b));
  HG_TRY(hg_trace_read_workers(b));
  HG_TRY(hg_trace_read_messages(b));
  HG_TRY(hg_trace_read_states(b));
  correct_states(b->trace);
  HG_TRY(hg_trace_read_notes(b));
  HG_TRY(link_tasks(b));
  HG_TRY(hg_trace_read_flops(b));
  HG_TRY(set_origin(b->trace));
  HG_TRY(name_workers(b->trace));
  return sort_workers(b->trace);
}

hg_status hg_trace_read(const char *folder, hg_trace *out)
{
  *out = (hg_trace){.ranks = 1};
  hg_trace_build b = {.trace = out, .folder = folder};
  hg_status status = read_all(&b);
  free(b.handle);
  free(b.want);
  if (status == HG_INVALID) status = hg_fail(status, "%s: %s", folder, hg_message());
  if (status != HG_OK) hg_trace_free(out);
  return status;
}

void hg_trace_free(hg_trace *t)
{
  for (int i = 0; i < t->workers; i++) free(t->worker[i].name);
  for (int i = 0; i < t->kinds; i++) free(t->kind[i].name);
  free(t->title);
  free(t->task);
  free(t->need);
  free(t->written);
  free(t->tile);
  free(t->worker);
  free(t->kind);
  free(t->interval);
  free(t->copy);
  free(t->plan);
  free(t->ages);
  *t = (hg_trace){0};
}
