/* SPDX-License-Identifier: MIT
 * The task of StarPU's cholesky that the timed node knows best, and its tiles. */
#ifndef TESTS_NODE_GEMM_H
#define TESTS_NODE_GEMM_H

#include <starpu.h>
#include <stdlib.h>

enum { SIDE = 960 };

static void computes(void *buffers[], void *argument)
{
  (void)buffers;
  (void)argument;
  abort(); /* the timed node replaces it */
}

static struct starpu_perfmodel model = {.type = STARPU_HISTORY_BASED, .symbol = "chol_model_gemm"};
static struct starpu_codelet gemm = {.cpu_funcs = {computes},
                                     .cuda_funcs = {computes},
                                     .cuda_flags = {STARPU_CUDA_ASYNC},
                                     .nbuffers = 3,
                                     .modes = {STARPU_R, STARPU_R, STARPU_RW},
                                     .model = &model};

static starpu_data_handle_t new_tile(void)
{
  starpu_data_handle_t handle;
  void *memory;
  starpu_malloc(&memory, (size_t)SIDE * SIDE * sizeof(float));
  starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)memory, SIDE, SIDE, SIDE, sizeof(float));
  return handle;
}
#endif
