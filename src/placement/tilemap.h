/* SPDX-License-Identifier: MIT */
/* Who owns which tile of a matrix: a pattern of ranks, repeated over the tiles. */
#ifndef HG_PLACEMENT_TILEMAP_H
#define HG_PLACEMENT_TILEMAP_H

#include "base/status.h"

/** Tile (i, j) belongs to rank[(i % rows) * cols + j % cols]. */
typedef struct hg_tile_map {
  int rows, cols;
  int *rank; /**< [rows * cols] */
} hg_tile_map;

/** Rank that owns tile (i, j) >= 0. */
static inline int hg_tile_owner(const hg_tile_map *map, int i, int j)
{
  return map->rank[i % map->rows * map->cols + j % map->cols];
}

/** P x Q ranks, block-cyclic: tile (i, j) belongs to rank (i % P) * Q + j % Q. HG_MEMORY. */
hg_status hg_tile_map_grid(int p, int q, hg_tile_map *out);

/** Whole columns of tiles, `columns` of them, dealt out one by one to the rank that would be done with it first; so
 * every rank's share of the columns from any one on is near its share of the speed.
 * @param speed  [ranks], >= 0, not all 0. HG_INVALID, HG_MEMORY. */
hg_status hg_tile_map_columns(int ranks, const double *speed, int columns, hg_tile_map *out);

/** A square pattern of side x side tiles, divided by the partitioner of that name (thesis 5.3: NPHP). A side as large
 * as the matrix gives every rank one rectangle. HG_INVALID, HG_MEMORY. */
hg_status hg_tile_map_pattern(const char *partition, int ranks, const double *speed, int side, hg_tile_map *out);

void hg_tile_map_free(hg_tile_map *map);
#endif
