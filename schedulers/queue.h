/* SPDX-License-Identifier: MIT */
/* Tasks that are ready, in the order in which they should run: highest priority first, then largest rank, then in the
 * order they became ready. A sorted array with room at both ends: most come at the end and go from the beginning. */
#ifndef HG_SCHEDULERS_QUEUE_H
#define HG_SCHEDULERS_QUEUE_H

#include <starpu.h>
#include <stdbool.h>
#include <stdint.h>

/** A task on a worker. */
typedef struct hg_estimate {
  float seconds, model;   /**< s, infinite where it cannot run: expected; by the model alone, NaN or 0: unknown */
  uint8_t implementation; /**< the fastest */
} hg_estimate;

/** A task that waits, with what was known of it when it became ready: estimates under the lock ask StarPU nothing. */
typedef struct hg_ready {
  struct starpu_task *task;
  double rank;    /**< s; what waits for it: of the longest path that it begins, or of a slower neighbour */
  double seconds; /**< expected on the worker in whose queue it is, on the fastest in that for all */
  uint64_t order;
  int tile;      /**< the task writes, or -1 */
  int priority;  /**< of the task when it was queued */
  int node;      /**< in the graph, or -1 */
  short counted; /**< StarPU's id of the worker that it counts for */
  short owner;   /**< worker that the program has named for the tile it writes, or -1 */
  bool prefetched;
  float reserved;        /**< bytes of a memory */
  int epoch;             /**< of the policy's members when its costs were found; 0: they were not */
  int workers;           /**< of whom it can hold the costs */
  struct hg_ready *next; /**< free one */
  float *moving;         /**< [STARPU_MAXNODES] s, what it costs to bring its data to a memory; behind `on` */
  hg_estimate on[];      /**< by worker */
} hg_ready;

typedef struct hg_queue {
  hg_ready **ready; /* the first one is at `begin` */
  int begin, count, room;
  double seconds; /* of all */
} hg_queue;

/** The order of a queue. */
bool hg_ready_before(const hg_ready *a, const hg_ready *b);

/** false if memory ran out. */
bool hg_queue_push(hg_queue *queue, hg_ready *ready);

/** Removes task i. */
hg_ready *hg_queue_take(hg_queue *queue, int i);

/** s that the tasks before task i take. */
double hg_queue_before(const hg_queue *queue, int i);

/** Sorts again after ranks have changed. */
void hg_queue_sort(hg_queue *queue);

static inline hg_ready *hg_queue_at(const hg_queue *queue, int i)
{
  return queue->ready[queue->begin + i];
}

/** Frees the tasks, too. */
void hg_queue_free(hg_queue *queue);
#endif
