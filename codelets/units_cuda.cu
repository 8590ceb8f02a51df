/* SPDX-License-Identifier: MIT */
#include "codelets/units_cuda.h"

namespace
{

enum { THREADS = 256 };

/* One step of a tile from one state to the other. */
cudaError_t one_step(const hg_units_tile *t, const hg_units_box *launch, int64_t step, int done, int steps,
                     const void *from, void *to, cudaStream_t stream)
{
  const hg_tile_shape *s = t->shape;
  hg_units units = t->units;
  hg_units_box box = *launch;
  int64_t lo[3], hi[3], open[3], close[3], cell = 0;
  hg_units_valid(t, done, steps, lo, hi);
  hg_units_open(t, open, close);
  units.step = step;
  for (int a = 0; a < 3; a++) {
    box.n[a] = hi[a] - lo[a];
    box.stride[a] = units.stride[a] = s->stride[a];
    box.open[a] = open[a] - lo[a];
    box.close[a] = close[a] - lo[a];
    box.read_lo[a] = -lo[a];
    box.read_hi[a] = s->n[a] - lo[a];
    units.at[a] = t->lo[a] + lo[a];
    cell += lo[a] * s->stride[a];
  }
  const int64_t bytes = t->update->value_bytes;
  units.before = (const char *)from + cell * bytes;
  return (cudaError_t)t->update->launch(&units, &box, (char *)to + cell * bytes, (void *)stream);
}

/* Values of `words` words each. */
template <typename T>
__global__ void gather(const T *state, int64_t words, const int32_t *positions, int64_t count, T *piece)
{
  const int64_t step = (int64_t)gridDim.x * THREADS;
  for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count * words; i += step)
    piece[i] = state[positions[i / words] * words + i % words];
}

/* Values of variable size: where each begins in the piece is the sum of those before, added up by one thread per value.
 * Pieces are small beside tiles. */
template <typename T>
__global__ void gather_arrays(const T *state, int64_t words, const int64_t *offset, const int32_t *positions,
                              int64_t count, T *piece)
{
  const int64_t step = (int64_t)gridDim.x * THREADS;
  for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
    int64_t to = 0;
    for (int64_t j = 0; j < i; j++) to += (offset[positions[j] + 1] - offset[positions[j]]) * words;
    const int64_t from = offset[positions[i]] * words, n = (offset[positions[i] + 1] - offset[positions[i]]) * words;
    for (int64_t j = 0; j < n; j++) piece[to + j] = state[from + j];
  }
}

template <typename T>
cudaError_t gather_words(const void *state, int64_t words, const int64_t *offset, const int32_t *positions,
                         int64_t count, void *piece, cudaStream_t stream)
{
  const int64_t items = offset ? count : count * words, blocks = (items + THREADS - 1) / THREADS;
  const dim3 grid((unsigned)(blocks < 2048 ? blocks : 2048)), block(THREADS);
  if (items == 0) return cudaSuccess;
  if (offset)
    HG_LAUNCH(gather_arrays<T>, grid, block, stream, (const T *)state, words, offset, positions, count, (T *)piece);
  else
    HG_LAUNCH(gather<T>, grid, block, stream, (const T *)state, words, positions, count, (T *)piece);
  return cudaGetLastError();
}

} // namespace

extern "C" cudaError_t hg_units_cuda_advance(const hg_units_tile *t, const hg_units_box *launch, int64_t first,
                                             int steps, void *before, void *after, cudaStream_t stream)
{
  const hg_tile_shape *s = t->shape;
  for (int i = 1; i <= steps; i++) {
    cudaError_t error =
        one_step(t, launch, first + i - 1, i, steps, i % 2 ? before : after, i % 2 ? after : before, stream);
    if (error != cudaSuccess) return error;
  }
  if (steps % 2) return cudaSuccess;
  return cudaMemcpyAsync(after, before, (size_t)(s->stride[2] * s->n[2] * t->update->value_bytes),
                         cudaMemcpyDeviceToDevice, stream);
}

extern "C" cudaError_t hg_stored_cuda_gather(const void *state, int64_t value_bytes, const int64_t *offset,
                                             const int32_t *positions, int64_t count, void *piece, cudaStream_t stream)
{
  if (value_bytes % 8 == 0)
    return gather_words<uint64_t>(state, value_bytes / 8, offset, positions, count, piece, stream);
  if (value_bytes % 4 == 0)
    return gather_words<uint32_t>(state, value_bytes / 4, offset, positions, count, piece, stream);
  return gather_words<uint8_t>(state, value_bytes, offset, positions, count, piece, stream);
}
