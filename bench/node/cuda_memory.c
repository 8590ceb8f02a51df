/* SPDX-License-Identifier: MIT
 * Device memory, which is untouched host memory, and pinned memory. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "node.h"

enum { RANGES = 1 << 16 };

typedef struct {
  char *begin;
  size_t size;
  int kind, device;
} range;

static range ranges[RANGES];
static int range_count;
static size_t used[NODE_DEVICES];
static int freed; /* pieces of devices' memory */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
  node_lock(&mutex);
}

static void leave(void)
{
  node_unlock(&mutex);
}

static void *reserve(size_t size)
{
  void *p = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return NULL;
  madvise(p, size, MADV_HUGEPAGE);
  return p;
}

static void keep(void *p, size_t size, int kind)
{
  int i = 0;
  while (i < range_count && ranges[i].kind != NODE_PAGEABLE) i++;
  if (i == RANGES) abort();
  if (i == range_count) range_count++;
  ranges[i] = (range){p, size, kind, node_device_of_thread};
}

static range *find(const void *p)
{
  for (int i = 0; i < range_count; i++)
    if (ranges[i].kind != NODE_PAGEABLE && (const char *)p >= ranges[i].begin &&
        (const char *)p < ranges[i].begin + ranges[i].size)
      return &ranges[i];
  return NULL;
}

int node_memory_kind(const void *p)
{
  enter();
  const range *r = find(p);
  const int kind = r ? r->kind : NODE_PAGEABLE;
  leave();
  return kind;
}

static cudaError_t take_back(void *p, bool unmap)
{
  enter();
  range *r = p ? find(p) : NULL;
  const range was = r ? *r : (range){0};
  if (r) r->kind = NODE_PAGEABLE;
  if (was.kind == NODE_DEVICE) used[was.device] -= was.size, freed++;
  leave();
  if (r && unmap) munmap(was.begin, was.size ? was.size : 1);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **p, size_t size)
{
  enter();
  const bool fits = (double)used[node_device_of_thread] + (double)size <= node.memory;
  if (fits) used[node_device_of_thread] += size;
  leave();
  if (!fits) return cudaErrorMemoryAllocation;
  *p = reserve(size);
  enter();
  keep(*p, size, NODE_DEVICE);
  leave();
  return node_done(node.alloc);
}

cudaError_t cudaFree(void *p)
{
  if (!p) return node_done(0);
  cudaDeviceSynchronize();
  take_back(p, true);
  return node_done(node.free);
}

int node_freed(void)
{
  enter();
  const int count = freed;
  leave();
  return count;
}

cudaError_t cudaHostAlloc(void **p, size_t size, unsigned flags)
{
  (void)flags;
  *p = reserve(size);
  enter();
  keep(*p, size, NODE_PINNED);
  leave();
  return node_done(node.call + (double)size / node.pin);
}

cudaError_t cudaMallocHost(void **p, size_t size)
{
  return cudaHostAlloc(p, size, 0);
}

cudaError_t cudaFreeHost(void *p)
{
  enter();
  const range *r = find(p);
  const double seconds = r ? (double)r->size / node.pin / 2 : 0;
  leave();
  take_back(p, true);
  return node_done(seconds);
}

cudaError_t cudaHostRegister(void *p, size_t size, unsigned flags)
{
  (void)flags;
  enter();
  keep(p, size, NODE_PINNED);
  leave();
  return node_done(node.call + (double)size / node.pin);
}

cudaError_t cudaHostUnregister(void *p)
{
  take_back(p, false);
  return node_done(node.call);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
  (void)flags;
  *device = host;
  return node_done(0);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
  *total = (size_t)node.memory;
  *available = *total - used[node_device_of_thread];
  return node_done(node.call);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
  const int kind = node_memory_kind(p);
  *a = (struct cudaPointerAttributes){.type = kind == NODE_DEVICE   ? cudaMemoryTypeDevice
                                              : kind == NODE_PINNED ? cudaMemoryTypeHost
                                                                    : cudaMemoryTypeUnregistered,
                                      .device = node_device_of_thread,
                                      .devicePointer = kind ? (void *)(uintptr_t)p : NULL,
                                      .hostPointer = kind == NODE_DEVICE ? NULL : (void *)(uintptr_t)p};
  return node_done(0);
}
