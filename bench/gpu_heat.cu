/* SPDX-License-Identifier: MIT */
/* Heat kernels on a GPU, each as a share of what the device can do: first the copy bandwidth, then one step per pass and several
 * steps per pass. Needs neither StarPU nor libhetgrid. By hand, from the source folder:
 *   nvcc -O3 -fmad=false -arch=native -I. bench/gpu_heat.cu codelets/heat_cuda.cu -o gpu_heat && ./gpu_heat > h200.csv */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "codelets/heat_cuda.h"

namespace {

enum { ROUNDS = 7 };

void require(cudaError_t error, const char *what)
{
  if (error == cudaSuccess) return;
  fprintf(stderr, "gpu_heat: %s: %s\n", what, cudaGetErrorString(error));
  exit(error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? 77 : 1);
}

/* Median seconds of a launch. */
template <typename F>
double median_seconds(F launch)
{
  cudaEvent_t start, stop;
  std::vector<float> ms(ROUNDS);
  require(cudaEventCreate(&start), "event");
  require(cudaEventCreate(&stop), "event");
  launch();
  for (int r = 0; r < ROUNDS; r++) {
    cudaEventRecord(start);
    launch();
    cudaEventRecord(stop);
    require(cudaEventSynchronize(stop), "kernel");
    cudaEventElapsedTime(&ms[r], start, stop);
  }
  std::sort(ms.begin(), ms.end());
  return ms[ROUNDS / 2] * 1e-3;
}

struct Problem {
  const char *name;
  int dims;
  int64_t n;
  bool is_float;
  hg_heat_cuda_kernel kernel;
  int steps;
};

void run(const Problem &p, double bytes_per_second)
{
  const int64_t size = p.is_float ? 4 : 8, nz = p.dims == 3 ? p.n : 1, cells = p.n * p.n * nz;
  hg_heat_shape s = {};
  s.dims = p.dims;
  const int64_t n[3] = {p.n, p.n, nz}, stride[3] = {1, p.n, p.n * p.n};
  for (int a = 0; a < 3; a++) {
    s.n[a] = n[a];
    s.stride[a] = stride[a];
    s.hold[a][0] = s.hold[a][1] = a < p.dims;
  }
  const hg_heat_coef c = {{.1, .12, p.dims == 3 ? .09 : 0}};
  void *a, *b;
  require(cudaMalloc(&a, (size_t)(cells * size)), "memory");
  require(cudaMalloc(&b, (size_t)(cells * size)), "memory");
  require(cudaMemset(a, 0, (size_t)(cells * size)), "memory");
  double t = median_seconds([&] { require(hg_heat_cuda_advance(&s, &c, p.is_float, p.steps, p.kernel, a, b, nullptr, nullptr), p.name); });
  double rate = (double)cells * p.steps / t, limit = bytes_per_second / (2. * (double)size);
  printf("%s,%d,%lld,%s,%d,%.6g,%.4g,%.4g,%.3f\n", p.name, p.dims, (long long)p.n, p.is_float ? "float" : "double", p.steps, t, rate * 1e-9,
         limit * 1e-9, rate / limit);
  fflush(stdout);
  cudaFree(a);
  cudaFree(b);
}

double copy_bandwidth()
{
  const size_t bytes = (size_t)1 << 30;
  void *a, *b;
  require(cudaMalloc(&a, bytes), "memory");
  require(cudaMalloc(&b, bytes), "memory");
  double t = median_seconds([&] { cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice, nullptr); });
  cudaFree(a);
  cudaFree(b);
  return 2. * (double)bytes / t;
}

} // namespace

int main()
{
  cudaDeviceProp device;
  require(cudaGetDeviceProperties(&device, 0), "device");
  double bandwidth = copy_bandwidth();
  printf("# %s, copy bandwidth %.1f GB/s (read + write); limit: a step-by-step sweep at that bandwidth\n", device.name, bandwidth * 1e-9);
  printf("kernel,dims,n,precision,steps,seconds,gstencil_per_s,limit_gstencil_per_s,ratio\n");
  for (int is_float = 0; is_float < 2; is_float++) {
    run({"one-step", 2, 8192, is_float != 0, HG_HEAT_CUDA_ONE, 1}, bandwidth);
    for (int steps : {1, 2, 3, 4, 5, 6, 7, 8, 24, 32, 40, 48}) run({"streaming", 2, 8192, is_float != 0, HG_HEAT_CUDA_STREAM, steps}, bandwidth);
    run({"streaming", 2, 16384, is_float != 0, HG_HEAT_CUDA_STREAM, 24}, bandwidth);
    run({"one-step", 3, 512, is_float != 0, HG_HEAT_CUDA_ONE, 1}, bandwidth);
    for (int steps : {1, 2, 3, 4, 6, 12}) run({"streaming", 3, 512, is_float != 0, HG_HEAT_CUDA_STREAM, steps}, bandwidth);
  }
  return 0;
}
