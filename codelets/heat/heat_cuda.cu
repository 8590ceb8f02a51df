/* SPDX-License-Identifier: MIT */
/* CUDA kernels of the heat update. Compiled with -fmad=false: the only fused operations are the fma() calls written
 * here, so results equal those of the CPU bit for bit. Tests also compile this file with a C++ compiler, with fibres
 * as a block's threads. */
#include "codelets/heat/heat_cuda.h"

#include <cuda_pipeline_primitives.h>

#include <atomic>

namespace
{

template <typename T>
struct Coef {
  T ax, ay, az, c0;
};

template <typename T>
Coef<T> make_coef(const hg_heat_coef &c)
{
  T ax = (T)c.a[0], ay = (T)c.a[1], az = (T)c.a[2];
  return {ax, ay, az, (T)((((T)1 - 2 * ax) - 2 * ay) - 2 * az)};
}

/* The cells that a pass writes, and the sides where the grid is held. */
struct Region {
  int64_t n[3], stride[3], lo[3], hi[3];
  bool hold[3][2];
  int dims;
};

__device__ __forceinline__ bool is_held(const Region &r, int axis, int64_t i)
{
  return (r.hold[axis][0] && i == 0) || (r.hold[axis][1] && i == r.n[axis] - 1);
}

__device__ __forceinline__ int64_t clamp(int64_t i, int64_t n)
{
  return i < 0 ? 0 : i < n ? i : n - 1;
}

constexpr int LANES = 32;
constexpr unsigned ALL_LANES = 0xffffffff;

/* The x term of a lane's C columns, given the values on either side of them: c0 T + ax (W + E). */
template <typename T, int C>
__device__ __forceinline__ void row_term(const Coef<T> &k, T west, const T *centre, T east, T *v)
{
#pragma unroll
  for (int c = 0; c < C; c++) {
    const T w = c > 0 ? centre[c > 0 ? c - 1 : 0] : west, e = c < C - 1 ? centre[c < C - 1 ? c + 1 : c] : east;
    v[c] = fma(k.ax, w + e, k.c0 * centre[c]);
  }
}

/* The region that is valid after `level` steps: margins have shrunk, held layers stay. */
Region region_after(const hg_tile_shape &s, int level)
{
  Region r;
  r.dims = s.dims;
  for (int a = 0; a < 3; a++) {
    r.n[a] = s.n[a];
    r.stride[a] = s.stride[a];
    r.hold[a][0] = s.hold[a][0];
    r.hold[a][1] = s.hold[a][1];
    r.lo[a] = a >= s.dims || s.hold[a][0] ? 0 : level;
    r.hi[a] = s.n[a] - (a >= s.dims || s.hold[a][1] ? 0 : level);
  }
  return r;
}

int64_t ceil_div(int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

#include "codelets/heat/heat_step.cuh"

#include "codelets/heat/heat_stream.cuh"

/* Makes an odd number of passes, so that the last one ends in dst. */
template <typename T, int DIMS>
cudaError_t run_stream(const hg_tile_shape &s, const Coef<T> &k, int steps, T *src, T *dst, const T *q,
                       cudaStream_t stream)
{
  const int passes = (int)ceil_div(steps, most_levels_of<T, DIMS>(q)) | 1;
  int done = 0;
  T *from = src, *to = dst;
  for (int p = 0; p < passes && done < steps; p++) {
    const int levels = (int)ceil_div(steps - done, passes - p);
    done += levels;
    launch<T, DIMS>(levels, {region_after(s, done), k, from, q, to, stream});
    T *swap = from;
    from = to;
    to = swap;
  }
  return cudaGetLastError();
}

template <typename T>
cudaError_t advance(const hg_tile_shape *s, const hg_heat_coef *c, int steps, hg_heat_cuda_kernel kernel, T *src,
                    T *dst, const T *q, cudaStream_t stream)
{
  Coef<T> k = make_coef<T>(*c);
  if (kernel == HG_HEAT_CUDA_ONE || !can_stream(*s, src, dst, q))
    return run_steps<T>(*s, k, steps, src, dst, q, stream);
  return s->dims == 2 ? run_stream<T, 2>(*s, k, steps, src, dst, q, stream)
                      : run_stream<T, 3>(*s, k, steps, src, dst, q, stream);
}

/* --- reductions --- */

enum { CHANGE_THREADS = 256 };

/* Non-negative doubles are ordered as their bit patterns are, and NaN is above all of them. */
template <typename T>
__global__ void change_of(Region r, const T *a, const T *b, unsigned long long *change)
{
  const int64_t nx = r.hi[0] - r.lo[0], ny = r.hi[1] - r.lo[1], total = nx * ny * (r.hi[2] - r.lo[2]);
  const int64_t step = (int64_t)gridDim.x * CHANGE_THREADS;
  unsigned long long largest = 0;
  for (int64_t i = (int64_t)blockIdx.x * CHANGE_THREADS + threadIdx.x; i < total; i += step) {
    int64_t at = r.lo[0] + i % nx + (r.lo[1] + i / nx % ny) * r.stride[1] + (r.lo[2] + i / nx / ny) * r.stride[2];
    double d = fabs((double)a[at] - (double)b[at]);
    unsigned long long bits = (unsigned long long)__double_as_longlong(d);
    if (bits > largest) largest = bits;
  }
  if (largest) atomicMax(change, largest);
}

template <typename T>
cudaError_t measure(const hg_tile_shape *s, const void *a, const void *b, double *change, cudaStream_t stream)
{
  Region r = region_after(*s, 0);
  for (int i = 0; i < 3; i++) {
    r.lo[i] = s->margin[i][HG_LO];
    r.hi[i] = s->n[i] - s->margin[i][HG_HI];
  }
  int64_t blocks = ceil_div((r.hi[0] - r.lo[0]) * (r.hi[1] - r.lo[1]) * (r.hi[2] - r.lo[2]), CHANGE_THREADS);
  cudaError_t error = cudaMemsetAsync(change, 0, sizeof *change, stream);
  if (error != cudaSuccess) return error;
  HG_LAUNCH(change_of<T>, dim3((unsigned)(blocks < 2048 ? blocks : 2048)), dim3(CHANGE_THREADS), stream, r,
            (const T *)a, (const T *)b, (unsigned long long *)change);
  return cudaGetLastError();
}

} // namespace

extern "C" cudaError_t hg_heat_cuda_advance(const hg_tile_shape *shape, const hg_heat_coef *coef, bool is_float,
                                            int steps, hg_heat_cuda_kernel kernel, void *src, void *dst, const void *q,
                                            cudaStream_t stream)
{
  return is_float ? advance(shape, coef, steps, kernel, (float *)src, (float *)dst, (const float *)q, stream)
                  : advance(shape, coef, steps, kernel, (double *)src, (double *)dst, (const double *)q, stream);
}

extern "C" cudaError_t hg_heat_cuda_change(const hg_tile_shape *shape, bool is_float, const void *a, const void *b,
                                           double *change, cudaStream_t stream)
{
  return is_float ? measure<float>(shape, a, b, change, stream) : measure<double>(shape, a, b, change, stream);
}
