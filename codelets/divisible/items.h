/* SPDX-License-Identifier: MIT */
/* The interface between the library and an application whose work is independent items: what a divisible job is, what
 * a function that processes some items gets, and what a pass over all of them reports. Plain data, the same on CPUs
 * and CUDA devices. */
#ifndef HG_CODELETS_DIVISIBLE_ITEMS_H
#define HG_CODELETS_DIVISIBLE_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HG_ITEM_ARRAYS = 8 }; /**< most arrays of a divisible job */

/** How items use an array. */
typedef enum hg_item_access {
  HG_ITEM_READ,   /**< each item reads its own part */
  HG_ITEM_WRITE,  /**< each item writes all of its own part and does not read it */
  HG_ITEM_UPDATE, /**< each item reads and writes its own part */
  HG_ITEM_SHARED  /**< all items read all of it */
} hg_item_access;

/** An array in main memory. Item j has `rows` pieces of `bytes` each, the first at base + j bytes, the others at
 * intervals of `stride` bytes. */
typedef struct hg_item_array {
  void *base;            /**< of rank 0; ignored on other ranks; unused if `divided` */
  int64_t bytes;         /**< contiguous, per item and row; HG_ITEM_SHARED: of the whole array, base set on all ranks */
  int64_t rows;          /**< 0: one */
  int64_t stride;        /**< bytes between rows, >= items * bytes; unused with one row, or if `divided` */
  hg_item_access access; /**< what items do with it */
  bool divided;          /**< each rank has its own items' part (hg_item_part), instead of rank 0 having all */
} hg_item_array;

/** A rank's part of a divided array: its items' pieces, row by row. */
typedef struct hg_item_part {
  int64_t first;  /**< number of its first item */
  int64_t count;  /**< number of items; 0: none */
  void *base;     /**< NULL if there are none */
  int64_t stride; /**< bytes between rows */
} hg_item_part;

/** Some items for one worker. */
typedef struct hg_items {
  int64_t first;         /**< number in the grid, x + nx (y + ny z) */
  int64_t count;         /**< items; 1 unless agglomerative */
  int64_t grid[3];       /**< of items */
  void *const *array;    /**< [arrays] the first item's first piece, in memory of the device */
  const int64_t *stride; /**< [arrays] bytes between rows there */
  int worker;            /**< of this rank, from 0, in StarPU's numbering */
  void *stream;          /**< cudaStream_t to queue on; NULL on a CPU */
  void *arg;             /**< the job's */
  int cores;             /**< that a call on CPUs may use exclusively: 1, or all of them for a job with `together` */
} hg_items;

/** Processes items. Any result but HG_OK (hg_fail says why) ends the pass. */
typedef hg_status hg_items_function(const hg_items *items);

/** A job. Fields that are 0 have the defaults given here. It is copied; what it points to must remain. */
typedef struct hg_divisible {
  const char *name;                    /**< for messages, traces and files; default: items */
  int64_t grid[3];                     /**< items along x, y, z; y and z default to 1; their product is below 2^31 */
  int arrays;                          /**< number of entries in `array` */
  hg_item_array array[HG_ITEM_ARRAYS]; /**< what items read and write */
  hg_items_function *cpu;              /**< on a CPU core; required, and safe to call from several threads */
  /** On a GPU: queues work on items->stream and returns without waiting. NULL: GPUs are left out. */
  hg_items_function *cuda;
  /** Called before the first pass in which a worker gets items->count items at once, outside of the timed part: the
   * place to create plans. For CPU workers by the calling thread, one after another; for a GPU by the thread that
   * serves it. The arrays are NULL. Default: nothing to prepare. */
  hg_items_function *prepare;
  bool agglomerative;       /**< functions may get more than one item at once */
  double flops;             /**< of an item, for reports; 0: not known */
  double epsilon;           /**< balanced if (largest - smallest) / largest time of the workers <= this; default 0.05 */
  const char *strategy;     /**< of a GPU's share: streaming (default), div2, fixed:K, unsplit */
  const char *models;       /**< folder of learnt models: read by open, written by close; default: not kept */
  bool pageable;            /**< do not pin the arrays where there are GPUs */
  const char *sched;        /**< StarPU policy for other tasks; shares are bound to their workers */
  const char *workers;      /**< those that take part: cpu, cuda or cuda:N, separated by commas; default: all */
  const void *communicator; /**< as in hg_job (job.h) */
  void *arg;                /**< passed to the functions */
  int passes;               /**< expected number; a GPU's cold start must pay off in them; default: many */
  /** `cpu` is a parallel routine (OpenMP, a library with threads): the cores of a rank run it together, as one device.
   * There is one call at a time, by a thread bound to all these cores, and its own threads inherit the binding. */
  bool together;
} hg_divisible;

/** An open job. */
typedef struct hg_divisible_run hg_divisible_run;

/** Report of the last pass. The same on all ranks except for rank, workers, items and per-worker data, so that all
 * ranks make the same decisions from it. Valid until the next pass. */
typedef struct hg_divisible_report {
  int pass;               /**< from 1; 0: none yet */
  int ranks;              /**< number of ranks of the run */
  int rank;               /**< this one */
  int workers;            /**< of this rank */
  double seconds;         /**< of the pass, on the rank that took longest */
  double predicted;       /**< s predicted by the models; 0: nothing was known */
  double imbalance;       /**< (largest - smallest) / largest time of the workers with work, all ranks */
  int64_t items;          /**< of this rank */
  int64_t items_gpu;      /**< of all ranks */
  int streams;            /**< number of streams into which GPUs divided them, all ranks */
  int64_t n_min;          /**< fewest items of a stream; 0 without a GPU */
  int64_t points;         /**< of all models of all ranks */
  const char *state;      /**< learning, balanced, repeated or settled */
  const int64_t *share;   /**< [workers] items */
  const double *busy;     /**< [workers] s from the start to the arrival of the last result */
  const double *compute;  /**< [workers] s in the job's functions; for a GPU, in its kernels */
  const double *transfer; /**< [workers] s of transfers not hidden by computation: of a GPU, and between ranks */
} hg_divisible_report;

#ifdef __cplusplus
}
#endif
#endif
