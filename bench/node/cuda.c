/* SPDX-License-Identifier: MIT
 * A CUDA runtime without a device. A stream is the time at which its last operation ends; a thread that waits for it
 * sleeps until then. Kernels run one after the other on the device, copies on the link of their direction. Device
 * memory is host memory; only small copies are really made, large ones only take their time. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node.h"

enum { SMALL = 1 << 16 };
enum { IN, OUT, LINKS };

node_device node;

typedef struct CUstream_st {
  double end;
  int device;
} stream;

typedef struct CUevent_st {
  double end;
} event;

static struct {
  double busy, link[LINKS];
  stream standard;
} devices[NODE_DEVICES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
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
  for (int i = 0; i < NODE_DEVICES; i++) devices[i].standard.device = i;
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
  return (uintptr_t)s <= 2 ? &devices[node_device_of_thread].standard : s;
}

int node_done(double seconds)
{
  node_spend(seconds);
  return last = cudaSuccess;
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
  const int source = node_memory_kind(from), target = node_memory_kind(to);
  const bool device = source == NODE_DEVICE || target == NODE_DEVICE;
  if (size <= SMALL && to && from) memcpy(to, from, size);
  if (!device) {
    if (size > SMALL) memcpy(to, from, size);
    return node_done(node.call);
  }
  if (source == NODE_DEVICE && target == NODE_DEVICE) {
    enqueue(&devices[s->device].busy, s, (double)size / 1.2e12, 0);
    return node_done(node.call);
  }
  const int link = target == NODE_DEVICE ? IN : OUT;
  const bool pinned = (target == NODE_DEVICE ? source : target) == NODE_PINNED;
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
  return copy(to, from, size, &devices[node_device_of_thread].standard, true);
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
  return copy(to, from, size, &devices[node_device_of_thread].standard, true);
}

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
                             stream *s, bool waits)
{
  if (width * rows <= SMALL)
    for (size_t i = 0; i < rows; i++) memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
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
  return copy_rows(to, to_pitch, from, from_pitch, width, height, &devices[node_device_of_thread].standard, true);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t s)
{
  return copy_rows(p->dstPtr.ptr, p->dstPtr.pitch, p->srcPtr.ptr, p->srcPtr.pitch, p->extent.width,
                   p->extent.height * p->extent.depth, of(s), false);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
  return copy_rows(p->dstPtr.ptr, p->dstPtr.pitch, p->srcPtr.ptr, p->srcPtr.pitch, p->extent.width,
                   p->extent.height * p->extent.depth, &devices[node_device_of_thread].standard, true);
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t s)
{
  if (size <= SMALL) memset(p, value, size);
  node_kernel((double)size / 2.4e12, s);
  return last = cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t s)
{
  for (size_t i = 0; i < height && width * height <= SMALL; i++) memset((char *)p + i * pitch, value, width);
  node_kernel((double)(width * height) / 2.4e12, s);
  return last = cudaSuccess;
}

cudaError_t cudaMemset(void *p, int value, size_t size)
{
  return cudaMemsetAsync(p, value, size, NULL);
}

/* a kernel of a task without known time */
cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s)
{
  (void)f, (void)grid, (void)block, (void)arguments, (void)shared;
  node_kernel(5e-6, s);
  return last = cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t f, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *f);

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
  (*s)->device = node_device_of_thread;
  return node_done(node.call);
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
  return node_done(node.call);
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
  return node_done(node.call);
}

cudaError_t cudaDeviceSynchronize(void)
{
  return wait(fmax(devices[node_device_of_thread].busy,
                   fmax(devices[node_device_of_thread].link[IN], devices[node_device_of_thread].link[OUT])));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags)
{
  (void)flags;
  *e = calloc(1, sizeof **e);
  return node_done(node.call);
}

cudaError_t cudaEventCreate(cudaEvent_t *e)
{
  return cudaEventCreateWithFlags(e, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
  free(e);
  return node_done(node.call);
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
  return node_done(node.call);
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
