/* SPDX-License-Identifier: MIT */
/* Tasks on chunks of a divisible job: each does some items on the worker that it is bound to. */
#ifndef HG_CODELETS_DIVISIBLE_ITEMS_CODELET_H
#define HG_CODELETS_DIVISIBLE_ITEMS_CODELET_H

#include <starpu.h>

#include "codelets/divisible/items.h"

typedef struct hg_item_chunk hg_item_chunk;

/** A result of a GPU on its way. */
typedef struct hg_item_arrival {
  hg_item_chunk *chunk;
  starpu_data_handle_t handle;
} hg_item_arrival;

/** Some items of a share; StarPU's buffers are matrices, one an array. */
struct hg_item_chunk {
  const hg_divisible *job;
  hg_items items;
  bool cuda;            /**< of a GPU's share */
  unsigned bound_to;    /**< StarPU's number of the worker, or of the combined one of the cores that do it together */
  _Atomic double begin; /**< s: a worker took the task; 0: none has */
  double end;           /**< s: the task was done, on a GPU: its results had arrived */
  double kernel;        /**< s of a GPU's kernels, when it has been learnt from; 0: not known */
  void *event[2];       /**< cudaEvent_t around a GPU's kernels, or NULL */
  hg_status status;     /**< what the function returned */
  char message[400];    /**< why */
  starpu_data_handle_t handle[HG_ITEM_ARRAYS];
  hg_item_arrival arrival[HG_ITEM_ARRAYS];
  struct starpu_task *task;
};

/** Codelets of a job; they stay as long as its tasks. */
typedef struct hg_item_codelet {
  struct starpu_codelet task;
  struct starpu_perfmodel model;
  char symbol[80];
  enum starpu_data_access_mode mode[HG_ITEM_ARRAYS];
} hg_item_codelet;

void hg_item_codelet_make(const hg_divisible *job, hg_item_codelet *out);

/** s of a GPU's kernels, after the task; 0 if that is not known. To be called once. */
double hg_item_chunk_kernel(hg_item_chunk *chunk);

/** Copy engines of the GPU that a worker serves: 1 or 2. */
int hg_item_copy_engines(unsigned worker);
#endif
