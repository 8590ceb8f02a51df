/* SPDX-License-Identifier: MIT */
/* Each processor's time per tile when a grid of tiles is divided among all. Speeds are functions of work and exchange;
 * a scheduling policy, which hands out whole tiles, needs them at the shares of the division.
 *
 * Example: a core computes 100 tiles at 1 tile/s, but 300 at only 0.5, since they exceed its cache. Beside a core of 1
 * tile/s it gets 142 of 300 tiles and takes 1.12 s per tile there; by its speed for all 300 tiles it would get 100. */
#ifndef HG_SCHEDULERS_TILE_TIMES_H
#define HG_SCHEDULERS_TILE_TIMES_H

#include "speed/speed.h"

/** Divides a grid of n tiles by FPMC (placement/fpmc.h).
 * @param n        tiles along the axes, 1 beyond dims
 * @param model    [parts] of work in tiles and exchange in sides of tiles
 * @param name     partitioner whose borders are used
 * @param[out] seconds  [parts] s per tile at the processor's share; without a share, s of a single tile
 * HG_INVALID, HG_MEMORY. */
hg_status hg_tile_times(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name,
                        double *seconds);
#endif
