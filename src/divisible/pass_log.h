/* SPDX-License-Identifier: MIT */
/* What passes over a divisible job were, for pictures: what was known of each worker's speed behind them, and which
 * chunk each worker did when. Of more passes than are kept, the first ones and the last one. */
#ifndef HG_DIVISIBLE_PASS_LOG_H
#define HG_DIVISIBLE_PASS_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "speed/partial.h"

enum { HG_PASSES_KEPT = 6, HG_PASSES_NAME = 40 };

/** A worker's part; nothing but numbers, so that ranks can add up what each knows. */
typedef struct hg_pass_worker {
  double items, seconds;                                          /**< of this pass */
  double points, at[HG_PARTIAL_POINTS], speed[HG_PARTIAL_POINTS]; /**< known behind it: items/s over items */
} hg_pass_worker;

/** Items that a worker did at once; s from the beginning of the pass. */
typedef struct hg_pass_chunk {
  double worker, items;
  double begin, computed, end; /**< inputs were there and the worker was free; computed; results are back */
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
  int count;                    /**< kept */
  hg_pass pass[HG_PASSES_KEPT];
} hg_passes;

/** Nothing yet of so many workers, whose names the caller writes. HG_MEMORY. hg_passes_end in any case. */
hg_status hg_passes_begin(int workers, hg_passes *out);
void hg_passes_end(hg_passes *passes);

/** A place for the next pass, zeroed, with its workers. HG_MEMORY. */
hg_status hg_passes_next(hg_passes *passes, hg_pass **out);

/** What is known of a worker. */
void hg_pass_know(const hg_partial_speed *speed, hg_pass_worker *worker);

/** A picture with a row for each pass: speeds over items, chunks over time. HG_IO, HG_MEMORY.
 * @param items  of all workers in a pass */
hg_status hg_passes_draw(const char *path, const char *title, int64_t items, const hg_passes *passes);
#endif
