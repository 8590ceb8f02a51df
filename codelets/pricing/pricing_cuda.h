/* SPDX-License-Identifier: MIT */
/* Chunks of Monte-Carlo paths on CUDA devices, with the same bits as on CPUs. */
#ifndef HG_CODELETS_PRICING_PRICING_CUDA_H
#define HG_CODELETS_PRICING_PRICING_CUDA_H

#include "codelets/cuda.h"
#include "codelets/pricing/pricing.h"

#ifdef __cplusplus
extern "C" {
#endif

/** out[i] = sums of piece first + i of a portfolio, i < count: row piece / chunks, chunk piece % chunks; pieces beyond
 * the last row are 0. Asynchronous on `stream`.
 * @param is_float  in single precision
 * @param row  [rows] and out [count] in memory accessible to the device */
cudaError_t hg_pricing_cuda_sums(const hg_paths *row, int64_t rows, int64_t chunks, int64_t first, int64_t count,
                                 bool is_float, hg_chunk_sums *out, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
