/* SPDX-License-Identifier: MIT */
/* Copies of pieces on a device: one thread per word, one row of blocks per piece. */
#include "codelets/halo_pieces_cuda.h"

namespace
{

enum { BATCH = 16, COPY_THREADS = 256 };

template <typename T>
struct Batch {
  hg_halo_piece_cells cells[BATCH];
  T *piece[BATCH];
};

template <typename T>
__global__ void copy_pieces(Batch<T> b, T *tile, int words, bool pack)
{
  const hg_halo_piece_cells &c = b.cells[blockIdx.y];
  T *piece = b.piece[blockIdx.y];
  const int64_t total = c.n[0] * c.n[1] * c.n[2] * words, step = (int64_t)gridDim.x * COPY_THREADS;
  for (int64_t i = (int64_t)blockIdx.x * COPY_THREADS + threadIdx.x; i < total; i += step) {
    const int64_t cell = i / words, x = cell % c.n[0], y = cell / c.n[0] % c.n[1], z = cell / c.n[0] / c.n[1];
    const int64_t at = (c.first + x * c.stride[0] + y * c.stride[1] + z * c.stride[2]) * words + i % words;
    if (pack)
      piece[i] = tile[at];
    else
      tile[at] = piece[i];
  }
}

/* Values of several words each. */
template <typename T>
cudaError_t copy_all(const hg_halo_piece_cells *cells, int count, int words, void *tile, void *const *pieces, bool pack,
                     cudaStream_t stream)
{
  for (int start = 0; start < count; start += BATCH) {
    Batch<T> b;
    int in_batch = count - start < BATCH ? count - start : BATCH;
    int64_t most = 1;
    for (int i = 0; i < in_batch; i++) {
      b.cells[i] = cells[start + i];
      b.piece[i] = (T *)pieces[start + i];
      int64_t total = b.cells[i].n[0] * b.cells[i].n[1] * b.cells[i].n[2] * words;
      if (total > most) most = total;
    }
    const int64_t blocks = (most + COPY_THREADS - 1) / COPY_THREADS;
    HG_LAUNCH(copy_pieces<T>, dim3((unsigned)(blocks < 512 ? blocks : 512), (unsigned)in_batch), dim3(COPY_THREADS),
              stream, b, (T *)tile, words, pack);
  }
  return cudaGetLastError();
}

} // namespace

extern "C" cudaError_t hg_halo_piece_cuda_copy(const hg_halo_piece_cells *cells, int count, int size, void *tile,
                                               void *const *pieces, bool pack, cudaStream_t stream)
{
  if (size % 8 == 0) return copy_all<uint64_t>(cells, count, size / 8, tile, pieces, pack, stream);
  if (size % 4 == 0) return copy_all<uint32_t>(cells, count, size / 4, tile, pieces, pack, stream);
  return copy_all<uint8_t>(cells, count, size, tile, pieces, pack, stream);
}
