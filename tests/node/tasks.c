/* SPDX-License-Identifier: MIT
 * Independent tasks of StarPU's cholesky, for the timed node: tasks cpu|cuda|any COUNT w|rw prints the ms that they
 * take. */
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 960 };

static void computes(void *buffers[], void *argument)
{
  (void)buffers;
  (void)argument;
  abort(); /* the timed node takes its place */
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

int main(int argc, char **argv)
{
  if (argc != 4 || starpu_init(NULL) != 0) return 77;
  const int count = atoi(argv[2]);
  starpu_data_handle_t a = new_tile(), b = new_tile(), *c = malloc((size_t)count * sizeof *c);
  gemm.where = strcmp(argv[1], "cuda") == 0  ? STARPU_CUDA
               : strcmp(argv[1], "cpu") == 0 ? STARPU_CPU
                                             : STARPU_CPU | STARPU_CUDA;
  gemm.modes[2] = strcmp(argv[3], "w") == 0 ? STARPU_W : STARPU_RW;
  for (int i = 0; i < count; i++) c[i] = new_tile();
  const double begin = starpu_timing_now();
  for (int i = 0; i < count; i++)
    if (starpu_task_insert(&gemm, STARPU_R, a, STARPU_R, b, gemm.modes[2], c[i], 0) != 0) return 77;
  starpu_task_wait_for_all();
  printf("%.3f\n", (starpu_timing_now() - begin) * 1e-3);
  fflush(stdout);
  _exit(0); /* nothing is brought back */
}
