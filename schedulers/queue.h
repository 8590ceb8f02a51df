/* SPDX-License-Identifier: MIT */
/* Tasks of one worker: highest priority first, then those that slower neighbours wait for, then in the order they
 * became ready. */
#ifndef HG_SCHEDULERS_QUEUE_H
#define HG_SCHEDULERS_QUEUE_H

#include <starpu.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct hg_ready {
  struct starpu_task *task;
  int tile;       /**< the task writes, or -1 */
  double urgency; /**< s, of the slowest neighbour tile that another worker has: it waits for this one's border */
  double seconds; /**< expected on the worker in whose queue it is */
  uint64_t order;
  int counted; /**< StarPU's id of the worker that it counts for */
} hg_ready;

/** A heap. */
typedef struct hg_queue {
  hg_ready *ready;
  int count, room;
} hg_queue;

/** The order of a queue. */
bool hg_ready_before(const hg_ready *a, const hg_ready *b);

/** false if memory ran out. */
bool hg_queue_push(hg_queue *queue, const hg_ready *ready);

/** Removes entry i; 0 is the first. */
hg_ready hg_queue_take(hg_queue *queue, int i);

void hg_queue_free(hg_queue *queue);
#endif
