/* SPDX-License-Identifier: MIT */
/* A thread block sums over a chunk of paths. Each of its threads has four lanes: with one fixing, those of the four
 * paths that use the same block of random numbers, else every 64th. Included by pricing_cuda.cu in one namespace per
 * precision. */
#include "codelets/pricing/pricing_paths.h"

enum { THREADS = 64, OWN = HG_CHUNK_LANES / THREADS, ROWS = HG_CHUNK_PATHS / HG_CHUNK_LANES };

/* Sums so far of a thread's lanes. */
struct own_lanes {
  double sum[OWN], squares[OWN];
};

__device__ __forceinline__ void take(own_lanes &l, int i, V value)
{
  const D v = wide(value);
  l.sum[i] += v;
  l.squares[i] = fused_wide(v, v, l.squares[i]);
}

/* `left` paths from number `path` on, one row of lanes after another. */
template <hg_payoff PAYOFF>
__device__ void european_rows(const hg_paths &p, unsigned thread, uint64_t path, uint64_t left, own_lanes &l)
{
  for (uint64_t row = 0; row < ROWS && row * HG_CHUNK_LANES < left; row++) {
    const uint64_t at = row * HG_CHUNK_LANES + 4 * thread;
    V value[4];
    european(&p, PAYOFF, (path + at) / 4, value);
    for (int i = 0; i < OWN; i++) take(l, i, at + (uint64_t)i < left ? value[i] : V_OF(0));
  }
}

template <hg_payoff PAYOFF>
__device__ void average_rows(const hg_paths &p, unsigned thread, uint64_t path, uint64_t left, own_lanes &l)
{
  for (uint64_t row = 0; row < ROWS && row * HG_CHUNK_LANES < left; row++)
    for (int i = 0; i < OWN; i++) {
      const uint64_t at = row * HG_CHUNK_LANES + (uint64_t)i * THREADS + thread;
      take(l, i, at < left ? average(&p, PAYOFF, path + at) : V_OF(0));
    }
}

__device__ void own_rows(const hg_paths &p, bool one, unsigned thread, uint64_t path, uint64_t left, own_lanes &l)
{
  switch (p.payoff) {
  case HG_PAYOFF:
    one ? european_rows<HG_PAYOFF>(p, thread, path, left, l) : average_rows<HG_PAYOFF>(p, thread, path, left, l);
    break;
  case HG_PAYOFF_CONTROL: average_rows<HG_PAYOFF_CONTROL>(p, thread, path, left, l); break;
  case HG_PAYOFF_DELTA:
    one ? european_rows<HG_PAYOFF_DELTA>(p, thread, path, left, l)
        : average_rows<HG_PAYOFF_DELTA>(p, thread, path, left, l);
    break;
  case HG_PAYOFF_VEGA:
    one ? european_rows<HG_PAYOFF_VEGA>(p, thread, path, left, l)
        : average_rows<HG_PAYOFF_VEGA>(p, thread, path, left, l);
  }
}

/* lane[0] = sum of all, added as a binary tree. */
__device__ void tree(double *lane, unsigned thread)
{
  for (unsigned half = HG_CHUNK_LANES / 2; half > 0; half /= 2) {
    __syncthreads();
    for (unsigned i = thread; i < half; i += THREADS) lane[i] += lane[i + half];
  }
  __syncthreads();
}

__global__ void __launch_bounds__(THREADS)
    add_chunks(const hg_paths *row, int64_t rows, int64_t chunks, int64_t first, hg_chunk_sums *out)
{
  __shared__ double sum[HG_CHUNK_LANES], squares[HG_CHUNK_LANES];
  const unsigned thread = threadIdx.x, block = blockIdx.x;
  const int64_t piece = first + block;
  own_lanes l = {};
  bool one = false;
  if (piece < rows * chunks) {
    const hg_paths p = row[piece / chunks];
    const uint64_t path = (uint64_t)(piece % chunks) * HG_CHUNK_PATHS, paths = (uint64_t)p.paths;
    one = p.fixings == 1 && p.payoff != HG_PAYOFF_CONTROL;
    own_rows(p, one, thread, path, paths > path ? paths - path : 0, l);
  }
  for (unsigned i = 0; i < OWN; i++) {
    const unsigned lane = one ? OWN * thread + i : i * THREADS + thread;
    sum[lane] = l.sum[i];
    squares[lane] = l.squares[i];
  }
  tree(sum, thread);
  tree(squares, thread);
  if (thread == 0) out[block] = {sum[0], squares[0]};
}
