/* SPDX-License-Identifier: MIT */
/* The CUDA part of app.h, which includes this file: kernels that compute a box of units, one thread per unit. Stencils
 * of one and two dimensions first load the units that a block of threads reads into shared memory (data reuse; R.
 * Yang's thesis, docs/PAPERS.md, 5.6). */
#ifndef HG_JOB_APP_CUDA_H
#define HG_JOB_APP_CUDA_H

#include <cuda_runtime.h>
#ifndef HG_LAUNCH
#define HG_LAUNCH(kernel, grid, block, stream, ...) kernel<<<grid, block, 0, stream>>>(__VA_ARGS__)
#endif

enum { HG_CUDA_COLUMNS = 32, HG_CUDA_SHARED = 40 << 10 };

/** Arguments of a kernel, passed by value: at most 4 KB. */
struct hg_cuda_arguments {
  hg_units units;
  hg_units_box box;
  int64_t blocks[3], total; /* of threads, along each axis and altogether */
  alignas(16) unsigned char parameters[HG_PARAMETERS_MAX];
};

/* One unit of a box; `centre` and `stride` say where values are. */
template <class HG_BODY>
__device__ void hg_cuda_unit(const hg_units *g, const hg_units_box &box, const int64_t at[3], const HG_VALUE *centre,
                             const int64_t stride[3], HG_VALUE *out)
{
  const int64_t cell = at[0] + at[1] * box.stride[1] + at[2] * box.stride[2];
  hg_unit u = {};
  u.g = g;
  u.centre = centre;
  for (int a = 0; a < 3; a++) {
    u.stride[a] = stride[a];
    u.at[a] = g->at[a] + at[a];
  }
  u.local = cell;
  for (int a = 0; a < HG_DIMS && HG_RADIUS > 0; a++)
    if (at[a] < box.open[a] || at[a] >= box.close[a]) {
      out[cell] = hg_value(&u);
      return;
    }
  HG_BODY::compute(&u, out, cell);
}

/* Loads the units that the threads of a block read into shared memory; positions outside the tile are moved to its
 * edge. */
template <int HG_HEIGHT>
__device__ void hg_cuda_load(const hg_cuda_arguments &a, const int64_t first[3], HG_VALUE *shared)
{
  const int width = HG_CUDA_COLUMNS + 2 * HG_RADIUS, reach = HG_DIMS > 1 ? HG_RADIUS : 0,
            height = HG_HEIGHT + 2 * reach;
  const HG_VALUE *before = (const HG_VALUE *)a.units.before;
  for (int i = (int)(threadIdx.x + threadIdx.y * HG_CUDA_COLUMNS); i < width * height;
       i += HG_CUDA_COLUMNS * HG_HEIGHT) {
    int64_t at[2] = {first[0] + i % width - HG_RADIUS, first[1] + i / width - reach};
    for (int axis = 0; axis < 2; axis++) {
      if (at[axis] < a.box.read_lo[axis]) at[axis] = a.box.read_lo[axis];
      if (at[axis] >= a.box.read_hi[axis]) at[axis] = a.box.read_hi[axis] - 1;
    }
    shared[i] = before[at[0] + at[1] * a.units.stride[1]];
  }
}

template <class HG_BODY, int HG_HEIGHT>
__global__ void hg_cuda_kernel(hg_cuda_arguments a, HG_VALUE *out)
{
  constexpr int reach = HG_DIMS > 1 ? HG_RADIUS : 0, width = HG_CUDA_COLUMNS + 2 * HG_RADIUS;
  constexpr size_t cells = (size_t)width * (HG_HEIGHT + 2 * reach);
  constexpr bool shares = HG_RADIUS > 0 && HG_DIMS < 3 && cells * sizeof(HG_VALUE) <= HG_CUDA_SHARED;
  __shared__ HG_VALUE shared[shares ? cells : 1];
  a.units.parameters = a.parameters;
  for (int64_t block = blockIdx.x; block < a.total; block += gridDim.x) {
    const int64_t first[3] = {block % a.blocks[0] * HG_CUDA_COLUMNS, block / a.blocks[0] % a.blocks[1] * HG_HEIGHT,
                              block / a.blocks[0] / a.blocks[1]};
    const int64_t at[3] = {first[0] + threadIdx.x, first[1] + threadIdx.y, first[2]};
    const bool inside = at[0] < a.box.n[0] && at[1] < a.box.n[1] && at[2] < a.box.n[2];
    if (shares) {
      const int64_t stride[3] = {1, width, 0};
      hg_cuda_load<HG_HEIGHT>(a, first, shared);
      __syncthreads();
      if (inside)
        hg_cuda_unit<HG_BODY>(&a.units, a.box, at, shared + threadIdx.x + HG_RADIUS + (threadIdx.y + reach) * width,
                              stride, out);
      __syncthreads();
    } else if (inside) {
      const HG_VALUE *centre =
          (const HG_VALUE *)a.units.before + at[0] + at[1] * a.units.stride[1] + at[2] * a.units.stride[2];
      hg_cuda_unit<HG_BODY>(&a.units, a.box, at, centre, a.units.stride, out);
    }
  }
}

template <class HG_BODY, int HG_HEIGHT>
int hg_cuda_launch_rows(const hg_units *units, const hg_units_box *box, HG_VALUE *out, cudaStream_t stream)
{
  hg_cuda_arguments a;
  static_assert(sizeof a <= 4096, "kernel arguments are at most 4 KB");
  a.units = *units;
  a.box = *box;
  a.blocks[0] = (box->n[0] + HG_CUDA_COLUMNS - 1) / HG_CUDA_COLUMNS;
  a.blocks[1] = (box->n[1] + HG_HEIGHT - 1) / HG_HEIGHT;
  a.blocks[2] = box->n[2];
  a.total = a.blocks[0] * a.blocks[1] * a.blocks[2];
  if (units->parameters && box->parameter_bytes) memcpy(a.parameters, units->parameters, box->parameter_bytes);
  const int64_t most = box->blocks > 0 ? box->blocks : INT32_MAX;
  if (a.total == 0) return cudaSuccess;
  HG_LAUNCH((hg_cuda_kernel<HG_BODY, HG_HEIGHT>), dim3((unsigned)(a.total < most ? a.total : most)),
            dim3(HG_CUDA_COLUMNS, HG_HEIGHT), stream, a, out);
  return cudaGetLastError();
}

/* Threads of a block: 128, 256, 512 or 1024, by default 256. */
template <class HG_BODY>
int hg_cuda_launch(const hg_units *units, const hg_units_box *box, void *out, void *stream)
{
  const int threads = box->threads > 0 ? box->threads : 256;
  const cudaStream_t s = (cudaStream_t)stream;
  if (threads >= 1024) return hg_cuda_launch_rows<HG_BODY, 32>(units, box, (HG_VALUE *)out, s);
  if (threads >= 512) return hg_cuda_launch_rows<HG_BODY, 16>(units, box, (HG_VALUE *)out, s);
  if (threads >= 256) return hg_cuda_launch_rows<HG_BODY, 8>(units, box, (HG_VALUE *)out, s);
  return hg_cuda_launch_rows<HG_BODY, 4>(units, box, (HG_VALUE *)out, s);
}

#define HG_CUDA_UPDATE(name)                                                                                           \
  struct name##_functor {                                                                                              \
    static __device__ __forceinline__ void compute(const hg_unit *u, HG_VALUE *out, int64_t cell)                      \
    {                                                                                                                  \
      out[cell] = name##_point(u);                                                                                     \
    }                                                                                                                  \
  };

#define HG_CUDA_UPDATE_ARRAY(name)                                                                                     \
  struct name##_functor {                                                                                              \
    static __device__ __forceinline__ void compute(const hg_unit *u, HG_VALUE *out, int64_t cell)                      \
    {                                                                                                                  \
      name##_array(u, out + (u->g->offset ? u->g->offset[cell] : cell));                                               \
    }                                                                                                                  \
  };

#define HG_CUDA_LAUNCH(name) hg_cuda_launch<name##_functor>
#endif
