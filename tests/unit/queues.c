/* SPDX-License-Identifier: MIT */
/* Queues of ready tasks: order and sums, against a sorted array of the same tasks. */
#include "schedulers/queue.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

enum { TASKS = 300 };

static int compare(const void *a, const void *b)
{
  return hg_ready_before(*(hg_ready *const *)a, *(hg_ready *const *)b) ? -1 : 1;
}

/* A queue against a sorted array of the same tasks. */
static int differences(const hg_queue *q, hg_ready *const *sorted, int count)
{
  int wrong = q->count != count;
  double before = 0;
  for (int i = 0; i < count && !wrong; i++) {
    wrong += hg_queue_at(q, i) != sorted[i] || fabs(hg_queue_before(q, i) - before) > 1e-9;
    before += sorted[i]->seconds;
  }
  return wrong + (fabs(q->seconds - before) > 1e-9);
}

static void sort(hg_ready **list, int count)
{
  qsort(list, (size_t)count, sizeof *list, compare);
}

static hg_ready *random_task(uint64_t *state, int i)
{
  hg_ready *r = calloc(1, sizeof *r);
  r->priority = (int)tap_between(state, 0, 2);
  r->rank = (double)tap_between(state, 0, 4);
  r->seconds = (double)tap_between(state, 1, 9);
  r->order = (uint64_t)i;
  return r;
}

/* Puts tasks and takes some again: one for three that are put, then all but one in three. @return how many remain */
static int fill(hg_queue *q, hg_ready **sorted, uint64_t *state, int *wrong)
{
  int count = 0;
  for (int i = 0; i < TASKS; i++) {
    sorted[count] = random_task(state, i);
    hg_queue_push(q, sorted[count++]);
    sort(sorted, count);
    *wrong += differences(q, sorted, count);
    for (int times = i < TASKS / 2 ? i % 3 == 2 : i % 3; times > 0; times--) {
      const int gone = (int)tap_between(state, 0, i % 2 ? count - 1 : 0);
      *wrong += hg_queue_take(q, gone) != sorted[gone];
      free(sorted[gone]);
      memmove(&sorted[gone], &sorted[gone + 1], (size_t)(--count - gone) * sizeof *sorted);
      *wrong += differences(q, sorted, count);
    }
  }
  return count;
}

int main(void)
{
  static hg_ready *sorted[TASKS];
  hg_queue q = {0};
  uint64_t state = 5;
  int wrong = 0;
  const int count = fill(&q, sorted, &state, &wrong);
  tap_int(wrong, 0, "a queue of random tasks: differences from a sorted array, in order and sums");
  for (int i = 0; i < count; i++) sorted[i]->rank = (double)tap_between(&state, 0, 9);
  hg_queue_sort(&q);
  sort(sorted, count);
  tap_int(differences(&q, sorted, count), 0, "... and after all ranks have changed");
  hg_queue_free(&q);
  return tap_done();
}
