/* SPDX-License-Identifier: MIT
 * Tasks of StarPU's cholesky, for the timed node. tasks cpu|cuda|any COUNT w|rw: prints the ms of independent ones;
 * tasks held: the ms of a core's task whose tile is on a GPU that begins its first task of a kind. */
#include <starpu.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gemm.h"

static struct starpu_perfmodel update_model = {.type = STARPU_HISTORY_BASED, .symbol = "chol_model_syrk"};
static struct starpu_codelet update = {.cuda_funcs = {computes},
                                       .cuda_flags = {STARPU_CUDA_ASYNC},
                                       .nbuffers = 2,
                                       .modes = {STARPU_R, STARPU_RW},
                                       .model = &update_model};

static void insert_gemm(int where, starpu_data_handle_t const *tile)
{
  gemm.where = (uint32_t)where;
  if (starpu_task_insert(&gemm, STARPU_R, tile[0], STARPU_R, tile[1], gemm.modes[2], tile[2], 0) != 0) exit(77);
}

static void independent(const char *where, int count, bool reads)
{
  starpu_data_handle_t tile[] = {new_tile(), new_tile(), NULL}, *c = malloc((size_t)count * sizeof *c);
  const int on = strcmp(where, "cuda") == 0  ? STARPU_CUDA
                 : strcmp(where, "cpu") == 0 ? STARPU_CPU
                                             : STARPU_CPU | STARPU_CUDA;
  gemm.modes[2] = reads ? STARPU_RW : STARPU_W;
  for (int i = 0; i < count; i++) c[i] = new_tile();
  const double begin = starpu_timing_now();
  for (int i = 0; i < count; i++) {
    tile[2] = c[i];
    insert_gemm(on, tile);
  }
  starpu_task_wait_for_all();
  printf("%.3f\n", (starpu_timing_now() - begin) * 1e-3);
}

static void held(void)
{
  starpu_data_handle_t tile[] = {new_tile(), new_tile(), new_tile()}, other = new_tile();
  insert_gemm(STARPU_CUDA, tile);
  starpu_task_wait_for_all();
  const double begin = starpu_timing_now();
  if (starpu_task_insert(&update, STARPU_R, tile[0], STARPU_RW, other, 0) != 0) exit(77);
  insert_gemm(STARPU_CPU, tile);
  starpu_task_wait_for_all();
  printf("%.3f\n", (starpu_timing_now() - begin) * 1e-3);
}

int main(int argc, char **argv)
{
  const bool is_held = argc == 2 && strcmp(argv[1], "held") == 0;
  if ((!is_held && argc != 4) || starpu_init(NULL) != 0) return 77;
  if (is_held)
    held();
  else
    independent(argv[1], atoi(argv[2]), strcmp(argv[3], "rw") == 0);
  fflush(stdout);
  _exit(0); /* no data are copied back */
}
