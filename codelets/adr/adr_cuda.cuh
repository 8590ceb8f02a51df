/* SPDX-License-Identifier: MIT */
/* How the adr kernels on CUDA devices traverse a block.
 *
 * A row of nodes is processed by as many threads as a row's dot product has lanes (adr_solve_template.h), each taking
 * every LANES-th node; in the inner solver, by a warp. Periodic neighbours are looked up: ghosts along periodic axes
 * are neither read nor written. With -fmad=false all expressions give the CPU's bits. Tests also compile this with a
 * C++ compiler, with fibres as a block's threads. */
#ifndef HG_CODELETS_ADR_CUDA_CUH
#define HG_CODELETS_ADR_CUDA_CUH

#include "codelets/adr/adr_cuda.h"
#include "codelets/adr/adr_point.h"

namespace adr
{

enum { THREADS = 128, WARP = 32 };

template <typename T>
constexpr int LANES = 64 / (int)sizeof(T);

/* Rows of a thread block with one thread per lane. */
template <typename T>
constexpr int LANE_ROWS = THREADS / LANES<T>;

/* A thread's position: node x of row (y, z), which may be beyond the last row. */
struct Place {
  int64_t x, y, z;
  bool inside;
};

/* @tparam ROWS  rows of a thread block */
template <int ROWS>
__device__ __forceinline__ Place place_of(const hg_adr_block &b)
{
  const unsigned row = blockIdx.x * ROWS + threadIdx.y, high = (unsigned)b.n[1];
  return {threadIdx.x, row % high, row / high, row < b.n[1] * b.n[2]};
}

template <int ROWS>
dim3 blocks_of(const hg_adr_block *b)
{
  return dim3((unsigned)((b->n[1] * b->n[2] + ROWS - 1) / ROWS));
}

template <typename T>
dim3 threads_of()
{
  return dim3(LANES<T>, LANE_ROWS<T>);
}

__device__ __forceinline__ int64_t row_at(const hg_adr_block &b, const Place &p)
{
  return b.origin + p.z * b.stride[2] + p.y * b.stride[1];
}

__device__ __forceinline__ bool is_own(const hg_adr_block &b, const Place &p)
{
  return p.inside && p.y >= b.lo[1] && p.y < b.hi[1] && p.z >= b.lo[2] && p.z < b.hi[2];
}

/* Distances to the neighbours of a node along an axis. */
struct Sides {
  int64_t lo, hi;
};

__device__ __forceinline__ Sides sides_of(const hg_adr_block &b, int axis, int64_t i)
{
  const int64_t last = b.n[axis] - 1, step = b.stride[axis];
  return {i == 0 && b.wrap[axis] ? last * step : -step, i == last && b.wrap[axis] ? -last * step : step};
}

/* A node's inflow from its neighbours; `y` and `z` are those of its row. */
template <typename T>
struct Weights {
  T ly, hy, lz, hz;
  Sides y, z;
};

template <typename T>
__device__ __forceinline__ Weights<T> weights_of(const hg_adr_block &b, const T *const lo[3], const T *const hi[3],
                                                 const Place &p)
{
  return {lo[1][p.y], hi[1][p.y], lo[2][p.z], hi[2][p.z], sides_of(b, 1, p.y), sides_of(b, 2, p.z)};
}

template <typename T>
__device__ __forceinline__ T inflow(const Weights<T> &w, T lx, T hx, const Sides &s, const T *at)
{
  return HG_ADR_INFLOW(lx, hx, w.ly, w.hy, w.lz, w.hz, at[s.lo], at[s.hi], at[w.y.lo], at[w.y.hi], at[w.z.lo],
                       at[w.z.hi]);
}

/* The tables of a block for each axis. */
struct Tables {
  const double *lo[3], *hi[3], *sum[3], *sine[3], *cosine[3];
};

__device__ __forceinline__ Tables tables_of(const hg_adr_block &b, const double *tables)
{
  Tables t;
  for (int a = 0; a < 3; a++) {
    const double *of_axis = tables;
    t.lo[a] = of_axis;
    t.hi[a] = of_axis + b.n[a];
    t.sum[a] = of_axis + 2 * b.n[a];
    t.sine[a] = of_axis + 3 * b.n[a];
    t.cosine[a] = of_axis + 4 * b.n[a];
    tables += HG_ADR_TABLES * b.n[a];
  }
  return t;
}

} // namespace adr
#endif
