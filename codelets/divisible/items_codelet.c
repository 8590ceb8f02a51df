/* SPDX-License-Identifier: MIT */
#include "codelets/divisible/items_codelet.h"

#include <limits.h>
#include <stdio.h>

#include "codelets/energy_codelet.h"

/* The argument of the job's function, with the arrays where StarPU has them. */
static hg_items items_of(const hg_item_chunk *c, void *buffer[], void *array[], int64_t stride[])
{
  hg_items items = c->items;
  for (int i = 0; i < c->job->arrays; i++) {
    array[i] = (void *)STARPU_MATRIX_GET_PTR(buffer[i]);
    stride[i] = (int64_t)(STARPU_MATRIX_GET_LD(buffer[i]) * STARPU_MATRIX_GET_ELEMSIZE(buffer[i]));
  }
  items.array = array;
  items.stride = stride;
  return items;
}

/* Advances to the next item's first piece. */
static void step(const hg_divisible *job, void *array[])
{
  for (int i = 0; i < job->arrays; i++)
    if (job->array[i].access != HG_ITEM_SHARED) array[i] = (char *)array[i] + job->array[i].bytes;
}

static hg_status call(const hg_divisible *job, hg_items_function *function, hg_items *items, void *array[])
{
  if (job->agglomerative) return function(items);
  const int64_t all = items->count;
  hg_status status = HG_OK;
  items->count = 1;
  for (int64_t i = 0; i < all && status == HG_OK; i++) {
    status = function(items);
    items->first++;
    step(job, array);
  }
  return status;
}

static void note(hg_item_chunk *c, hg_status status)
{
  c->status = status;
  if (status != HG_OK)
    snprintf(c->message, sizeof c->message, "%s", *hg_message() ? hg_message() : hg_status_text(status));
}

static void items_cpu(void *buffer[], void *arg)
{
  hg_item_chunk *c = arg;
  void *array[HG_ITEM_ARRAYS];
  int64_t stride[HG_ITEM_ARRAYS];
  hg_items items = items_of(c, buffer, array, stride);
  hg_clear_message();
  note(c, call(c->job, c->job->cpu, &items, array));
}

#ifdef HG_HAVE_CUDA
static void items_cuda(void *buffer[], void *arg)
{
  hg_item_chunk *c = arg;
  void *array[HG_ITEM_ARRAYS];
  int64_t stride[HG_ITEM_ARRAYS];
  hg_items items = items_of(c, buffer, array, stride);
  cudaStream_t stream = starpu_cuda_get_local_stream();
  items.stream = stream;
  hg_clear_message();
  for (int i = 0; i < 2; i++) {
    cudaEvent_t event = NULL;
    if (cudaEventCreate(&event) == cudaSuccess) c->event[i] = event;
  }
  if (c->event[0]) cudaEventRecord(c->event[0], stream);
  note(c, call(c->job, c->job->cuda, &items, array));
  if (c->event[1]) cudaEventRecord(c->event[1], stream);
}

double hg_item_chunk_kernel(hg_item_chunk *c)
{
  float ms = 0;
  const bool known = c->event[0] && c->event[1] && cudaEventElapsedTime(&ms, c->event[0], c->event[1]) == cudaSuccess;
  for (int i = 0; i < 2; i++)
    if (c->event[i]) cudaEventDestroy(c->event[i]);
  c->event[0] = c->event[1] = NULL;
  return known ? ms * 1e-3 : 0;
}

int hg_item_copy_engines(unsigned worker)
{
  int engines = 1;
  const int device = starpu_worker_get_devid((int)worker);
  if (cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, device) != cudaSuccess) return 1;
  return engines >= 2 ? 2 : 1;
}
#else
double hg_item_chunk_kernel(hg_item_chunk *c)
{
  (void)c;
  return 0;
}

int hg_item_copy_engines(unsigned worker)
{
  (void)worker;
  return 1;
}
#endif

/* Chunks with equal numbers of items take equal times. */
static uint32_t footprint(struct starpu_task *task)
{
  const hg_item_chunk *c = task->cl_arg;
  return starpu_hash_crc32c_be((uint32_t)c->items.count, 0);
}

static enum starpu_data_access_mode mode_of(hg_item_access access)
{
  return access == HG_ITEM_WRITE ? STARPU_W : access == HG_ITEM_UPDATE ? STARPU_RW : STARPU_R;
}

void hg_item_codelet_make(const hg_divisible *job, hg_item_codelet *out)
{
  snprintf(out->symbol, sizeof out->symbol, "hetgrid_items_%.60s", job->name);
  out->model = (struct starpu_perfmodel){.type = STARPU_HISTORY_BASED, .symbol = out->symbol, .footprint = footprint};
  out->task = (struct starpu_codelet){.name = job->name,
                                      .cpu_funcs = {items_cpu},
                                      .type = job->together ? STARPU_FORKJOIN : STARPU_SEQ,
                                      .max_parallelism = job->together ? INT_MAX : 1,
                                      .nbuffers = job->arrays,
                                      .dyn_modes = out->mode,
                                      .color = 0x1b9e77,
                                      .model = &out->model,
                                      .energy_model = &hg_energy_model};
#ifdef HG_HAVE_CUDA
  if (job->cuda) out->task.cuda_funcs[0] = items_cuda;
  out->task.cuda_flags[0] = STARPU_CUDA_ASYNC;
#endif
  for (int i = 0; i < job->arrays; i++) out->mode[i] = mode_of(job->array[i].access);
}
