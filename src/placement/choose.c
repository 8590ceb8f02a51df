/* SPDX-License-Identifier: MIT */
/* A task of k steps on a tile of height h computes about 1 + k/h times the cells it keeps (its margins shrink from k to
 * 0), and saves k-1 of k passes over memory. On CPUs the gain levels off at about 32 steps in 2-D, where a window of
 * 2k rows fills an L2 cache of 1 MB (48 with 2 MB), 6 in 3-D (2k planes), 64 in 1-D. */
#include "placement/choose.h"

#include "base/memory.h"
#include "placement/tiling.h"

#define LARGE_L2 (2 << 20)

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

int hg_choose_depth(const hg_heat_problem *p, int regions, const hg_box *box)
{
  const hg_domain domain = hg_heat_domain(p);
  const int64_t best[] = {0, 64, hg_l2_cache_bytes() >= LARGE_L2 ? 48 : 32, 6};
  int64_t depth = smaller(best[p->dims], hg_tiling_max_depth(&domain));
  for (int i = 0; i < regions; i++)
    for (int axis = 0; axis < p->dims && hg_box_cells(&box[i]) > 0; axis++) {
      int64_t extent = hg_box_extent(&box[i], axis);
      bool cut = extent < p->n[axis] || p->side[axis][0].kind != HG_FIXED || p->side[axis][1].kind != HG_FIXED;
      if (cut) depth = smaller(depth, larger(extent / 4, 1));
    }
  return (int)larger(smaller(depth, larger(p->steps, 1)), 1);
}

/* CPU: two bands of whole rows (slabs of whole planes), so that one may be a block ahead while the other waits; one if
 * they would be lower than sixteen times the depth. GPU: squares that fill the device. */
void hg_choose_tile(const hg_heat_problem *p, const hg_box *region, bool cuda, int depth, int64_t tile[3])
{
  enum { GPU_TILE = 8192, CPU_TASKS = 2, TILE_CELLS = 1 << 28 };
  for (int axis = 0; axis < 3; axis++) tile[axis] = larger(hg_box_extent(region, axis), 1);
  if (cuda) {
    for (int axis = 0; axis < p->dims; axis++) tile[axis] = p->dims == 2 ? smaller(tile[axis], GPU_TILE) : tile[axis];
    return;
  }
  int slow = p->dims - 1;
  int64_t height = (tile[slow] + CPU_TASKS - 1) / CPU_TASKS;
  if (height >= 16 * (int64_t)depth) tile[slow] = height;
  while (tile[0] * tile[1] * tile[2] > TILE_CELLS && tile[slow] > 1) tile[slow] = (tile[slow] + 1) / 2;
}

int hg_choose_nb(int64_t n)
{
  return n < 1500 ? 128 : n < 3000 ? 192 : n < 6000 ? 256 : 384;
}
