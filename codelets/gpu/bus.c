/* SPDX-License-Identifier: MIT */
#include "codelets/gpu/bus.h"

#include <stddef.h>

#include "codelets/gpu/gpu.h"

const char *const hg_bus_names[] = {"h2d", "d2h", "h2d-pageable", "d2h-pageable", "h2d-both", "d2h-both", "d2d", NULL};

bool hg_bus_there(hg_bus_kind kind)
{
  return hg_gpu_count() >= (kind == HG_BUS_D2D ? 2 : 1);
}
