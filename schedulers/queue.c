/* SPDX-License-Identifier: MIT */
#include "schedulers/queue.h"

#include <stdlib.h>
#include <string.h>

bool hg_ready_before(const hg_ready *a, const hg_ready *b)
{
  if (a->priority != b->priority) return a->priority > b->priority;
  return a->rank != b->rank ? a->rank > b->rank : a->order < b->order;
}

/* Makes room for one more task at the end. */
static bool grow(hg_queue *q)
{
  if (q->begin + q->count < q->room) return true;
  if (2 * q->count < q->room) {
    memmove(q->ready, q->ready + q->begin, (size_t)q->count * sizeof(hg_ready *));
    q->begin = 0;
    return true;
  }
  const int room = q->room ? 2 * q->room : 64;
  hg_ready **ready = realloc(q->ready, (size_t)room * sizeof(hg_ready *));
  if (!ready) return false;
  q->ready = ready;
  q->room = room;
  return true;
}

/* Number of tasks that come before this one. */
static int place_of(const hg_queue *q, const hg_ready *r)
{
  int low = 0, high = q->count;
  if (high > 0 && hg_ready_before(hg_queue_at(q, high - 1), r)) return high;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (hg_ready_before(hg_queue_at(q, middle), r))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Moves the shorter side. */
bool hg_queue_push(hg_queue *q, hg_ready *ready)
{
  if (!grow(q)) return false;
  const int i = place_of(q, ready);
  hg_ready **at = q->ready + q->begin;
  if (q->begin > 0 && 2 * i < q->count) {
    memmove(at - 1, at, (size_t)i * sizeof(hg_ready *));
    q->begin--;
  } else {
    memmove(at + i + 1, at + i, (size_t)(q->count - i) * sizeof(hg_ready *));
  }
  q->ready[q->begin + i] = ready;
  q->count++;
  q->seconds += ready->seconds;
  return true;
}

hg_ready *hg_queue_take(hg_queue *q, int i)
{
  hg_ready **at = q->ready + q->begin, *taken = at[i];
  q->count--;
  if (2 * i < q->count) {
    memmove(at + 1, at, (size_t)i * sizeof(hg_ready *));
    q->begin++;
  } else {
    memmove(at + i, at + i + 1, (size_t)(q->count - i) * sizeof(hg_ready *));
  }
  q->seconds = q->count > 0 ? q->seconds - taken->seconds : 0;
  return taken;
}

double hg_queue_before(const hg_queue *q, int i)
{
  const bool from_end = 2 * i > q->count;
  double sum = 0;
  for (int e = from_end ? i : 0; e < (from_end ? q->count : i); e++) sum += hg_queue_at(q, e)->seconds;
  return from_end ? q->seconds - sum : sum;
}

static int compare(const void *a, const void *b)
{
  return hg_ready_before(*(hg_ready *const *)a, *(hg_ready *const *)b) ? -1 : 1;
}

void hg_queue_sort(hg_queue *q)
{
  if (q->count > 1) qsort(q->ready + q->begin, (size_t)q->count, sizeof(hg_ready *), compare);
}

void hg_queue_free(hg_queue *q)
{
  for (int i = 0; i < q->count; i++) free(hg_queue_at(q, i));
  free(q->ready);
  *q = (hg_queue){0};
}
