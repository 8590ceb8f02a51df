/* SPDX-License-Identifier: MIT */
/* A stencil on a simulated machine (StarPU built with SimGrid): NX x NY tiles that are advanced in sweeps; a tile
 * passes a piece to each of its neighbours. Time is virtual. simulated_stencil POLICY NX NY SWEEPS TILE_MB PIECE_KB
 * US_CPU US_GPU0 [US_GPU1 ..] prints the virtual milliseconds; US are the microseconds of a tile on a CPU and on each
 * GPU (the last serves the rest). */
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

#include "schedulers/hetgrid_sched.h"

enum { SIDES = 4, GPUS_MAX = 8 };

static double cpu_time, gpu_time[GPUS_MAX];

static double cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)task;
  (void)implementation;
  if (starpu_worker_get_type((int)worker) == STARPU_CPU_WORKER) return cpu_time;
  return gpu_time[starpu_worker_get_devid((int)worker) % GPUS_MAX];
}

static void never(void *buffer[], void *arg)
{
  (void)buffer;
  (void)arg;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_WORKER, .worker_cost_function = cost, .symbol = "simulated"};
static struct starpu_codelet codelet = {
    .cpu_funcs = {never}, .cuda_funcs = {never}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .model = &model, .name = "tile"};

typedef struct tiles {
  int nx, ny;
  starpu_data_handle_t *state, *piece[2]; /* piece: SIDES per tile, for even and odd sweeps */
  void *memory;                           /* shared by all handles, since nothing is computed */
} tiles;

static void make_tiles(tiles *t, size_t tile_bytes, size_t piece_bytes)
{
  const int n = t->nx * t->ny;
  starpu_malloc_flags(&t->memory, tile_bytes,
                      STARPU_MALLOC_PINNED | STARPU_MALLOC_COUNT | STARPU_MALLOC_SIMULATION_FOLDED);
  t->state = calloc((size_t)n, sizeof(*t->state));
  for (int i = 0; i < n; i++) {
    starpu_vector_data_register(&t->state[i], STARPU_MAIN_RAM, (uintptr_t)t->memory, (uint32_t)(tile_bytes / 8), 8);
    starpu_data_set_coordinates(t->state[i], 2, i % t->nx, i / t->nx);
  }
  for (int p = 0; p < 2; p++) {
    t->piece[p] = calloc((size_t)n * SIDES, sizeof(*t->piece[p]));
    for (int i = 0; i < n * SIDES; i++)
      starpu_vector_data_register(&t->piece[p][i], STARPU_MAIN_RAM, (uintptr_t)t->memory, (uint32_t)(piece_bytes / 8),
                                  8);
  }
}

static void submit(const tiles *t, int sweep, int x, int y)
{
  static const int dx[SIDES] = {-1, 1, 0, 0}, dy[SIDES] = {0, 0, -1, 1};
  struct starpu_data_descr d[1 + 2 * SIDES];
  const int i = y * t->nx + x, now = sweep % 2;
  int n = 0;
  d[n++] = (struct starpu_data_descr){t->state[i], STARPU_RW};
  for (int s = 0; s < SIDES; s++) { /* the neighbour's side is the opposite one */
    const int nx = x + dx[s], ny = y + dy[s];
    if (nx < 0 || nx >= t->nx || ny < 0 || ny >= t->ny) continue;
    d[n++] = (struct starpu_data_descr){t->piece[now][(ny * t->nx + nx) * SIDES + (s ^ 1)], STARPU_R};
  }
  for (int s = 0; s < SIDES; s++) d[n++] = (struct starpu_data_descr){t->piece[1 - now][i * SIDES + s], STARPU_W};
  starpu_task_insert(&codelet, STARPU_DATA_MODE_ARRAY, d, n, 0);
}

int main(int argc, char **argv)
{
  if (argc < 9) return 2;
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.sched_policy = hg_sched_find(argv[1]);
  if (!conf.sched_policy) conf.sched_policy_name = argv[1];
  cpu_time = atof(argv[7]);
  for (int g = 0; g < GPUS_MAX; g++) gpu_time[g] = atof(argv[8 + g < argc ? 8 + g : argc - 1]);
  if (starpu_init(&conf) != 0) return 77;
  tiles t = {.nx = atoi(argv[2]), .ny = atoi(argv[3])};
  const int sweeps = atoi(argv[4]);
  make_tiles(&t, (size_t)atol(argv[5]) << 20, (size_t)atol(argv[6]) << 10);
  const double start = starpu_timing_now();
  for (int sweep = 0; sweep < sweeps; sweep++)
    for (int y = 0; y < t.ny; y++)
      for (int x = 0; x < t.nx; x++) submit(&t, sweep, x, y);
  starpu_task_wait_for_all();
  printf("%.1f\n", (starpu_timing_now() - start) * 1e-3);
  fflush(stdout);
  _Exit(0);
}
