/* SPDX-License-Identifier: MIT */
/* CUDA launchers of the heat kernels: plain device pointers and a stream, without StarPU. */
#ifndef HG_CODELETS_HEAT_HEAT_CUDA_H
#define HG_CODELETS_HEAT_HEAT_CUDA_H

#include "codelets/cuda.h"
#include "codelets/heat/heat_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which CUDA kernel advances a tile. */
typedef enum hg_heat_cuda_kernel {
  HG_HEAT_CUDA_AUTO,  /**< several steps per pass where that applies, else the one-step kernel */
  HG_HEAT_CUDA_ONE,   /**< one step per pass over memory; a value is loaded once for all threads that need it */
  HG_HEAT_CUDA_STREAM /**< several steps per pass, layers streamed through registers, up to 10 in 2-D (8 in single
                           precision or with a source), 4 in 3-D: for tiles at least 1 KiB wide (2-D; 512 bytes and 32
                           rows in 3-D) whose rows start at multiples of 32 bytes; others take one step per pass */
} hg_heat_cuda_kernel;

/** Advances a tile as hg_heat_advance_fn does; `src` is used as scratch. Asynchronous on `stream`. */
cudaError_t hg_heat_cuda_advance(const hg_tile_shape *shape, const hg_heat_coef *coef, bool is_float, int steps,
                                 hg_heat_cuda_kernel kernel, void *src, void *dst, const void *q, cudaStream_t stream);

/** *change = largest |a - b| over the core. `change` is a device pointer. */
cudaError_t hg_heat_cuda_change(const hg_tile_shape *shape, bool is_float, const void *a, const void *b, double *change,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
