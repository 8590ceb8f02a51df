/* SPDX-License-Identifier: MIT */
/* Between the library and an application whose work is independent items: what a divisible job is,
 * what a function that does some of them gets, and what a pass over all of them was. Plain data,
 * the same on CPUs and CUDA devices. */
#ifndef HG_CODELETS_DIVISIBLE_ITEMS_H
#define HG_CODELETS_DIVISIBLE_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HG_ITEM_ARRAYS = 8 }; /**< arrays of a divisible job at most */

/** How items use an array. */
typedef enum hg_item_access {
  HG_ITEM_READ,   /**< each item reads its own part */
  HG_ITEM_WRITE,  /**< each item writes all of its own part, and does not read it */
  HG_ITEM_UPDATE, /**< each item reads and writes its own part */
  HG_ITEM_SHARED  /**< all items read all of it */
} hg_item_access;

/** An array in main memory. Item j has `rows` pieces of `bytes`, the first at base + j bytes, the
 * others `stride` bytes behind each other. */
typedef struct hg_item_array {
  void *base;            /**< of rank 0; other ranks give what they like, and it is not touched; unused if `divided` */
  int64_t bytes;         /**< contiguous, of an item in each row; HG_ITEM_SHARED: of all, base on all ranks */
  int64_t rows;          /**< 0: one */
  int64_t stride;        /**< bytes from row to row, >= items * bytes; unused with one row, or if `divided` */
  hg_item_access access; /**< what items do with it */
  bool
      divided; /**< each rank has its own items' part, in memory of the library (hg_item_part), instead of rank 0 all */
} hg_item_array;

/** A rank's part of a divided array: its items' pieces, row by row. */
typedef struct hg_item_part {
  int64_t first;  /**< number of its first item */
  int64_t count;  /**< items; 0: none */
  void *base;     /**< NULL if there are none */
  int64_t stride; /**< bytes from row to row */
} hg_item_part;

/** Some items for one worker. */
typedef struct hg_items {
  int64_t first;         /**< number in the grid, x + nx (y + ny z) */
  int64_t count;         /**< items; 1 unless agglomerative */
  int64_t grid[3];       /**< of items */
  void *const *array;    /**< [arrays] the first item's first piece, in memory of the device */
  const int64_t *stride; /**< [arrays] bytes from row to row there */
  int worker;            /**< of this rank, from 0, by StarPU's numbers */
  void *stream;          /**< cudaStream_t to queue on; NULL on a CPU */
  void *arg;             /**< the job's */
  int cores;             /**< that a call on CPUs has for itself, and may run on: 1, or all of a job with `together` */
} hg_items;

/** Does items. Anything but HG_OK (hg_fail says why) ends the pass. */
typedef hg_status hg_items_function(const hg_items *items);

/** A job. Fields that are 0 have the defaults that are given. It is copied; what it points to must
 * stay. */
typedef struct hg_divisible {
  const char *name;                    /**< for messages, traces and files; default: items */
  int64_t grid[3];                     /**< items along x, y, z; y and z default to 1; their product is below 2^31 */
  int arrays;                          /**< in `array` */
  hg_item_array array[HG_ITEM_ARRAYS]; /**< what items read and write */
  hg_items_function *cpu;              /**< on a CPU core; required, and safe to call from several threads */
  /** On a GPU: queues work on items->stream and returns without waiting. NULL: GPUs are left out. */
  hg_items_function *cuda;
  /** Called before the first pass in which a worker gets items->count items at once, outside of what
   * is timed: the place to make plans. For CPU workers by the calling thread, one after the other;
   * for a GPU by the thread that serves it. The arrays are NULL. Default: nothing is to be
   * prepared. */
  hg_items_function *prepare;
  bool agglomerative;       /**< functions may get more than one item at once */
  double flops;             /**< of an item, for reports; 0: not known */
  double epsilon;           /**< (largest - smallest) / largest time of the workers that is balanced; default
                               .05 */
  const char *strategy;     /**< of a GPU's share: streaming (default), div2, fixed:K, unsplit */
  const char *models;       /**< folder of what was learnt: read by open, written by close; default:
                               nothing is kept */
  bool pageable;            /**< do not pin the arrays where there are GPUs */
  const char *sched;        /**< StarPU policy, for other tasks; shares are bound to their workers */
  const char *workers;      /**< those that take part: cpu, cuda or cuda:N, separated by commas; default: all */
  const void *communicator; /**< as in hg_job (job.h) */
  void *arg;                /**< of the functions */
  int passes;               /**< expected: a GPU's cold start is to pay in them; default: many */
  /** `cpu` is a parallel routine (OpenMP, a library with threads): the cores of a rank do it together, as one device;
   * it is called once at a time, by a thread that is bound to all of them, and its own threads inherit that. */
  bool together;
} hg_divisible;

/** A job that is open. */
typedef struct hg_divisible_run hg_divisible_run;

/** What the last pass was, the same on all ranks but for rank, workers, items and what there is per worker: ranks that
 * decide by it decide alike. Valid until the next one. */
typedef struct hg_divisible_report {
  int pass;               /**< from 1; 0: none yet */
  int ranks;              /**< of the run */
  int rank;               /**< this one */
  int workers;            /**< of this rank */
  double seconds;         /**< of the pass, on the rank that took longest */
  double predicted;       /**< s that the models promised before it; 0: nothing was known */
  double imbalance;       /**< (largest - smallest) / largest time of the workers with work, all ranks */
  int64_t items;          /**< of this rank */
  int64_t items_gpu;      /**< of all ranks */
  int streams;            /**< into which GPUs divided them, all ranks */
  int64_t n_min;          /**< items of a stream at least; 0 without a GPU */
  int64_t points;         /**< of all models of all ranks */
  const char *state;      /**< learning, balanced, repeated or settled */
  const int64_t *share;   /**< [workers] items */
  const double *busy;     /**< [workers] s from the beginning to the arrival of the last result */
  const double *compute;  /**< [workers] s in the job's functions; of a GPU in its kernels */
  const double *transfer; /**< [workers] s of transfers that no computing hid: of a GPU, and between ranks */
} hg_divisible_report;

#ifdef __cplusplus
}
#endif
#endif
