/* SPDX-License-Identifier: MIT */
#include "codelets/units/units_cuda.h"

namespace
{

enum { THREADS = 256 };

/* Cells beyond a side of the grid, which become mirror images of those inside along `axis`. */
struct images {
  int64_t n[3];      /* cells */
  int64_t stride[3]; /* in words */
  int axis;
  int64_t words;    /* of a value */
  int64_t distance; /* from the first images to their originals, in cells: decreases by two with each following image */
};

template <typename T>
__global__ void mirror(images m, T *state)
{
  const int64_t count = m.n[0] * m.n[1] * m.n[2] * m.words, step = (int64_t)gridDim.x * THREADS;
  for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
    const int64_t cell = i / m.words, at[3] = {cell % m.n[0], cell / m.n[0] % m.n[1], cell / m.n[0] / m.n[1]};
    T *to = state + at[0] * m.stride[0] + at[1] * m.stride[1] + at[2] * m.stride[2] + i % m.words;
    *to = to[(m.distance - 2 * at[m.axis]) * m.stride[m.axis]];
  }
}

dim3 blocks_for(int64_t items)
{
  const int64_t blocks = (items + THREADS - 1) / THREADS;
  return dim3((unsigned)(blocks < 2048 ? blocks : 2048));
}

/* Sets the images lo .. hi - 1 along an axis, where the grid ends at `border`. */
template <typename T>
void mirror_side(const hg_units_tile *t, const hg_units_range *r, int axis, int64_t lo, int64_t hi, int64_t border,
                 T *state, cudaStream_t stream)
{
  images m = {{}, {}, axis, t->update->value_bytes / (int64_t)sizeof(T), 2 * (border - lo) - 1};
  if (lo >= hi) return;
  for (int a = 0; a < 3; a++) {
    const int64_t begin = a == axis  ? lo
                          : a < axis ? r->lo[a]
                                     : r->first[a],
                  end = a == axis  ? hi
                        : a < axis ? r->hi[a]
                                   : r->end[a];
    m.n[a] = end - begin;
    m.stride[a] = t->shape->stride[a] * m.words;
    state += begin * m.stride[a];
  }
  HG_LAUNCH(mirror<T>, blocks_for(m.n[0] * m.n[1] * m.n[2] * m.words), dim3(THREADS), stream, m, state);
}

/* Sets all images of a state, one axis after another, so that corners are images of images. */
template <typename T>
cudaError_t mirror_sides(const hg_units_tile *t, const hg_units_range *r, void *state, cudaStream_t stream)
{
  for (int a = 0; a < t->shape->dims; a++) {
    mirror_side(t, r, a, r->lo[a], r->first[a], r->first[a], (T *)state, stream);
    mirror_side(t, r, a, r->end[a], r->hi[a], r->end[a], (T *)state, stream);
  }
  return cudaGetLastError();
}

/* Advances a tile by one step, from one state to the other. */
cudaError_t one_step(const hg_units_tile *t, const hg_units_box *launch, int64_t step, int done, int steps,
                     const void *from, void *to, cudaStream_t stream)
{
  const hg_tile_shape *s = t->shape;
  const hg_units_range r = hg_units_valid(t, done, steps);
  hg_units units = t->units;
  hg_units_box box = *launch;
  int64_t open[3], close[3], cell = 0;
  hg_units_open(t, open, close);
  units.step = step;
  for (int a = 0; a < 3; a++) {
    const int64_t first = r.first[a];
    box.n[a] = r.end[a] - first;
    box.stride[a] = units.stride[a] = s->stride[a];
    box.open[a] = open[a] - first;
    box.close[a] = close[a] - first;
    box.read_lo[a] = -first;
    box.read_hi[a] = s->n[a] - first;
    units.at[a] = t->lo[a] + first;
    cell += first * s->stride[a];
  }
  const int64_t bytes = t->update->value_bytes;
  units.before = (const char *)from + cell * bytes;
  const cudaError_t error = (cudaError_t)t->update->launch(&units, &box, (char *)to + cell * bytes, (void *)stream);
  if (error != cudaSuccess) return error;
  return bytes % 8 == 0   ? mirror_sides<uint64_t>(t, &r, to, stream)
         : bytes % 4 == 0 ? mirror_sides<uint32_t>(t, &r, to, stream)
                          : mirror_sides<uint8_t>(t, &r, to, stream);
}

/* Values of `words` words each. */
template <typename T>
__global__ void gather(const T *state, int64_t words, const int32_t *positions, int64_t count, T *piece)
{
  const int64_t step = (int64_t)gridDim.x * THREADS;
  for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count * words; i += step)
    piece[i] = state[positions[i / words] * words + i % words];
}

/* Values of variable size: each begins in the piece after all those before it, whose sizes one thread per value adds
 * up. Pieces are small compared with tiles. */
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
  const int64_t items = offset ? count : count * words;
  const dim3 grid = blocks_for(items), block(THREADS);
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
