/* SPDX-License-Identifier: MIT */
#include "schedulers/queue.h"

#include <stdlib.h>

bool hg_ready_before(const hg_ready *a, const hg_ready *b)
{
  if (a->priority != b->priority) return a->priority > b->priority;
  return a->rank != b->rank ? a->rank > b->rank : a->order < b->order;
}

static double sum_of(const hg_queue *q, int root)
{
  return root ? q->entry[root - 1].sum : 0;
}

static void add_up(hg_queue *q, int root)
{
  hg_entry *e = &q->entry[root - 1];
  e->sum = sum_of(q, e->left) + e->ready.seconds + sum_of(q, e->right);
}

/* Two trees of which all of `a` comes before all of `b`. */
static int join(hg_queue *q, int a, int b)
{
  if (!a || !b) return a ? a : b;
  const bool first = q->entry[a - 1].weight > q->entry[b - 1].weight;
  if (first)
    q->entry[a - 1].right = join(q, q->entry[a - 1].right, b);
  else
    q->entry[b - 1].left = join(q, a, q->entry[b - 1].left);
  add_up(q, first ? a : b);
  return first ? a : b;
}

/* What comes before an entry, and what after it. */
static void split(hg_queue *q, int root, const hg_ready *at, int *before, int *after)
{
  if (!root) {
    *before = *after = 0;
    return;
  }
  hg_entry *e = &q->entry[root - 1];
  if (hg_ready_before(&e->ready, at)) {
    split(q, e->right, at, &e->right, after);
    *before = root;
  } else {
    split(q, e->left, at, before, &e->left);
    *after = root;
  }
  add_up(q, root);
}

/* Sums on the way down change by what comes or goes, so that of each entry there nothing else is looked at. */
static void insert(hg_queue *q, int fresh)
{
  hg_entry *e = &q->entry[fresh - 1];
  int *at = &q->root;
  while (*at && q->entry[*at - 1].weight >= e->weight) {
    hg_entry *r = &q->entry[*at - 1];
    r->sum += e->ready.seconds;
    at = hg_ready_before(&e->ready, &r->ready) ? &r->left : &r->right;
  }
  split(q, *at, &e->ready, &e->left, &e->right);
  add_up(q, fresh);
  *at = fresh;
}

static void drop(hg_queue *q, int gone)
{
  const hg_entry *g = &q->entry[gone - 1];
  int *at = &q->root;
  while (*at != gone) {
    hg_entry *r = &q->entry[*at - 1];
    r->sum -= g->ready.seconds;
    at = hg_ready_before(&g->ready, &r->ready) ? &r->left : &r->right;
  }
  *at = join(q, g->left, g->right);
}

static bool grow(hg_queue *q)
{
  const int room = q->room ? 2 * q->room : 64;
  hg_entry *entry = realloc(q->entry, (size_t)room * sizeof *entry);
  if (!entry) return false;
  q->entry = entry;
  q->room = room;
  return true;
}

/* xorshift, started from the entry's number in the order of arrival */
static uint32_t weight_of(uint64_t order)
{
  uint64_t x = (order + 1) * UINT64_C(0x9E3779B97F4A7C15);
  x ^= x >> 32;
  return (uint32_t)((x * UINT64_C(0xD6E8FEB86659FD93)) >> 32);
}

bool hg_queue_push(hg_queue *q, const hg_ready *ready)
{
  int fresh = q->free;
  if (fresh)
    q->free = q->entry[fresh - 1].left;
  else if (q->used < q->room || grow(q))
    fresh = ++q->used;
  else
    return false;
  q->entry[fresh - 1] = (hg_entry){.ready = *ready, .weight = weight_of(ready->order)};
  insert(q, fresh);
  q->count++;
  return true;
}

hg_ready hg_queue_take(hg_queue *q, int number)
{
  const hg_ready taken = q->entry[number].ready;
  drop(q, number + 1);
  q->entry[number].ready.task = NULL;
  q->entry[number].left = q->free;
  q->free = number + 1;
  q->count--;
  return taken;
}

int hg_queue_first(const hg_queue *q)
{
  int at = q->root;
  while (at && q->entry[at - 1].left) at = q->entry[at - 1].left;
  return at - 1;
}

int hg_queue_last(const hg_queue *q)
{
  int at = q->root;
  while (at && q->entry[at - 1].right) at = q->entry[at - 1].right;
  return at - 1;
}

static int collect(const hg_queue *q, int root, bool forward, int most, int *number)
{
  if (!root || most <= 0) return 0;
  const hg_entry *e = &q->entry[root - 1];
  int n = collect(q, forward ? e->left : e->right, forward, most, number);
  if (n < most) number[n++] = root - 1;
  return n + collect(q, forward ? e->right : e->left, forward, most - n, number + n);
}

int hg_queue_head(const hg_queue *q, int most, int *number)
{
  return collect(q, q->root, true, most, number);
}

int hg_queue_tail(const hg_queue *q, int most, int *number)
{
  return collect(q, q->root, false, most, number);
}

double hg_queue_before(const hg_queue *q, const hg_ready *ready)
{
  double sum = 0;
  for (int at = q->root; at;) {
    const hg_entry *e = &q->entry[at - 1];
    const bool earlier = hg_ready_before(&e->ready, ready);
    if (earlier) sum += sum_of(q, e->left) + e->ready.seconds;
    at = earlier ? e->right : e->left;
  }
  return sum;
}

double hg_queue_seconds(const hg_queue *q)
{
  return sum_of(q, q->root);
}

void hg_queue_sort(hg_queue *q)
{
  int *number = malloc((size_t)(q->count + 1) * sizeof *number);
  if (!number) return;
  const int count = hg_queue_head(q, q->count, number);
  q->root = 0;
  for (int i = 0; i < count; i++) {
    q->entry[number[i]].left = q->entry[number[i]].right = 0;
    insert(q, number[i] + 1);
  }
  free(number);
}

void hg_queue_free(hg_queue *q)
{
  free(q->entry);
  *q = (hg_queue){0};
}
