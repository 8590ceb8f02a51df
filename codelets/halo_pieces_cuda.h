/* SPDX-License-Identifier: MIT */
/* CUDA launcher that copies pieces: plain device pointers and a stream, no StarPU. */
#ifndef HG_CODELETS_HALO_PIECES_CUDA_H
#define HG_CODELETS_HALO_PIECES_CUDA_H

#include "codelets/cuda.h"
#include "codelets/halo_pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Copies pieces out of (pack) or into a tile, all in one launch per 16 pieces. */
cudaError_t hg_halo_piece_cuda_copy(const hg_halo_piece_cells *cells, int count, int size, void *tile,
                                    void *const *pieces, bool pack, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
