// SPDX-License-Identifier: MIT
// The parts of a task's work on a GPU, run alone (gpu.h). Everything is queued on one stream, as in StarPU; a run ends
// when the stream is empty, so that a launch costs the same as in a task.
#ifndef HG_CODELETS_GPU_WORK_CUH
#define HG_CODELETS_GPU_WORK_CUH

#include <new>

#include "codelets/cuda.h"
#include "codelets/gpu/gpu.h"

struct hg_gpu_work {
  virtual ~hg_gpu_work() = default;
  virtual cudaError_t once() = 0;
  cudaStream_t stream = nullptr;
};

namespace
{
enum { FILL_BLOCKS = 256, FILL_THREADS = 128 };

// Small numbers with all bits in use: a device that multiplies zeros takes less power and runs faster. They are so
// small that nothing grows however often the work is repeated.
template <typename T>
__global__ void fill(int64_t count, T *a)
{
  for (int64_t i = blockIdx.x * (int64_t)FILL_THREADS + threadIdx.x; i < count;
       i += (int64_t)gridDim.x * FILL_THREADS) {
    uint64_t z = (uint64_t)i * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    a[i] = (T)(((double)(z >> 11) * 0x1p-53 - .5) * 1e-6);
  }
}

// Device memory, or pinned host memory, with the lifetime of its owner.
class memory
{
public:
  explicit memory(size_t bytes, bool on_host = false) : host(on_host)
  {
    if (bytes == 0) return;
    if ((host ? cudaMallocHost(&p, bytes) : cudaMalloc(&p, bytes)) != cudaSuccess) {
      cudaGetLastError(); // clears it for the next call
      throw std::bad_alloc();
    }
  }
  memory(const memory &) = delete;
  ~memory()
  {
    if (host)
      cudaFreeHost(p);
    else
      cudaFree(p);
  }
  void fill_with_numbers(bool is_float, int64_t count, cudaStream_t stream) const
  {
    if (is_float)
      HG_LAUNCH(fill<float>, dim3(FILL_BLOCKS), dim3(FILL_THREADS), stream, count, (float *)p);
    else
      HG_LAUNCH(fill<double>, dim3(FILL_BLOCKS), dim3(FILL_THREADS), stream, count, (double *)p);
  }
  char *at(size_t bytes = 0) const
  {
    return (char *)p + bytes;
  }

private:
  void *p = nullptr;
  bool host;
};

class stream_work : public hg_gpu_work
{
public:
  explicit stream_work(int gpu)
  {
    cudaSetDevice(gpu);
    if (cudaStreamCreate(&stream) != cudaSuccess) throw std::bad_alloc();
  }
  ~stream_work() override
  {
    cudaStreamDestroy(stream);
  }
};

int64_t value_size(bool is_float)
{
  return is_float ? 4 : 8;
}

template <typename W, typename... A>
hg_gpu_work *make(int gpu, A... what)
{
  try {
    return new W(gpu, what...);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}
} // namespace
#endif
