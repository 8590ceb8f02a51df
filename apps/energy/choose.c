/* SPDX-License-Identifier: MIT */
#include "choose.h"

#include <math.h>
#include <stdlib.h>

#include "base/log.h"

enum { NODES_MAX = 4096 };

/* The largest number of nodes that any context supports. */
static int64_t reach(const contexts *all)
{
  double most = 1;
  for (int i = 0; i < all->count; i++) most = fmax(most, hg_use_context_reach(&all->context[i]));
  return (int64_t)fmin(most, NODES_MAX);
}

void choose_warn(const contexts *all)
{
  for (int i = 0; i < all->count; i++)
    if (!hg_is_scalable(all->context[i].time.sigma))
      hg_log(HG_WARN, "context %s: s is %.4g, outside the scalability area (0..1)", all->context[i].name,
             all->context[i].time.sigma);
}

static void add(choice *c, const choose_options *o, const hg_use_context *context, int64_t nodes,
                const hg_run_estimate *run)
{
  candidate *k = &c->list[c->count++];
  *k = (candidate){.context = context, .nodes = nodes, .run = *run};
  k->value = hg_run_estimate_value(run, o->by, &k->error);
  k->allowed = run->seconds <= o->deadline && run->joules <= o->cap * run->seconds;
  for (int i = 0; i < c->all->count; i++)
    k->unknown += hg_use_context_unknown(&c->all->context[i], (double)nodes, &o->rules);
}

/* All contexts on all numbers of nodes. Numbers that the user names must be supported by all. */
static hg_status add_all(choice *c, const choose_options *o)
{
  for (int64_t n = c->first; n <= c->last; n++)
    for (int i = 0; i < c->all->count; i++) {
      hg_run_estimate run;
      const hg_status status = hg_use_context_at(&c->all->context[i], (double)n, &o->rules, &run);
      if (status != HG_OK && o->last) return status;
      if (status == HG_OK) add(c, o, &c->all->context[i], n, &run);
    }
  return HG_OK;
}

static bool is_within(const candidate *a, const candidate *b)
{
  return fabs(log(b->value / a->value)) <= hypot(a->error, b->error);
}

/* Finds the best candidate on the same nodes, and another that is as good within the errors. */
static void choose_among(candidate *from, int count)
{
  candidate *best = NULL, *next = NULL;
  for (candidate *k = from; k < from + count; k++)
    if (k->allowed && (!best || k->value < best->value)) best = k;
  if (!best) return;
  for (candidate *k = from; k < from + count; k++)
    if (k->allowed && k != best && (!next || k->value < next->value)) next = k;
  best->winner = true;
  if (next && is_within(best, next)) best->rival = next->context;
}

static void choose_all(choice *c)
{
  for (int i = 0; i < c->count;) {
    int j = i;
    while (j < c->count && c->list[j].nodes == c->list[i].nodes) j++;
    choose_among(&c->list[i], j - i);
    i = j;
  }
}

static int by_time(const void *a, const void *b)
{
  const candidate *x = *(candidate *const *)a, *y = *(candidate *const *)b;
  const int order = hg_compare(x->run.seconds, y->run.seconds);
  return order ? order : hg_compare(x->run.joules, y->run.joules);
}

/* In the order from the fastest allowed one, those with less energy than all before. */
static hg_status mark_front(choice *c)
{
  candidate **order = malloc(((size_t)c->count + 1) * sizeof *order);
  candidate *last = NULL;
  if (!order) return hg_fail(HG_MEMORY, "no memory for %d runs", c->count);
  for (int i = 0; i < c->count; i++) order[i] = &c->list[i];
  qsort(order, (size_t)c->count, sizeof *order, by_time);
  for (int i = 0; i < c->count; i++) {
    candidate *k = order[i];
    if (!k->allowed || (last && !hg_is_less(k->run.joules, last->run.joules))) continue;
    if (last) last->pareto = hg_is_less(last->run.seconds, k->run.seconds);
    k->pareto = true;
    last = k;
  }
  free(order);
  return HG_OK;
}

hg_status choose(const contexts *all, const choose_options *o, choice *c)
{
  *c = (choice){.all = all, .first = o->first ? o->first : 1, .last = o->last ? o->last : reach(all)};
  c->list = calloc((size_t)((c->last - c->first + 1) * all->count) + 1, sizeof *c->list);
  if (!c->list) return hg_fail(HG_MEMORY, "no memory for %lld numbers of nodes", (long long)c->last);
  HG_TRY(add_all(c, o));
  choose_all(c);
  for (candidate *k = c->list; k < c->list + c->count; k++) {
    if (!k->allowed) continue;
    if (!c->best || k->value < c->best->value) c->best = k;
    if (!c->greenest || k->run.joules < c->greenest->run.joules) c->greenest = k;
  }
  return mark_front(c);
}

int choose_configuration(const hg_use_context *a, const hg_use_context *b, double nodes, const hg_estimate_rules *rules)
{
  const hg_estimate_rules far = {true, rules->share_switch};
  hg_run_estimate x, y;
  if (hg_use_context_at(a, nodes, &far, &x) != HG_OK || hg_use_context_at(b, nodes, &far, &y) != HG_OK) return 2;
  return hg_configuration(y.seconds / x.seconds, y.joules / x.joules);
}
