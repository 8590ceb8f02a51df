/* SPDX-License-Identifier: MIT */
/* What a tile takes each processor where a grid of tiles is divided among all: speeds are functions of work and of
 * what is exchanged, and a scheduling policy, which deals out whole tiles, needs them at the shares of the division.
 *
 * Example: a core does 100 tiles at 1 tile/s, but 300 at .5 only, since they leave its cache. Beside one of 1 tile/s it
 * gets 142 of 300, and a tile takes it 1.12 s there; by its speed for all 300 tiles it would have got 100. */
#ifndef HG_SCHEDULERS_TILE_TIMES_H
#define HG_SCHEDULERS_TILE_TIMES_H

#include "speed/speed.h"

/** Divides a grid of n tiles by FPMC (placement/fpmc.h).
 * @param n        tiles along the axes, 1 beyond dims
 * @param model    [parts] of work in tiles and exchange in sides of tiles
 * @param name     partitioner whose borders count
 * @param[out] seconds  [parts] s of a tile at the processor's share; without a share s of one tile alone
 * HG_INVALID, HG_MEMORY. */
hg_status hg_tile_times(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name,
                        double *seconds);
#endif
