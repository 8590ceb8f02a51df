/* SPDX-License-Identifier: MIT */
/* A record of the passes of a divisible job, for pictures: what was known about each worker's speed after them, and
 * when each worker processed which chunk. If there are too many passes, the first ones and the last one are kept. */
#ifndef HG_DIVISIBLE_PASS_LOG_H
#define HG_DIVISIBLE_PASS_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "speed/partial.h"

enum { HG_PASSES_KEPT = 6, HG_PASSES_NAME = 40 };

/** A worker's part; consists only of numbers, so that ranks can be combined by addition. */
typedef struct hg_pass_worker {
  double items, seconds;                                          /**< of this pass */
  double points, at[HG_PARTIAL_POINTS], speed[HG_PARTIAL_POINTS]; /**< known after it: items/s over items */
} hg_pass_worker;

/** Items that a worker processed at once; s from the beginning of the pass. */
typedef struct hg_pass_chunk {
  double worker, items;
  double begin, computed, end; /**< inputs were present and the worker was free; computed; results were back */
} hg_pass_chunk;

typedef struct hg_pass {
  int number; /**< from 1 */
  double seconds, imbalance;
  const char *state;      /**< of learning */
  hg_pass_worker *worker; /**< [workers] */
  int64_t chunks;
  hg_pass_chunk *chunk; /**< [chunks] */
} hg_pass;

typedef struct hg_passes {
  int workers;
  char (*name)[HG_PASSES_NAME]; /**< [workers] */
  bool *cuda;                   /**< [workers] */
  int count;                    /**< passes kept */
  hg_pass pass[HG_PASSES_KEPT];
} hg_passes;

/** An empty record for this many workers, whose names the caller fills in. HG_MEMORY. Call hg_passes_end in any
 * case. */
hg_status hg_passes_begin(int workers, hg_passes *out);
void hg_passes_end(hg_passes *passes);

/** A zeroed entry for the next pass, with its workers. HG_MEMORY. */
hg_status hg_passes_next(hg_passes *passes, hg_pass **out);

/** Stores what is known about a worker. */
void hg_pass_know(const hg_partial_speed *speed, hg_pass_worker *worker);

/** Draws a picture with a row for each pass: speeds over items, chunks over time. HG_IO, HG_MEMORY.
 * @param items  of all workers in a pass */
hg_status hg_passes_draw(const char *path, const char *title, int64_t items, const hg_passes *passes);
#endif
