/* SPDX-License-Identifier: MIT */
/* Chunks of paths on CUDA devices, in both precisions: pricing_cuda_template.h. */
#include "codelets/pricing/pricing_cuda.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

namespace paths_double
{
#define REAL_IS_FLOAT 0
#include "codelets/pricing/pricing_cuda_template.h"
#undef REAL_IS_FLOAT
} // namespace paths_double

namespace paths_float
{
#define REAL_IS_FLOAT 1
#include "codelets/pricing/pricing_cuda_template.h"
#undef REAL_IS_FLOAT
} // namespace paths_float

extern "C" cudaError_t hg_pricing_cuda_sums(const hg_paths *row, int64_t rows, int64_t chunks, int64_t first,
                                            int64_t count, bool is_float, hg_chunk_sums *out, cudaStream_t stream)
{
  const int64_t most = 1 << 30; /* blocks of a launch */
  for (int64_t i = 0; i < count; i += most) {
    const int64_t blocks = count - i < most ? count - i : most;
    const dim3 grid((unsigned)blocks), block(paths_double::THREADS);
    if (is_float)
      HG_LAUNCH(paths_float::add_chunks, grid, block, stream, row, rows, chunks, first + i, out + i);
    else
      HG_LAUNCH(paths_double::add_chunks, grid, block, stream, row, rows, chunks, first + i, out + i);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
