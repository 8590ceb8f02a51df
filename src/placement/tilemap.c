/* SPDX-License-Identifier: MIT */
#include "placement/tilemap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "partition/partition.h"

static hg_status make(int rows, int cols, hg_tile_map *map)
{
  *map = (hg_tile_map){.rows = rows, .cols = cols, .rank = calloc((size_t)rows * (size_t)cols, sizeof *map->rank)};
  return map->rank ? HG_OK : hg_fail(HG_MEMORY, "no memory for a pattern of %d x %d tiles", rows, cols);
}

void hg_tile_map_free(hg_tile_map *map)
{
  free(map->rank);
  map->rank = NULL;
}

hg_status hg_tile_map_grid(int p, int q, hg_tile_map *map)
{
  HG_TRY(make(p, q, map));
  for (int i = 0; i < p * q; i++) map->rank[i] = i;
  return HG_OK;
}

/* The rank that would finish one more column first; ties go to the lowest number. */
static int next_owner(int ranks, const double *speed, const int *dealt)
{
  int best = -1;
  for (int r = 0; r < ranks; r++)
    if (speed[r] > 0 && (best < 0 || (dealt[r] + 1) / speed[r] < (dealt[best] + 1) / speed[best])) best = r;
  return best;
}

hg_status hg_tile_map_columns(int ranks, const double *speed, int columns, hg_tile_map *map)
{
  const hg_partition_request request = {.dims = 1, .size = {1, 1, 1}, .parts = ranks, .speed = speed};
  HG_TRY(hg_partition_check(&request));
  HG_TRY(make(1, columns > 0 ? columns : 1, map));
  int dealt[ranks];
  for (int r = 0; r < ranks; r++) dealt[r] = 0;
  for (int c = 0; c < map->cols; c++) dealt[map->rank[c] = next_owner(ranks, speed, dealt)]++;
  return HG_OK;
}

hg_status hg_tile_map_pattern(const char *partition, int ranks, const double *speed, int side, hg_tile_map *map)
{
  const hg_partition_request request = {.dims = 2, .parts = ranks, .speed = speed};
  const int64_t n[3] = {side, side, 1};
  hg_box box[ranks];
  HG_TRY(hg_partition(partition, &request, n, box));
  HG_TRY(make(side, side, map));
  for (int r = 0; r < ranks; r++)
    for (int64_t i = box[r].lo[1]; i < box[r].hi[1]; i++)
      for (int64_t j = box[r].lo[0]; j < box[r].hi[0]; j++) map->rank[i * side + j] = r;
  return HG_OK;
}
