/* SPDX-License-Identifier: MIT */
/* CUDA as the launchers see it: the runtime, or what stands for it in tests without a GPU. */
#ifndef HG_CODELETS_CUDA_H
#define HG_CODELETS_CUDA_H

#ifdef HG_CUDA_EMULATION
#include "tests/gpu/emulate.h"
#else
#include <cuda_runtime_api.h>
#endif

#if defined __CUDACC__ && !defined HG_CUDA_EMULATION
#define HG_LAUNCH(kernel, grid, block, stream, ...) kernel<<<grid, block, 0, stream>>>(__VA_ARGS__)
#define HG_LAUNCH_SHARED(kernel, grid, block, shared, stream, ...) kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)
/* `name` points to shared memory of the launch's size. */
#define HG_SHARED(TYPE, name)                                                                                          \
  extern __shared__ uint4 launch_memory[];                                                                             \
  TYPE *const name = (TYPE *)launch_memory
#endif
#endif
