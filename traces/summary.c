/* SPDX-License-Identifier: MIT */
#include "traces/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static void sum_tasks(const hg_trace *t, hg_trace_summary *s)
{
  double largest = 0, sum = 0;
  for (int64_t i = 0; i < t->tasks; i++) {
    const hg_trace_task *k = &t->task[i];
    if (k->worker < 0) continue;
    s->tasks++;
    s->worker[k->worker].tasks++;
    s->worker[k->worker].busy += k->end - k->start;
    s->kind[k->kind].tasks++;
    s->kind[k->kind].seconds += k->end - k->start;
    s->kind[k->kind].flops += k->flops;
  }
  for (int w = 0; w < t->workers; w++) {
    largest = fmax(largest, s->worker[w].busy);
    sum += s->worker[w].busy;
  }
  s->imbalance = sum > 0 ? largest * t->workers / sum : 1;
}

static void sum_states(const hg_trace *t, hg_trace_summary *s)
{
  for (int64_t i = 0; i < t->intervals; i++) {
    const hg_trace_interval *v = &t->interval[i];
    double length = fmin(v->end, t->end) - fmax(v->start, t->start);
    if (length <= 0) continue;
    if (v->state == HG_TRACE_TRANSFER)
      s->worker[v->worker].transfer += length;
    else
      s->worker[v->worker].overhead += length;
  }
  for (int w = 0; w < t->workers; w++) {
    hg_trace_share *h = &s->worker[w];
    h->idle = fmax(0, s->seconds - h->busy - h->transfer - h->overhead);
  }
}

static hg_trace_link_sum *find_link(hg_trace_summary *s, bool network, int rank, int from, int to)
{
  for (int i = 0; i < s->links; i++) {
    hg_trace_link_sum *l = &s->link[i];
    if (l->network == network && l->from == from && l->to == to && (network || l->rank == rank)) return l;
  }
  if (hg_grow("the links of the trace", (void **)&s->link, s->links, sizeof *s->link) != HG_OK) return NULL;
  s->link[s->links] = (hg_trace_link_sum){.from = from, .to = to, .rank = rank, .network = network, .planned = NAN};
  return &s->link[s->links++];
}

static int compare_links(const void *a, const void *b)
{
  const hg_trace_link_sum *x = a, *y = b;
  if (x->network != y->network) return x->network ? -1 : 1;
  if (x->rank != y->rank && !x->network) return x->rank < y->rank ? -1 : 1;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static hg_status sum_links(const hg_trace *t, hg_trace_summary *s)
{
  for (int64_t i = 0; i < t->copies; i++) {
    const hg_trace_copy *c = &t->copy[i];
    hg_trace_link_sum *l = find_link(s, c->network, c->rank, c->from, c->to);
    if (!l) return HG_MEMORY;
    l->messages++;
    l->bytes += c->bytes;
  }
  for (int i = 0; i < t->plans; i++) {
    hg_trace_link_sum *l = find_link(s, true, 0, t->plan[i].from, t->plan[i].to);
    if (!l) return HG_MEMORY;
    l->planned = t->plan[i].bytes;
  }
  if (s->links) qsort(s->link, (size_t)s->links, sizeof *s->link, compare_links);
  return HG_OK;
}

hg_status hg_trace_tile_times(const hg_trace *t, double **out)
{
  *out = calloc((size_t)t->tiles * (size_t)t->workers + 1, sizeof **out);
  if (!*out) return hg_fail(HG_MEMORY, "no memory for the tiles of the trace");
  for (int64_t i = 0; i < t->tasks; i++) {
    const hg_trace_task *k = &t->task[i];
    if (k->worker < 0) continue;
    for (int64_t j = 0; j < k->tiles; j++)
      (*out)[t->written[k->first_tile + j] * t->workers + k->worker] += (k->end - k->start) / (double)k->tiles;
  }
  return HG_OK;
}

hg_status hg_trace_summarise(const hg_trace *t, hg_trace_summary *s)
{
  *s = (hg_trace_summary){.seconds = t->end - t->start,
                          .worker = calloc((size_t)t->workers + 1, sizeof *s->worker),
                          .kind = calloc((size_t)t->kinds + 1, sizeof *s->kind),
                          .path_kind = calloc((size_t)t->kinds + 1, sizeof *s->path_kind),
                          .waited_kind = calloc((size_t)t->kinds + 1, sizeof *s->waited_kind)};
  hg_status status =
      s->worker && s->kind && s->path_kind && s->waited_kind ? HG_OK : hg_fail(HG_MEMORY, "no memory for a summary");
  if (status == HG_OK) {
    sum_tasks(t, s);
    sum_states(t, s);
    status = sum_links(t, s);
  }
  if (status == HG_OK) status = hg_trace_find_causes(t, s);
  if (status != HG_OK) hg_trace_summary_free(s);
  return status;
}

void hg_trace_summary_free(hg_trace_summary *s)
{
  free(s->worker);
  free(s->kind);
  free(s->link);
  free(s->path_kind);
  free(s->waited_kind);
  *s = (hg_trace_summary){0};
}
