/* SPDX-License-Identifier: MIT */
/* Queues of tasks that are ready: order, sums and ends, against a sorted array of the same tasks. */
#include "schedulers/queue.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

enum { TASKS = 300 };

static int compare(const void *a, const void *b)
{
  return hg_ready_before(a, b) ? -1 : hg_ready_before(b, a);
}

/* Entries of a queue against a sorted array of the same. */
static int differences(const hg_queue *q, const hg_ready *sorted, int count)
{
  static int number[TASKS], tail[TASKS];
  int wrong = hg_queue_head(q, TASKS, number) != count;
  wrong += hg_queue_tail(q, count / 2, tail) != count / 2 || q->count != count;
  double before = 0;
  for (int i = 0; i < count && !wrong; i++) {
    const hg_ready *r = hg_queue_at(q, number[i]);
    wrong += r->order != sorted[i].order || fabs(hg_queue_before(q, r) - before) > 1e-9;
    wrong += i < count / 2 && tail[i] != number[count - 1 - i];
    before += r->seconds;
  }
  if (count > 0 && !wrong) wrong += hg_queue_first(q) != number[0] || hg_queue_last(q) != number[count - 1];
  return wrong + (fabs(hg_queue_seconds(q) - before) > 1e-9);
}

static void sort(hg_ready *list, int count)
{
  qsort(list, (size_t)count, sizeof *list, compare);
}

/* Tasks come and, one in three, go again. @return how many are left */
static int fill(hg_queue *q, hg_ready *sorted, uint64_t *state, int *wrong)
{
  static int number[TASKS];
  int count = 0;
  for (int i = 0; i < TASKS; i++) {
    sorted[count] = (hg_ready){.priority = (int)tap_between(state, 0, 2),
                               .rank = (double)tap_between(state, 0, 4),
                               .seconds = (double)tap_between(state, 1, 9),
                               .order = (uint64_t)i};
    hg_queue_push(q, &sorted[count++]);
    sort(sorted, count);
    *wrong += differences(q, sorted, count);
    if (i % 3 < 2) continue;
    const int gone = (int)tap_between(state, 0, count - 1);
    hg_queue_head(q, TASKS, number);
    *wrong += hg_queue_take(q, number[gone]).order != sorted[gone].order;
    memmove(&sorted[gone], &sorted[gone + 1], (size_t)(--count - gone) * sizeof *sorted);
  }
  return count;
}

int main(void)
{
  static hg_ready sorted[TASKS];
  static int number[TASKS];
  hg_queue q = {0};
  uint64_t state = 5;
  int wrong = 0;
  const int count = fill(&q, sorted, &state, &wrong);
  tap_int(wrong, 0, "a queue of random tasks: differences from a sorted array, in order, sums and ends");
  hg_queue_head(&q, TASKS, number);
  for (int i = 0; i < count; i++) hg_queue_at(&q, number[i])->rank = sorted[i].rank = (double)tap_between(&state, 0, 9);
  hg_queue_sort(&q);
  sort(sorted, count);
  tap_int(differences(&q, sorted, count), 0, "... and after all ranks have changed");
  hg_queue_free(&q);
  return tap_done();
}
