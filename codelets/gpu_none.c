/* SPDX-License-Identifier: MIT */
/* A build without CUDA sees no GPU. */
#include <stdio.h>

#include "codelets/gpu.h"

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

hg_gpu_work *hg_gpu_paths(int gpu, int64_t count)
{
  return nothing(gpu, false, count, 0);
}

hg_gpu_work *hg_gpu_path_sums(int gpu, int64_t count)
{
  return nothing(gpu, false, count, 0);
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
