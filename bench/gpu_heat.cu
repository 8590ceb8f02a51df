/* SPDX-License-Identifier: MIT */
/* Heat kernels on a GPU, each as a share of the device's limit: first the copy bandwidth, then one step per pass and
 * several steps per pass; the limit is one sweep per step at that bandwidth. Needs neither StarPU nor libhetgrid. By
 * hand, from the source folder: nvcc -O3 -fmad=false -arch=native -I. bench/gpu_heat.cu codelets/heat/heat_cuda.cu -o
 * gpu_heat && ./gpu_heat > h200.csv */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "codelets/heat/heat_cuda.h"

namespace
{

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

/* The thesis' first version (6.4): every thread reads its five values from global memory. */
template <typename T>
__global__ void no_reuse(int64_t n, T ax, T ay, T c0, const T *src, T *dst)
{
  const int64_t x = blockIdx.x * 32ll + threadIdx.x + 1, y = blockIdx.y * 8ll + threadIdx.y + 1, i = x + y * n;
  if (x < n - 1 && y < n - 1) dst[i] = fma(ay, src[i - n] + src[i + n], fma(ax, src[i - 1] + src[i + 1], c0 * src[i]));
}

enum Variant { ONE = HG_HEAT_CUDA_ONE, STREAM = HG_HEAT_CUDA_STREAM, NO_REUSE };

struct Problem {
  Variant variant;
  int dims;
  int64_t n;
  bool is_float;
  int steps;
};

const char *name_of(Variant v)
{
  return v == ONE ? "one-step" : v == STREAM ? "streaming" : "no-reuse";
}

hg_tile_shape shape_of(const Problem &p)
{
  hg_tile_shape s = {};
  s.dims = p.dims;
  const int64_t line = 16, row = (p.n + line - 1) / line * line, n[3] = {p.n, p.n, p.dims == 3 ? p.n : 1};
  const int64_t stride[3] = {1, row, row * p.n};
  for (int a = 0; a < 3; a++) {
    s.n[a] = n[a];
    s.stride[a] = stride[a];
    s.hold[a][0] = s.hold[a][1] = a < p.dims;
  }
  return s;
}

void launch(const Problem &p, const hg_tile_shape &s, void *a, void *b)
{
  const hg_heat_coef c = {{.1, .12, p.dims == 3 ? .09 : 0}};
  if (p.variant != NO_REUSE) {
    require(hg_heat_cuda_advance(&s, &c, p.is_float, p.steps, (hg_heat_cuda_kernel)p.variant, a, b, nullptr, nullptr),
            name_of(p.variant));
    return;
  }
  const dim3 grid((unsigned)((p.n + 31) / 32), (unsigned)((p.n + 7) / 8)), block(32, 8);
  if (p.is_float)
    no_reuse<<<grid, block>>>(s.stride[1], .1f, .12f, .56f, (const float *)a, (float *)b);
  else
    no_reuse<<<grid, block>>>(s.stride[1], .1, .12, .56, (const double *)a, (double *)b);
  require(cudaGetLastError(), "no-reuse");
}

/* Seconds of the steps of a problem. */
double measure(const Problem &p)
{
  const hg_tile_shape s = shape_of(p);
  const size_t bytes = (size_t)(s.stride[2] * s.n[2]) * (p.is_float ? 4 : 8);
  void *a, *b;
  require(cudaMalloc(&a, bytes), "memory");
  require(cudaMalloc(&b, bytes), "memory");
  require(cudaMemset(a, 0x3f, bytes), "memory"); /* small numbers, not zero */
  const double t = median_seconds([&] { launch(p, s, a, b); });
  cudaFree(a);
  cudaFree(b);
  return t;
}

double updates(const Problem &p)
{
  return (double)p.n * (double)p.n * (p.dims == 3 ? (double)p.n : 1) * p.steps;
}

void row(const Problem &p, double bytes_per_second)
{
  const double t = measure(p), rate = updates(p) / t, limit = bytes_per_second / (p.is_float ? 8 : 16);
  printf("heat %s %d-D,%lld,%s,%d,%.6g,%.4g,GStencil/s,%.4g,%.3f\n", name_of(p.variant), p.dims, (long long)p.n,
         p.is_float ? "float" : "double", p.steps, t, rate * 1e-9, limit * 1e-9, rate / limit);
  fflush(stdout);
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

/* gpu_heat DIMS N double|float STEPS|one|no-reuse: GStencil/s of one kernel. */
int one(char **argv)
{
  const char *how = argv[4];
  const Variant variant = strcmp(how, "one") == 0 ? ONE : strcmp(how, "no-reuse") == 0 ? NO_REUSE : STREAM;
  const Problem p = {variant, atoi(argv[1]), atoll(argv[2]), strcmp(argv[3], "float") == 0,
                     variant == STREAM ? atoi(how) : 1};
  printf("%.4g\n", updates(p) / measure(p) * 1e-9);
  return 0;
}

int main(int argc, char **argv)
{
  cudaDeviceProp device;
  require(cudaGetDeviceProperties(&device, 0), "device");
  if (argc == 5) return one(argv);
  const double bandwidth = copy_bandwidth();
  printf("what,n,precision,parameter,seconds,rate,unit,limit,share\n");
  printf("copy,%d,,,,%.4g,GB/s,,\n", 1 << 30, bandwidth * 1e-9);
  for (const bool is_float : {false, true}) {
    row({NO_REUSE, 2, 8192, is_float, 1}, bandwidth);
    row({ONE, 2, 8192, is_float, 1}, bandwidth);
    for (int steps : {1, 2, 3, 4, 5, 6, 7, 8, 24, 32, 40, 48}) row({STREAM, 2, 8192, is_float, steps}, bandwidth);
    row({STREAM, 2, 16384, is_float, 24}, bandwidth);
    row({ONE, 3, 512, is_float, 1}, bandwidth);
    for (int steps : {1, 2, 3, 4, 12}) row({STREAM, 3, 512, is_float, steps}, bandwidth);
  }
  return 0;
}
