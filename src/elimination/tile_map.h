/* SPDX-License-Identifier: MIT */
/* Who owns which tile of a matrix: a pattern of owners, ranks or workers, repeated over the tiles. */
#ifndef HG_ELIMINATION_TILE_MAP_H
#define HG_ELIMINATION_TILE_MAP_H

#include "base/status.h"

/** Tile (i, j) belongs to owner[(i % rows) * cols + j % cols]. */
typedef struct hg_tile_map {
  int rows, cols;
  int *owner; /**< [rows * cols] */
} hg_tile_map;

/** Owner of tile (i, j) >= 0. */
static inline int hg_tile_owner(const hg_tile_map *map, int i, int j)
{
  return map->owner[i % map->rows * map->cols + j % map->cols];
}

/** P x Q ranks, block-cyclic: tile (i, j) belongs to rank (i % P) * Q + j % Q. HG_MEMORY. */
hg_status hg_tile_map_grid(int p, int q, hg_tile_map *out);

/** Whole columns of tiles, `columns` of them, plus one of right-hand sides, dealt out one by one to the owner that
 * would finish it first. So an owner's share of the columns from any one on is close to its share of the speed.
 * @param speed  [owners], >= 0, not all 0
 * @param rank  [owners] < owners, or NULL: each its own. A rank's workers get up to three consecutive columns, so that
 * fewer panels have to be sent before work goes on. HG_INVALID, HG_MEMORY. */
hg_status hg_tile_map_columns(int owners, const double *speed, const int *rank, int columns, hg_tile_map *out);

/** A square pattern of side x side tiles, divided by the named partitioner (thesis 5.3: NPHP). If the side is that of
 * the matrix, everyone gets one rectangle. HG_INVALID, HG_MEMORY. */
hg_status hg_tile_map_pattern(const char *partition, int owners, const double *speed, int side, hg_tile_map *out);

/** The same pattern with the owners' ranks. @param rank  [largest owner + 1] HG_MEMORY. */
hg_status hg_tile_map_of_ranks(const hg_tile_map *map, const int *rank, hg_tile_map *out);

void hg_tile_map_free(hg_tile_map *map);
#endif
