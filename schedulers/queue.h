/* SPDX-License-Identifier: MIT */
/* Tasks that are ready, in the order in which they should run: highest priority first, then largest rank, then in the
 * order they became ready. A treap (Seidel, Aragon, Randomized search trees, Algorithmica 16, 1996) that also knows how
 * long the tasks before any other take, so that first, last, insertion, removal and that sum cost O(log n). */
#ifndef HG_SCHEDULERS_QUEUE_H
#define HG_SCHEDULERS_QUEUE_H

#include <starpu.h>
#include <stdbool.h>
#include <stdint.h>

struct hg_estimates;

typedef struct hg_ready {
  struct starpu_task *task;
  struct hg_estimates *estimates; /**< what it costs, where; NULL: not known */
  double rank;    /**< s; what waits for it: of the longest path that it begins, or of a slower neighbour */
  double seconds; /**< expected on the worker in whose queue it is, on the fastest of a group */
  uint64_t order;
  int tile;      /**< the task writes, or -1 */
  int priority;  /**< of the task when it was queued */
  int node;      /**< in the graph, or -1 */
  short counted; /**< StarPU's id of the worker that it counts for */
  bool prefetched;
  uint8_t implementation;
  float reserved; /**< bytes of a memory */
  float bringing; /**< s that its data keep a link busy */
  float model;    /**< s that the model expects of this implementation on that worker and those like it; 0: unknown */
} hg_ready;

typedef struct hg_entry {
  hg_ready ready;
  double sum; /* s, of the entries below and this one */
  int left, right;
  uint32_t weight;
} hg_entry;

/** Entries are known by their numbers, which stay until they are taken. */
typedef struct hg_queue {
  hg_entry *entry;
  int count, room, used, free, root; /* numbers + 1; 0: none */
} hg_queue;

/** The order of a queue. */
bool hg_ready_before(const hg_ready *a, const hg_ready *b);

/** false if memory ran out. */
bool hg_queue_push(hg_queue *queue, const hg_ready *ready);

/** Removes an entry. */
hg_ready hg_queue_take(hg_queue *queue, int number);

/** Number of the first or last entry, or -1. */
int hg_queue_first(const hg_queue *queue);
int hg_queue_last(const hg_queue *queue);

/** Numbers of the first (or last) entries in order (or from the end), at most `most`; how many. */
int hg_queue_head(const hg_queue *queue, int most, int *number);
int hg_queue_tail(const hg_queue *queue, int most, int *number);

/** s that the entries before this one take, and all of them. */
double hg_queue_before(const hg_queue *queue, const hg_ready *ready);
double hg_queue_seconds(const hg_queue *queue);

/** Sorts again after ranks have changed. */
void hg_queue_sort(hg_queue *queue);

static inline hg_ready *hg_queue_at(const hg_queue *queue, int number)
{
  return &queue->entry[number].ready;
}

void hg_queue_free(hg_queue *queue);
#endif
