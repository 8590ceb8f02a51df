/* SPDX-License-Identifier: MIT */
/* Just enough of CUDA on a CPU to run the kernels of codelets without a GPU: one block at a time, with its threads as
 * fibres that switch at __syncthreads(). It checks the kernels' results, not their speed or races between their memory
 * accesses. C++ only. */
#ifndef HG_TESTS_GPU_EMULATED_CUDA_RUNTIME_API_H
#define HG_TESTS_GPU_EMULATED_CUDA_RUNTIME_API_H

#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __global__ static
#define __device__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)
using std::fma;

typedef int cudaError_t;
typedef void *cudaStream_t;
enum {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorSharedObjectInitFailed = 303,
  cudaErrorUnknown = 999
};
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c)
  {
  }
};

namespace emulate
{
inline dim3 thread_index(0), block_index(0), grid_size(1);
inline ucontext_t scheduler;
inline ucontext_t *running;
inline const std::function<void()> *body;
inline bool finished;

/* Values that the lanes of a warp exchange. All threads of a block take turns, so when one continues, all others have
 * given their values; two rounds may be in progress. */
enum { THREADS_MOST = 1024 };
inline double shown[2][THREADS_MOST];
inline unsigned rounds[THREADS_MOST], width;

inline void start_shuffles(unsigned x)
{
  width = x;
  std::memset(rounds, 0, sizeof rounds);
}

inline void entry()
{
  (*body)();
  finished = true;
  swapcontext(running, &scheduler);
}

/* Runs all threads of a block from barrier to barrier until all have returned. */
inline void run_block(dim3 block)
{
  enum { STACK = 64 << 10 };
  const size_t count = (size_t)block.x * block.y * block.z;
  start_shuffles(block.x);
  std::unique_ptr<char[]> stacks(new char[count * STACK]);
  std::vector<ucontext_t> thread(count);
  std::vector<bool> done(count, false);
  for (size_t i = 0; i < count; i++) {
    getcontext(&thread[i]);
    thread[i].uc_stack.ss_sp = stacks.get() + i * STACK;
    thread[i].uc_stack.ss_size = STACK;
    thread[i].uc_link = nullptr;
    makecontext(&thread[i], entry, 0);
  }
  for (size_t left = count; left > 0;)
    for (size_t i = 0; i < count; i++) {
      if (done[i]) continue;
      thread_index =
          dim3((unsigned)(i % block.x), (unsigned)(i / block.x % block.y), (unsigned)(i / block.x / block.y));
      running = &thread[i];
      finished = false;
      swapcontext(&scheduler, running);
      if (finished) {
        done[i] = true;
        left--;
      }
    }
}

inline void launch(dim3 grid, dim3 block, const std::function<void()> &kernel)
{
  body = &kernel;
  grid_size = grid;
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x; x++) {
        block_index = dim3(x, y, z);
        run_block(block);
      }
  body = nullptr;
}
} // namespace emulate

#define threadIdx emulate::thread_index
#define blockIdx emulate::block_index
#define gridDim emulate::grid_size
#define HG_LAUNCH(kernel, grid, block, stream, ...)                                                                    \
  ((void)(stream), emulate::launch(grid, block, [&] { (kernel)(__VA_ARGS__); }))

#define HG_LAUNCH_SHARED(kernel, grid, block, shared, stream, ...) HG_LAUNCH(kernel, grid, block, stream, __VA_ARGS__)
#define HG_SHARED(TYPE, name)                                                                                          \
  static TYPE launch_memory;                                                                                           \
  TYPE *const name = &launch_memory

namespace emulate
{
/* The value of lane `from(lane)`. */
template <typename T, typename F>
T shuffle(T value, F from_of)
{
  const unsigned me = thread_index.x + width * thread_index.y, lane = me % 32;
  double *const board = shown[rounds[me]++ % 2];
  board[me] = (double)value;
  const dim3 index = thread_index;
  swapcontext(running, &scheduler);
  thread_index = index;
  const int from = from_of((int)lane);
  return from < 0 || from > 31 ? value : (T)board[me - lane + (unsigned)from];
}
} // namespace emulate

template <typename T>
T __shfl_up_sync(unsigned, T value, int distance)
{
  return emulate::shuffle(value, [=](int lane) { return lane - distance; });
}

template <typename T>
T __shfl_down_sync(unsigned, T value, int distance)
{
  return emulate::shuffle(value, [=](int lane) { return lane + distance; });
}

template <typename T>
T __shfl_xor_sync(unsigned, T value, int mask)
{
  return emulate::shuffle(value, [=](int lane) { return lane ^ mask; });
}

inline void __syncthreads()
{
  swapcontext(emulate::running, &emulate::scheduler);
}

inline void __syncwarp()
{
  const dim3 index = emulate::thread_index;
  swapcontext(emulate::running, &emulate::scheduler);
  emulate::thread_index = index;
}

inline cudaError_t cudaGetLastError()
{
  return cudaSuccess;
}

inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int, cudaStream_t)
{
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

struct cudaDeviceProp {
  char name[256];
};

inline cudaError_t cudaGetDeviceCount(int *count)
{
  *count = 1;
  return cudaSuccess;
}

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
  std::strcpy(p->name, "Emulated GPU");
  return cudaSuccess;
}

inline cudaError_t cudaDeviceGetPCIBusId(char *bus, int size, int)
{
  std::snprintf(bus, (size_t)size, "0000:00:00.0");
  return cudaSuccess;
}

inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
  *free_bytes = *all = (size_t)1 << 28;
  return cudaSuccess;
}

enum {
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrClockRate,
  cudaDevAttrSingleToDoublePrecisionPerfRatio,
  cudaFuncAttributeMaxDynamicSharedMemorySize
};

inline cudaError_t cudaGetDevice(int *device)
{
  *device = 0;
  return cudaSuccess;
}

inline cudaError_t cudaDeviceGetAttribute(int *value, int, int)
{
  *value = 2;
  return cudaSuccess;
}

template <typename F>
cudaError_t cudaFuncSetAttribute(F, int, int)
{
  return cudaSuccess;
}

template <typename F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int, size_t)
{
  *blocks = 3;
  return cudaSuccess;
}

inline cudaError_t cudaSetDevice(int)
{
  return cudaSuccess;
}

inline cudaError_t cudaMalloc(void **p, size_t bytes)
{
  *p = std::malloc(bytes);
  return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

inline cudaError_t cudaFree(void *p)
{
  std::free(p);
  return cudaSuccess;
}

inline cudaError_t cudaMallocHost(void **p, size_t bytes)
{
  return cudaMalloc(p, bytes);
}

inline cudaError_t cudaFreeHost(void *p)
{
  return cudaFree(p);
}

inline cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
  *stream = nullptr;
  return cudaSuccess;
}

enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int)
{
  return cudaStreamCreate(stream);
}

inline cudaError_t cudaStreamDestroy(cudaStream_t)
{
  return cudaSuccess;
}

inline cudaError_t cudaStreamSynchronize(cudaStream_t)
{
  return cudaSuccess;
}

typedef void *cudaEvent_t;

inline cudaError_t cudaEventCreate(cudaEvent_t *event)
{
  *event = nullptr;
  return cudaSuccess;
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
  return cudaEventCreate(event);
}

inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
  return cudaSuccess;
}

inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t)
{
  return cudaSuccess;
}

inline cudaError_t cudaEventSynchronize(cudaEvent_t)
{
  return cudaSuccess;
}

inline cudaError_t cudaEventDestroy(cudaEvent_t)
{
  return cudaSuccess;
}

inline cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
  std::memset(to, value, bytes);
  return cudaSuccess;
}

inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t)
{
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t)
{
  std::memset(to, value, bytes);
  return cudaSuccess;
}

inline long long __double_as_longlong(double d)
{
  long long bits;
  std::memcpy(&bits, &d, sizeof bits);
  return bits;
}

inline unsigned long long atomicMax(unsigned long long *at, unsigned long long value)
{
  unsigned long long old = *at;
  if (value > old) *at = value;
  return old;
}

inline unsigned atomicInc(unsigned *at, unsigned most)
{
  const unsigned old = *at;
  *at = old >= most ? 0 : old + 1;
  return old;
}

inline void __threadfence()
{
}

inline int atomicCAS_system(int *at, int expected, int value)
{
  const int old = *at;
  if (old == expected) *at = value;
  return old;
}
#endif
