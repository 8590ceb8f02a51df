/* SPDX-License-Identifier: MIT */
/* Ready tasks in the order in which they should run: highest priority first, then highest rank, then the order in
 * which they became ready. A sorted array with room at both ends, as most are added at the end and taken from the
 * front. */
#ifndef HG_SCHEDULERS_QUEUE_H
#define HG_SCHEDULERS_QUEUE_H

#include <starpu.h>
#include <stdbool.h>
#include <stdint.h>

/** Estimate for a task on a worker. */
typedef struct hg_estimate {
  float seconds, model;   /**< s: expected, infinite if it cannot run there; by the model alone, NaN or 0 if unknown */
  uint8_t implementation; /**< the fastest */
} hg_estimate;

/** A waiting task, with what was known when it became ready, so that estimates under the lock need not call StarPU. */
typedef struct hg_ready {
  struct starpu_task *task;
  double rank;    /**< s; priority from what waits for it: the longest path that it begins, or a slower neighbour's */
  double seconds; /**< expected on the worker whose queue it is in; on the fastest, in the shared queue */
  uint64_t order;
  int tile;      /**< that the task writes, or -1 */
  int priority;  /**< of the task when it was queued */
  int node;      /**< in the graph, or -1 */
  short counted; /**< StarPU's id of the worker whose load it counts in */
  short owner;   /**< worker named by the program for the tile it writes, or -1 */
  bool prefetched;
  float reserved;        /**< bytes reserved in a memory */
  int epoch;             /**< the policy's epoch when its costs were found; 0: none were found */
  int workers;           /**< for how many it has room */
  struct hg_ready *next; /**< in the list of free ones */
  float *moving;         /**< [STARPU_MAXNODES] s to transfer its data to a memory; stored behind `on` */
  hg_estimate on[];      /**< by worker */
} hg_ready;

typedef struct hg_queue {
  hg_ready **ready; /* the first one is at `begin` */
  int begin, count, room;
  double seconds; /* of all */
} hg_queue;

/** The order of a queue. */
bool hg_ready_before(const hg_ready *a, const hg_ready *b);

/** Returns false if memory ran out. */
bool hg_queue_push(hg_queue *queue, hg_ready *ready);

/** Removes task i. */
hg_ready *hg_queue_take(hg_queue *queue, int i);

/** Seconds that the tasks before task i take. */
double hg_queue_before(const hg_queue *queue, int i);

/** Sorts again after ranks have changed. */
void hg_queue_sort(hg_queue *queue);

static inline hg_ready *hg_queue_at(const hg_queue *queue, int i)
{
  return queue->ready[queue->begin + i];
}

/** Frees the tasks as well. */
void hg_queue_free(hg_queue *queue);
#endif
