/* SPDX-License-Identifier: MIT */
/* The best number of steps per task for heat. A separate file, as it is also used to plan a division without running
 * tasks. */
#include "base/topology.h"
#include "codelets/heat/heat_update.h"

/* A task of k steps on a tile of height h computes about 1 + k/h times the cells it keeps (its margins shrink from k to
 * 0), and saves k-1 of k passes over memory. On CPUs the gain levels off at about 32 steps in 2-D, where a window of
 * 2k rows fills an L2 cache of 1 MB (48 with 2 MB), 12 in 3-D (2k planes; 6 where the cache is smaller), 64 in 1-D.
 * CUDA kernels make an odd number of passes of at most 10 steps in 2-D (8 in single precision), 4 in 3-D: 24 and 30
 * steps differ by 3 % on an H100 in double precision, and 24 are better in single. */
void hg_heat_depth(int dims, int depth[2])
{
  enum { MB = 1 << 20 };
  const int64_t cache = hg_l2_cache_bytes();
  const int on_cpus[] = {0, 64, cache >= 2 * MB ? 48 : 32, cache >= MB ? 12 : 6}, on_gpus[] = {0, 64, 24, 4};
  depth[0] = on_cpus[dims];
  depth[1] = on_gpus[dims];
}
