/* SPDX-License-Identifier: MIT
 * A CUDA runtime without a device. A stream is the time at which its last operation ends; whoever waits sleeps until then.
 * Kernels follow each other on the device, copies on the link of their direction. Memory of the device is the host's;
 * only small copies are made, large ones take their time alone. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "node.h"

enum { DEVICES = 8, RANGES = 1 << 16, SMALL = 1 << 16 };
enum { IN, OUT, LINKS };
enum { FREE, DEVICE, PINNED };

node_device node;

typedef struct CUstream_st {
  double end;
  int device;
} stream;

typedef struct CUevent_st {
  double end;
} event;

typedef struct {
  char *begin;
  size_t size;
  int kind, device;
} range;

static struct {
  double busy, link[LINKS];
  size_t used;
  stream standard;
} devices[DEVICES];
static range ranges[RANGES];
static int range_count, device_count = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int current;
static __thread cudaError_t last;

__attribute__((constructor)) static void set_up(void)
{
  const bool warm = node_setting("NODE_WARM", 0) != 0;
  node = (node_device){.to = node_value("gpu", "to", 1e10),
                       .from = node_value("gpu", "from", 1e10),
                       .latency = node_value("gpu", "latency", 1e-5),
                       .pageable = node_value("gpu", "pageable", 8e9),
                       .memory = node_value("gpu", "memory", 16e9),
                       .launch = node_value("gpu", "launch", 4e-6),
                       .call = node_value("gpu", "call", 1e-6),
                       .query = node_value("gpu", "query", 5e-7),
                       .alloc = warm ? 0 : node_value("cold", "alloc", 0),
                       .free = warm ? 0 : node_value("cold", "free", 0),
                       .pin = warm ? INFINITY : node_value("cold", "pin", INFINITY),
                       .cold = warm ? 0 : node_value("cold", "first", 0),
                       .cold_kind = warm ? 0 : node_value("cold", "kind", 0)};
  device_count = (int)node_setting("NODE_GPUS", 1);
  for (int i = 0; i < DEVICES; i++) devices[i].standard.device = i;
}

static void enter(void)
{
  node_lock(&mutex);
}

static void leave(void)
{
  node_unlock(&mutex);
}

static stream *of(cudaStream_t s)
{
  return (uintptr_t)s <= 2 ? &devices[current].standard : s;
}

static cudaError_t done(double seconds)
{
  node_spend(seconds);
  return last = cudaSuccess;
}

/* memory */
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
  while (i < range_count && ranges[i].kind != FREE) i++;
  if (i == RANGES) abort();
  if (i == range_count) range_count++;
  ranges[i] = (range){p, size, kind, current};
}

static range *find(const void *p)
{
  for (int i = 0; i < range_count; i++)
    if (ranges[i].kind != FREE && (const char *)p >= ranges[i].begin && (const char *)p < ranges[i].begin + ranges[i].size)
      return &ranges[i];
  return NULL;
}

static int kind_of(const void *p)
{
  enter();
  const range *r = find(p);
  const int kind = r ? r->kind : FREE;
  leave();
  return kind;
}

static cudaError_t take_back(void *p, bool unmap)
{
  enter();
  range *r = p ? find(p) : NULL;
  const range was = r ? *r : (range){0};
  if (r) r->kind = FREE;
  if (was.kind == DEVICE) devices[was.device].used -= was.size;
  leave();
  if (r && unmap) munmap(was.begin, was.size ? was.size : 1);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **p, size_t size)
{
  enter();
  const bool fits = (double)devices[current].used + (double)size <= node.memory;
  if (fits) devices[current].used += size;
  leave();
  if (!fits) return last = cudaErrorMemoryAllocation;
  *p = reserve(size);
  enter();
  keep(*p, size, DEVICE);
  leave();
  return done(node.alloc);
}

cudaError_t cudaFree(void *p)
{
  if (!p) return done(0);
  cudaDeviceSynchronize();
  take_back(p, true);
  return done(node.free);
}

cudaError_t cudaHostAlloc(void **p, size_t size, unsigned flags)
{
  (void)flags;
  *p = reserve(size);
  enter();
  keep(*p, size, PINNED);
  leave();
  return done(node.call + (double)size / node.pin);
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
  return done(seconds);
}

cudaError_t cudaHostRegister(void *p, size_t size, unsigned flags)
{
  (void)flags;
  enter();
  keep(p, size, PINNED);
  leave();
  return done(node.call + (double)size / node.pin);
}

cudaError_t cudaHostUnregister(void *p)
{
  take_back(p, false);
  return done(node.call);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
  (void)flags;
  *device = host;
  return done(0);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
  *total = (size_t)node.memory;
  *available = *total - devices[current].used;
  return done(node.call);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
  const int kind = kind_of(p);
  *a = (struct cudaPointerAttributes){.type = kind == DEVICE   ? cudaMemoryTypeDevice
                                              : kind == PINNED ? cudaMemoryTypeHost
                                                               : cudaMemoryTypeUnregistered,
                                      .device = current,
                                      .devicePointer = kind ? (void *)(uintptr_t)p : NULL,
                                      .hostPointer = kind == DEVICE ? NULL : (void *)(uintptr_t)p};
  return done(0);
}

/* operations */
static double enqueue(double *unit, stream *s, double seconds, double after)
{
  enter();
  const double begin = fmax(node_now(), fmax(*unit, s->end));
  *unit = begin + seconds;
  s->end = *unit + after;
  const double end = s->end;
  leave();
  return end;
}

void node_kernel(double seconds, void *on)
{
  stream *s = of(on);
  node_spend(node.launch);
  enqueue(&devices[s->device].busy, s, seconds, 0);
}

static cudaError_t copy(void *to, const void *from, size_t size, stream *s, bool waits)
{
  const int source = kind_of(from), target = kind_of(to);
  const bool device = source == DEVICE || target == DEVICE;
  if (size <= SMALL && to && from) memcpy(to, from, size);
  if (!device) {
    if (size > SMALL) memcpy(to, from, size);
    return done(node.call);
  }
  if (source == DEVICE && target == DEVICE) {
    enqueue(&devices[s->device].busy, s, (double)size / 1.2e12, 0);
    return done(node.call);
  }
  const int link = target == DEVICE ? IN : OUT;
  const bool pinned = (target == DEVICE ? source : target) == PINNED;
  const double speed = fmin(pinned ? INFINITY : node.pageable, link == IN ? node.to : node.from);
  const double end = enqueue(&devices[s->device].link[link], s, (double)size / speed, node.latency);
  node_spend(node.call);
  if (waits || !pinned) node_sleep_until(end);
  return last = cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t s)
{
  (void)kind;
  return copy(to, from, size, of(s), false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
  (void)kind;
  return copy(to, from, size, &devices[current].standard, true);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int a, const void *from, int b, size_t size, cudaStream_t s)
{
  (void)a;
  (void)b;
  return copy(to, from, size, of(s), false);
}

cudaError_t cudaMemcpyPeer(void *to, int a, const void *from, int b, size_t size)
{
  (void)a;
  (void)b;
  return copy(to, from, size, &devices[current].standard, true);
}

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
                             stream *s, bool waits)
{
  if (width * rows <= SMALL)
    for (size_t i = 0; i < rows; i++)
      memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
  return width * rows <= SMALL ? copy(to, from, width, s, waits) : copy(to, from, width * rows, s, waits);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t s)
{
  (void)kind;
  return copy_rows(to, to_pitch, from, from_pitch, width, height, of(s), false);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
  (void)kind;
  return copy_rows(to, to_pitch, from, from_pitch, width, height, &devices[current].standard, true);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t s)
{
  return copy_rows(p->dstPtr.ptr, p->dstPtr.pitch, p->srcPtr.ptr, p->srcPtr.pitch, p->extent.width,
                   p->extent.height * p->extent.depth, of(s), false);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
  return copy_rows(p->dstPtr.ptr, p->dstPtr.pitch, p->srcPtr.ptr, p->srcPtr.pitch, p->extent.width,
                   p->extent.height * p->extent.depth, &devices[current].standard, true);
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t s)
{
  if (size <= SMALL) memset(p, value, size);
  node_kernel((double)size / 2.4e12, s);
  return last = cudaSuccess;
}

cudaError_t cudaMemset(void *p, int value, size_t size)
{
  return cudaMemsetAsync(p, value, size, NULL);
}

/* a kernel whose task has no time here */
cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s)
{
  (void)f, (void)grid, (void)block, (void)arguments, (void)shared;
  node_kernel(5e-6, s);
  return last = cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t f, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s)
{
  return cudaLaunchKernel(f, grid, block, arguments, shared, s);
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *f)
{
  *kernel = (cudaKernel_t)(uintptr_t)f;
  return cudaSuccess;
}

/* streams and events */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
  (void)flags;
  *s = calloc(1, sizeof **s);
  (*s)->device = current;
  return done(node.call);
}

cudaError_t cudaStreamCreate(cudaStream_t *s)
{
  return cudaStreamCreateWithFlags(s, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority)
{
  (void)priority;
  return cudaStreamCreateWithFlags(s, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
  free(s);
  return done(node.call);
}

static cudaError_t query(double end)
{
  node_spend(node.query);
  return last = node_now() >= end ? cudaSuccess : cudaErrorNotReady;
}

static cudaError_t wait(double end)
{
  node_spend(node.call);
  node_sleep_until(end);
  return last = cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t s)
{
  return query(of(s)->end);
}

cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
  return wait(of(s)->end);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
  (void)flags;
  of(s)->end = fmax(of(s)->end, e->end);
  return done(node.call);
}

cudaError_t cudaDeviceSynchronize(void)
{
  return wait(fmax(devices[current].busy, fmax(devices[current].link[IN], devices[current].link[OUT])));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags)
{
  (void)flags;
  *e = calloc(1, sizeof **e);
  return done(node.call);
}

cudaError_t cudaEventCreate(cudaEvent_t *e)
{
  return cudaEventCreateWithFlags(e, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
  free(e);
  return done(node.call);
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
  node_spend(node.call);
  e->end = fmax(of(s)->end, node_now());
  return last = cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t e)
{
  return query(e->end);
}

cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
  return wait(e->end);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
  *ms = (float)((b->end - a->end) * 1e3);
  return done(node.call);
}

/* devices */
cudaError_t cudaGetDeviceCount(int *count)
{
  *count = device_count;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
  *device = current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
  current = device;
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
  (void)flags;
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
  *p = (struct cudaDeviceProp){.name = "NVIDIA H100 80GB HBM3",
                               .totalGlobalMem = (size_t)node.memory,
                               .major = 9,
                               .multiProcessorCount = 132,
                               .concurrentKernels = 1,
                               .pciBusID = 6 + device,
                               .sharedMemPerBlock = 49152,
                               .sharedMemPerBlockOptin = 232448,
                               .sharedMemPerMultiprocessor = 233472,
                               .maxThreadsPerBlock = 1024,
                               .maxThreadsPerMultiProcessor = 2048,
                               .warpSize = 32,
                               .l2CacheSize = 50 << 20,
                               .asyncEngineCount = 3,
                               .unifiedAddressing = 1};
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
  (void)device;
  *value = attribute == cudaDevAttrMultiProcessorCount              ? 132
           : attribute == cudaDevAttrComputeCapabilityMajor         ? 9
           : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin   ? 232448
           : attribute == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? 233472
           : attribute == cudaDevAttrMaxSharedMemoryPerBlock        ? 49152
           : attribute == cudaDevAttrL2CacheSize                    ? 50 << 20
           : attribute == cudaDevAttrMaxThreadsPerMultiProcessor    ? 2048
                                                                    : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
  snprintf(text, (size_t)size, "0000:%02x:00.0", 6 + device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int a, int b)
{
  *can = a != b;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned flags)
{
  (void)device;
  (void)flags;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute attribute, int value)
{
  (void)f, (void)attribute, (void)value;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int size, size_t shared,
                                                                   unsigned flags)
{
  (void)f, (void)size, (void)shared, (void)flags;
  *blocks = 2;
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
  const cudaError_t was = last;
  last = cudaSuccess;
  return was == cudaErrorNotReady ? cudaSuccess : was;
}

cudaError_t cudaPeekAtLastError(void)
{
  return last == cudaErrorNotReady ? cudaSuccess : last;
}
