/* SPDX-License-Identifier: MIT */
#include "schedulers/queue.h"

#include <stdlib.h>

bool hg_ready_before(const hg_ready *a, const hg_ready *b)
{
  if (a->task->priority != b->task->priority) return a->task->priority > b->task->priority;
  return a->urgency != b->urgency ? a->urgency > b->urgency : a->order < b->order;
}

static void swap(hg_ready *a, hg_ready *b)
{
  hg_ready kept = *a;
  *a = *b;
  *b = kept;
}

static void sift_up(hg_queue *q, int i)
{
  for (; i > 0 && hg_ready_before(&q->ready[i], &q->ready[(i - 1) / 2]); i = (i - 1) / 2)
    swap(&q->ready[i], &q->ready[(i - 1) / 2]);
}

static void sift_down(hg_queue *q, int i)
{
  for (int child; (child = 2 * i + 1) < q->count; i = child) {
    if (child + 1 < q->count && hg_ready_before(&q->ready[child + 1], &q->ready[child])) child++;
    if (!hg_ready_before(&q->ready[child], &q->ready[i])) return;
    swap(&q->ready[i], &q->ready[child]);
  }
}

bool hg_queue_push(hg_queue *q, const hg_ready *ready)
{
  if (q->count == q->room) {
    const int room = q->room ? 2 * q->room : 64;
    hg_ready *list = realloc(q->ready, (size_t)room * sizeof *list);
    if (!list) return false;
    q->ready = list;
    q->room = room;
  }
  q->ready[q->count] = *ready;
  sift_up(q, q->count++);
  return true;
}

hg_ready hg_queue_take(hg_queue *q, int i)
{
  const hg_ready taken = q->ready[i];
  q->ready[i] = q->ready[--q->count];
  if (i < q->count) {
    sift_down(q, i);
    sift_up(q, i);
  }
  return taken;
}

void hg_queue_free(hg_queue *q)
{
  free(q->ready);
  *q = (hg_queue){0};
}
