/* SPDX-License-Identifier: MIT */
/* An open divisible job. Internal to divisible/. */
#ifndef HG_DIVISIBLE_INTERNAL_H
#define HG_DIVISIBLE_INTERNAL_H

#include "codelets/divisible/items_codelet.h"
#include "runtime/pinned.h"
#include "runtime/session.h"
#include "divisible/shares.h"
#include "divisible/streams.h"

/** A participating worker. */
typedef struct hg_item_device {
  unsigned worker;   /**< StarPU's number; for cores that work together, that of the first */
  unsigned bound_to; /**< StarPU's number of the worker that its tasks are bound to: the same, or a combined worker */
  int cores;         /**< 0: a GPU */
  bool cuda;
  hg_stream_device known; /**< for a GPU: bus and kernel */
  int64_t n_min;          /**< fewest items of a stream */
  int64_t most;           /**< most items of a stream, by the device's memory */
  hg_streams streams;     /**< of this pass' share; CPU workers process theirs as a whole */
  int64_t divided;        /**< items of `streams`; 0: none */
  int64_t *prepared;      /**< [prepares] numbers of items it has been prepared for */
  int64_t prepares;
} hg_item_device;

/** Messages of a pass between rank 0 and the others. */
typedef struct hg_item_messages hg_item_messages;

struct hg_divisible_run {
  hg_divisible job; /**< with defaults */
  char name[64];
  const hg_session *session;
  int64_t items;
  hg_stream_strategy strategy;
  int streams; /**< of fixed:K */
  int devices;
  hg_item_device *device;
  hg_shares workers;                   /**< of this rank's devices */
  hg_shares ranks;                     /**< where there are several */
  int64_t first, count;                /**< this rank's items */
  hg_item_array local[HG_ITEM_ARRAYS]; /**< their data: the user's arrays, or buffers */
  hg_pinned buffer[HG_ITEM_ARRAYS];    /**< on ranks above 0; for divided arrays on all ranks */
  hg_item_messages *messages;
  hg_item_codelet codelet;
  hg_item_chunk *chunk; /**< [chunks] of this pass */
  int chunks, room;
  starpu_data_handle_t shared[HG_ITEM_ARRAYS];
  bool pinned[HG_ITEM_ARRAYS];
  int64_t *lies[HG_ITEM_ARRAYS];     /**< [ranks] items of a divided array on each rank; NULL: not stored yet */
  bool planned, passing;             /**< divided but not begun; begun but not ended */
  double begin;                      /**< s, of the pass */
  double submitted;                  /**< s, when inputs had arrived and tasks began */
  double travel;                     /**< s of the pass in which this rank only waited for inputs and results */
  double predicted;                  /**< s */
  double *seconds;                   /**< [devices] of the pass */
  double *rank_seconds;              /**< [ranks] */
  int64_t *share;                    /**< [workers of this rank], for the report */
  double *busy, *compute, *transfer; /**< likewise */
  hg_divisible_report report;
};

/** Fills in defaults and checks. HG_INVALID. */
hg_status hg_divisible_check(const hg_session *session, const hg_divisible *job, hg_divisible_run *run);

/** Compares the items of all ranks. Collective. HG_INVALID naming the first difference. */
hg_status hg_divisible_check_ranks(const hg_divisible_run *run);

/** Finds the workers that can run the job; warns once about the others. HG_NO_WORKER if there is none. */
hg_status hg_divisible_devices(hg_divisible_run *run);

/** Guessed items/s of a device; without known flops, its number of cores. */
double hg_item_device_rate(const hg_divisible_run *run, const hg_item_device *device);

/** Divides a device's share into chunks. HG_INVALID if models are invalid. */
hg_status hg_item_device_divide(const hg_divisible_run *run, hg_item_device *device, int64_t items);

/** Prepares a device for chunks of this many items, unless it was done before. Returns the status of the job's
 * function. */
hg_status hg_item_device_prepare(const hg_divisible_run *run, hg_item_device *device, int64_t items);

/** Updates the model of a device after a pass in which w items took `seconds` (hg_shares_model). */
hg_status hg_item_device_model(void *run, int device, int64_t w, double seconds, hg_partial_speed *speed);

/** Sends inputs to the other ranks and starts receiving results. Collective. HG_MEMORY. */
hg_status hg_divisible_deliver(hg_divisible_run *run);

/** Sends results to rank 0, which may begin its own part of this before its tasks are done. Collective. */
void hg_divisible_collect(hg_divisible_run *run);

/** Redistributes divided arrays to the shares of the pass that begins; only values that items read are moved.
 * Collective. HG_MEMORY. */
hg_status hg_item_parts_lay(hg_divisible_run *run);
void hg_item_parts_free(hg_divisible_run *run);

/** Exchanges run->rank_seconds among all ranks. Collective. */
void hg_divisible_share_times(hg_divisible_run *run);
void hg_divisible_free_messages(hg_divisible_run *run);

/** Reads models of earlier runs, if there are any. HG_FORMAT, HG_INVALID. */
hg_status hg_divisible_read_models(hg_divisible_run *run);

/** Whether items read an array's pieces, and whether they write them. */
static inline bool hg_item_array_goes(const hg_item_array *a)
{
  return a->access == HG_ITEM_READ || a->access == HG_ITEM_UPDATE;
}

static inline bool hg_item_array_comes(const hg_item_array *a)
{
  return a->access == HG_ITEM_WRITE || a->access == HG_ITEM_UPDATE;
}

/** Bytes from the first to the last byte of an array that `count` consecutive items use. */
static inline int64_t hg_item_array_extent(const hg_item_array *a, int64_t count)
{
  return a->access == HG_ITEM_SHARED ? a->bytes : (a->rows - 1) * a->stride + count * a->bytes;
}
#endif
