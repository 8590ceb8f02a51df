/* SPDX-License-Identifier: MIT */
/* What the kernels of adr's inner solver on CUDA devices work with, and their sums: the lanes of a row's dot product
 * are added pairwise by shuffles, the rows of a plane one after the other, then the planes, as on the CPU. A block adds
 * up a plane, and the last one to end the planes. */
#ifndef HG_CODELETS_ADR_SOLVE_CUDA_CUH
#define HG_CODELETS_ADR_SOLVE_CUDA_CUH

#include "codelets/adr/adr_cuda.cuh"

namespace adr
{

enum { DOTS = 2, FILL_BLOCKS = 8 };

/* What the device knows of a solve. */
struct alignas(16) State {
  hg_adr_krylov it;
  unsigned ended; /* of the blocks of a sum */
};

/* What its kernels work with; r, r0, p, v, t, x of BiCGSTAB, r, r~, p, p~, q, x, M^-T p~ of BiCG, 2 fields each. */
template <typename T>
struct Solver {
  hg_adr_block b;
  double dt;
  const double *tables;
  T *lo[3], *hi[3], *tlo[3], *thi[3]; /* weights of neighbours, and those of the transpose */
  const T *inverse;
  T *vector[7];
  hg_adr_krylov *it;
  unsigned *ended;
  double *row, *plane; /* sums: [DOTS][n[2]][2][n[1]], [DOTS][n[2]] */
};

/* What is needed besides the CPU's vectors lies in the fields that are left: less than 2 * 16 values a row. */
template <typename T>
Solver<T> make_solver(const hg_adr_block *b, const hg_adr_step *step, const double *tables, T *work)
{
  Solver<T> c = {};
  c.b = *b;
  c.dt = step->dt;
  c.tables = tables;
  c.inverse = work + HG_ADR_INVERSE * b->field;
  for (int i = 0; i < 7; i++)
    c.vector[i] = work + (i == 0 ? (int64_t)HG_ADR_RIGHT : HG_ADR_VECTORS + 2 * (i - 1)) * b->field;
  State *const state = (State *)(work + HG_ADR_SPARE * b->field);
  c.it = &state->it;
  c.ended = &state->ended;
  c.row = (double *)(state + 1);
  c.plane = c.row + DOTS * 2 * b->n[1] * b->n[2];
  T *room = (T *)(c.plane + DOTS * b->n[2]);
  for (int a = 0; a < 3; a++) {
    T **const table[4] = {&c.lo[a], &c.hi[a], &c.tlo[a], &c.thi[a]};
    for (int k = 0; k < 4; k++, room += b->n[a]) *table[k] = room;
  }
  return c;
}

template <typename T>
__global__ void __launch_bounds__(THREADS) fill_tables(Solver<T> c)
{
  const Tables t = tables_of(c.b, c.tables);
  double weight[4];
  if (blockIdx.x == 0 && threadIdx.x == 0) *c.ended = 0;
  for (int a = 0; a < 3; a++)
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < c.b.n[a]; i += (int64_t)gridDim.x * THREADS) {
      hg_adr_weights(t.lo[a], t.hi[a], c.b.n[a], i, c.b.wrap[a], c.dt, weight);
      c.lo[a][i] = (T)weight[0];
      c.hi[a][i] = (T)weight[1];
      c.tlo[a][i] = (T)weight[2];
      c.thi[a][i] = (T)weight[3];
    }
}

/* --- sums --- */

/* A row's sum of a species: all threads of a warp call it. */
template <typename T>
__device__ __forceinline__ void keep_row(const Solver<T> &c, const Place &p, int dot, int species, T lane)
{
  for (int half = LANES<T> / 2; half > 0; half /= 2) lane += __shfl_down_sync(0xffffffffu, lane, half);
  if (p.x == 0 && p.inside) c.row[((dot * c.b.n[2] + p.z) * 2 + species) * c.b.n[1] + p.y] = (double)lane;
}

/* The sum of numbers, one after the other. All threads of a block call it, the first one gets it. */
__device__ __forceinline__ double add_in_order(const double *number, int64_t count)
{
  constexpr int64_t SOME = 4 * THREADS;
  __shared__ double some[SOME];
  double sum = 0;
  for (int64_t from = 0; from < count; from += SOME) {
    const int here = (int)(count - from < SOME ? count - from : SOME);
    __syncthreads();
    for (int i = (int)threadIdx.x; i < here; i += THREADS) some[i] = number[from + i];
    __syncthreads();
    if (threadIdx.x > 0) continue;
#pragma unroll 16
    for (int i = 0; i < here; i++) sum += some[i];
  }
  return sum;
}

/* One block for each plane of each product. */
inline dim3 sums_of(const hg_adr_block *b, int dots)
{
  return dim3((unsigned)(dots * b->n[2]));
}

/* sum[dot] of all planes. True for the one thread that has them: the others are done. */
template <typename T>
__device__ bool add_planes(const Solver<T> &c, int dots, double sum[DOTS])
{
  __shared__ bool is_last;
  const int64_t rows = 2 * c.b.n[1], planes = c.b.n[2];
  const double of_plane = add_in_order(c.row + blockIdx.x * rows, rows);
  if (threadIdx.x == 0) {
    c.plane[blockIdx.x] = of_plane;
    __threadfence();
    is_last = atomicInc(c.ended, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  for (int dot = 0; dot < dots && is_last; dot++) sum[dot] = add_in_order(c.plane + dot * planes, planes);
  return is_last && threadIdx.x == 0;
}

} // namespace adr
#endif
