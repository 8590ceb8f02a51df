/* SPDX-License-Identifier: MIT */
/* Tasks on chunks of a divisible job: each processes some items on the worker that it is bound to. */
#ifndef HG_CODELETS_DIVISIBLE_ITEMS_CODELET_H
#define HG_CODELETS_DIVISIBLE_ITEMS_CODELET_H

#include <starpu.h>

#include "codelets/divisible/items.h"

typedef struct hg_item_chunk hg_item_chunk;

/** A result of a GPU that is being transferred. */
typedef struct hg_item_arrival {
  hg_item_chunk *chunk;
  starpu_data_handle_t handle;
} hg_item_arrival;

/** Some items of a share; StarPU's buffers are matrices, one per array. */
struct hg_item_chunk {
  const hg_divisible *job;
  hg_items items;
  bool cuda;            /**< of a GPU's share */
  unsigned bound_to;    /**< StarPU's number of the worker, or of the combined worker of cores that run it together */
  _Atomic double begin; /**< s when a worker took the task; 0: none has */
  double end;           /**< s when the task was done; on a GPU: when its results had arrived */
  double kernel;        /**< s of a GPU's kernels, if measured for learning; 0: unknown */
  void *event[2];       /**< cudaEvent_t around a GPU's kernels, or NULL */
  hg_status status;     /**< what the function returned */
  char message[400];    /**< why */
  starpu_data_handle_t handle[HG_ITEM_ARRAYS];
  hg_item_arrival arrival[HG_ITEM_ARRAYS];
  struct starpu_task *task;
};

/** Codelets of a job; they must outlive its tasks. */
typedef struct hg_item_codelet {
  struct starpu_codelet task;
  struct starpu_perfmodel model;
  char symbol[80];
  enum starpu_data_access_mode mode[HG_ITEM_ARRAYS];
} hg_item_codelet;

void hg_item_codelet_make(const hg_divisible *job, hg_item_codelet *out);

/** Seconds of a GPU's kernels, after the task; 0 if unknown. To be called once. */
double hg_item_chunk_kernel(hg_item_chunk *chunk);

/** Copy engines of the GPU that a worker serves: 1 or 2. */
int hg_item_copy_engines(unsigned worker);
#endif
