/* SPDX-License-Identifier: MIT */
/* Applications' updates on CUDA devices: what the library adds to the applications' own kernels. */
#ifndef HG_CODELETS_UNITS_UNITS_CUDA_H
#define HG_CODELETS_UNITS_UNITS_CUDA_H

#include "codelets/cuda.h"
#include "codelets/units/units_tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Like hg_units_advance, with states in device memory; `before` is used as scratch. Asynchronous on `stream`. */
cudaError_t hg_units_cuda_advance(const hg_units_tile *tile, const hg_units_box *launch, int64_t first, int steps,
                                  void *before, void *after, cudaStream_t stream);

/** Collects the values of some units: piece[] = the values at positions[0 .. count-1] of `state`.
 * @param offset  where each unit's elements of `value_bytes` begin in `state`, or NULL: one element each
 * All in device memory. Asynchronous on `stream`. */
cudaError_t hg_stored_cuda_gather(const void *state, int64_t value_bytes, const int64_t *offset,
                                  const int32_t *positions, int64_t count, void *piece, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
