/* SPDX-License-Identifier: MIT */
/* Tasks of one worker: highest priority first, then in the order they became ready. */
#ifndef HG_SCHEDULERS_QUEUE_H
#define HG_SCHEDULERS_QUEUE_H

#include <starpu.h>
#include <stdint.h>

typedef struct hg_ready {
  struct starpu_task *task;
  int tile;       /**< the task writes, or -1 */
  double seconds; /**< expected on the worker in whose queue it is */
  uint64_t order;
} hg_ready;

/** A heap. */
typedef struct hg_queue {
  hg_ready *ready;
  int count, room;
} hg_queue;

/** false if memory ran out. */
bool hg_queue_push(hg_queue *queue, const hg_ready *ready);

/** Removes entry i; 0 is the first. */
hg_ready hg_queue_take(hg_queue *queue, int i);

void hg_queue_free(hg_queue *queue);
#endif
