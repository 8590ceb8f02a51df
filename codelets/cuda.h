/* SPDX-License-Identifier: MIT */
/* CUDA as used by the launchers. Tests without a GPU put headers of the same names before CUDA's; these also define
 * how to launch. */
#ifndef HG_CODELETS_CUDA_H
#define HG_CODELETS_CUDA_H

#include <cuda_runtime_api.h>

#ifdef __CUDACC__
#define HG_LAUNCH(kernel, grid, block, stream, ...) kernel<<<grid, block, 0, stream>>>(__VA_ARGS__)
#define HG_LAUNCH_SHARED(kernel, grid, block, shared, stream, ...) kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)
/* `name` points to shared memory, whose size the launch sets. */
#define HG_SHARED(TYPE, name)                                                                                          \
  extern __shared__ uint4 launch_memory[];                                                                             \
  TYPE *const name = (TYPE *)launch_memory
#endif
#endif
