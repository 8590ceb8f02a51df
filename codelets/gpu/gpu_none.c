/* SPDX-License-Identifier: MIT */
/* A build without CUDA sees no GPU. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "codelets/gpu/bus.h"
#include "codelets/gpu/gpu.h"

int hg_gpu_count(void)
{
  return 0;
}

void hg_gpu_model(int gpu, char *name, size_t size)
{
  (void)gpu;
  snprintf(name, size, "gpu");
}

void hg_gpu_bus(int gpu, char *bus, size_t size)
{
  (void)gpu;
  snprintf(bus, size, "%s", "");
}

double hg_gpu_rate(int gpu, bool is_float)
{
  (void)gpu, (void)is_float;
  return 0;
}

int64_t hg_gpu_memory(int gpu)
{
  (void)gpu;
  return 0;
}

static hg_gpu_work *nothing(int gpu, bool is_float, int64_t side, int depth)
{
  (void)gpu;
  (void)is_float;
  (void)side;
  (void)depth;
  return NULL;
}

hg_gpu_work *hg_gpu_heat(int gpu, bool is_float, int64_t side, int depth)
{
  return nothing(gpu, is_float, side, depth);
}

hg_gpu_work *hg_gpu_exchange(int gpu, bool is_float, int64_t side, int depth)
{
  return nothing(gpu, is_float, side, depth);
}

hg_gpu_work *hg_gpu_update(int gpu, bool is_float, int64_t side, int nb)
{
  return nothing(gpu, is_float, side, nb);
}

hg_gpu_work *hg_gpu_panel_copy(int gpu, bool is_float, int64_t side, int nb)
{
  return nothing(gpu, is_float, side, nb);
}

hg_gpu_work *hg_gpu_panel(int gpu, bool is_float, int64_t rows, int nb)
{
  return nothing(gpu, is_float, rows, nb);
}

hg_gpu_work *hg_gpu_swap(int gpu, bool is_float, int64_t rows, int64_t side, int nb)
{
  (void)side;
  return nothing(gpu, is_float, rows, nb);
}

hg_gpu_work *hg_gpu_paths(int gpu, int64_t count)
{
  return nothing(gpu, false, count, 0);
}

hg_gpu_work *hg_gpu_path_sums(int gpu, int64_t count)
{
  return nothing(gpu, false, count, 0);
}

hg_gpu_work *hg_gpu_adr(int gpu, bool is_float, const hg_adr_block *block, const hg_adr_step *step,
                        const double *tables, const double *u, const void *work, int *iterations)
{
  (void)step;
  (void)tables;
  (void)u;
  (void)work;
  (void)iterations;
  return nothing(gpu, is_float, block->n[0], 0);
}

double hg_gpu_run(hg_gpu_work *work, int repeats)
{
  (void)work;
  (void)repeats;
  return -1;
}

void hg_gpu_end(hg_gpu_work *work)
{
  (void)work;
}

double hg_bus_start(void)
{
  return NAN;
}

hg_bus *hg_bus_open(int64_t bytes)
{
  (void)bytes;
  return NULL;
}

void hg_bus_close(hg_bus *bus)
{
  (void)bus;
}

int hg_bus_times(hg_bus *bus, hg_bus_kind kind, int64_t bytes, int count, double *seconds)
{
  (void)bus;
  (void)kind;
  (void)bytes;
  (void)count;
  (void)seconds;
  return -1;
}
