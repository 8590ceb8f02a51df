/* SPDX-License-Identifier: MIT */
/* Data of the kernels of adr's inner solver on CUDA devices, and their sums.
 *
 * A warp works on a row, each thread on 16 bytes of it at once, for both species, so that many loads are in flight.
 * Summands go through shared memory to the threads that own the lanes of a row's dot product. Lanes are added pairwise
 * by shuffles, then the rows of a plane in order, then the planes, as on the CPU. A block sums a plane, and the last
 * block to finish sums the planes. */
#ifndef HG_CODELETS_ADR_SOLVE_CUDA_CUH
#define HG_CODELETS_ADR_SOLVE_CUDA_CUH

#include "codelets/adr/adr_cuda.cuh"

namespace adr
{

enum { DOTS = 2, FILL_BLOCKS = 8, ROWS = 8, ROW_THREADS = WARP * ROWS };

/* The state of a solve on the device. */
struct alignas(16) State {
  hg_adr_krylov it;
  unsigned ended; /* blocks that have finished their part of a sum */
};

/* Arguments of the kernels; vectors are r, r0, p, v, t, x for BiCGSTAB and r, r~, p, p~, q, x, M^-T p~ for BiCG, 2
 * fields each. */
template <typename T>
struct Solver {
  hg_adr_block b;
  double dt;
  const double *tables;
  T *lo[3], *hi[3], *tlo[3], *thi[3]; /* weights of neighbours, and of the transpose */
  const T *inverse;
  T *vector[7];
  hg_adr_krylov *it;
  unsigned *ended;
  double *row, *plane; /* sums: [DOTS][n[2]][2][n[1]], [DOTS][n[2]] */
};

/* What is needed besides the CPU's vectors is stored in the remaining fields: less than 2 * 16 values per row. Tables
 * along x are read like rows, and are aligned like them. */
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
    for (int k = 0; k < 4; k++, room += a == 0 ? b->stride[1] : b->n[a]) *table[k] = room;
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

/* --- nodes --- */

/* The values that a thread loads or stores at once, and its warp. */
template <typename T>
constexpr int PACK = 16 / (int)sizeof(T);

template <typename T>
constexpr int SPAN = 16 * WARP / (int)sizeof(T);

template <typename T>
struct alignas(16) Pack {
  T v[PACK<T>];
};

/* Values of both species at the nodes of a thread. */
template <typename T>
struct Nodes {
  Pack<T> of[2];
  enum { COUNT = 2 * PACK<T> };
  __device__ __forceinline__ T &operator[](int k)
  {
    return of[k / PACK<T>].v[k % PACK<T>];
  }
  __device__ __forceinline__ T operator[](int k) const
  {
    return of[k / PACK<T>].v[k % PACK<T>];
  }
};

template <typename T>
__device__ __forceinline__ Nodes<T> operator*(const Nodes<T> &a, const Nodes<T> &b)
{
  Nodes<T> product;
  for (int k = 0; k < Nodes<T>::COUNT; k++) product[k] = a[k] * b[k];
  return product;
}

/* A thread's nodes: from x on, in the row at `row`, with `left` nodes left in the row. If none is left, it reads at
 * the beginning of the row and writes nothing. */
struct Strip {
  int64_t row, at;
  int x, left;
};

template <typename T>
__device__ __forceinline__ Strip strip_of(const hg_adr_block &b, const Place &p, int from)
{
  const int mine = from + (int)threadIdx.x * PACK<T>, left = (int)b.n[0] - mine, x = left > 0 ? mine : 0;
  return {row_at(b, p), row_at(b, p) + x, x, left};
}

template <typename T>
__device__ __forceinline__ Pack<T> load_pack(const T *from)
{
  return *(const Pack<T> *)from;
}

template <typename T>
__device__ __forceinline__ Nodes<T> load(const T *field, int64_t size, const Strip &s)
{
  return {load_pack(field + s.at), load_pack(field + size + s.at)};
}

template <typename T>
__device__ __forceinline__ void store(T *field, int64_t size, const Strip &s, const Nodes<T> &value)
{
  for (int i = 0; i < 2; i++) {
    T *const to = field + i * size + s.at;
    if (s.left >= PACK<T>)
      *(Pack<T> *)to = value.of[i];
    else
      for (int k = 0; k < PACK<T>; k++)
        if (k < s.left) to[k] = value.of[i].v[k];
  }
}

/* Inflow into a thread's nodes from their neighbours; `here` is the value of `field` at the nodes. */
template <typename T>
__device__ __forceinline__ Nodes<T> inflow_of(const hg_adr_block &b, const Weights<T> &w, const T *lx, const T *hx,
                                              const T *field, const Strip &s, const Nodes<T> &here)
{
  const Pack<T> lo = load_pack(lx + s.x), hi = load_pack(hx + s.x);
  const Nodes<T> south = load(field + w.y.lo, b.field, s), north = load(field + w.y.hi, b.field, s),
                 below = load(field + w.z.lo, b.field, s), above = load(field + w.z.hi, b.field, s);
  const int64_t before = s.x == 0 && b.wrap[0] ? b.n[0] - 1 : -1;
  Nodes<T> west, east, in;
  for (int k = 0; k < in.COUNT; k++) {
    const int i = k % PACK<T>;
    const T *const at = field + k / PACK<T> * b.field + s.at;
    west[k] = i > 0 ? here[k - 1] : at[before];
    east[k] = i + 1 < PACK<T> ? here[k + 1] : at[PACK<T>];
  }
  if (b.wrap[0] && s.left <= PACK<T>)
    for (int k = 0; k < in.COUNT; k++)
      if (k % PACK<T> + 1 == s.left) east[k] = field[k / PACK<T> * b.field + s.row];
  for (int k = 0; k < in.COUNT; k++)
    in[k] = HG_ADR_INFLOW(lo.v[k % PACK<T>], hi.v[k % PACK<T>], w.ly, w.hy, w.lz, w.hz, west[k], east[k], south[k],
                          north[k], below[k], above[k]);
  return in;
}

/* --- sums --- */

/* The sum of a lane: adds the warp's nodes, `left` of their row, in order. The first threads have the lanes of the
 * first species, the next ones those of the second. */
template <typename T>
__device__ __forceinline__ T add_lanes(T sum, const Nodes<T> &product, int left)
{
  alignas(16) __shared__ T shown[ROWS][2][SPAN<T> + LANES<T>];
  const int lane = (int)threadIdx.x % LANES<T>, species = (int)threadIdx.x / LANES<T> % 2;
  __syncwarp();
  for (int i = 0; i < 2; i++) *(Pack<T> *)&shown[threadIdx.y][i][threadIdx.x * PACK<T>] = product.of[i];
  __syncwarp();
  for (int x = lane; x < SPAN<T> + lane; x += LANES<T>)
    if (x < left) sum += shown[threadIdx.y][species][x];
  return sum;
}

/* Sums of a row for both species. */
template <typename T>
__device__ __forceinline__ void keep_row(const Solver<T> &c, const Place &p, int dot, T lane)
{
  const int species = (int)threadIdx.x / LANES<T>;
  for (int half = LANES<T> / 2; half > 0; half /= 2) lane += __shfl_down_sync(0xffffffffu, lane, half);
  if (threadIdx.x % LANES<T> == 0 && species < 2)
    c.row[((dot * c.b.n[2] + p.z) * 2 + species) * c.b.n[1] + p.y] = (double)lane;
}

/* Adds numbers in order. All threads of a block call it; the first one gets the result. */
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

/* One block per plane of each product. */
inline dim3 sums_of(const hg_adr_block *b, int dots)
{
  return dim3((unsigned)(dots * b->n[2]));
}

/* Sets sum[dot] over all planes. Returns true only for the one thread that has the sums, when all others are done. */
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
