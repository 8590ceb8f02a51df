/* SPDX-License-Identifier: MIT */
#include "elimination/tile_map.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "partition/partition.h"

static hg_status make(int rows, int cols, hg_tile_map *map)
{
  *map = (hg_tile_map){.rows = rows, .cols = cols, .owner = calloc((size_t)rows * (size_t)cols, sizeof *map->owner)};
  return map->owner ? HG_OK : hg_fail(HG_MEMORY, "no memory for a pattern of %d x %d tiles", rows, cols);
}

void hg_tile_map_free(hg_tile_map *map)
{
  free(map->owner);
  map->owner = NULL;
}

hg_status hg_tile_map_grid(int p, int q, hg_tile_map *map)
{
  HG_TRY(make(p, q, map));
  for (int i = 0; i < p * q; i++) map->owner[i] = i;
  return HG_OK;
}

/* Who would finish one more column first; ties go to the lowest number. */
static int next_owner(int owners, const double *speed, const int *dealt)
{
  int best = -1;
  for (int r = 0; r < owners; r++)
    if (speed[r] > 0 && (best < 0 || (dealt[r] + 1) / speed[r] < (dealt[best] + 1) / speed[best])) best = r;
  return best;
}

/* From the last column on, so that the shares of what is still worked on, the columns from any one on, are near those
 * of the speed, and the fastest has the last: nobody waits for the slow at the end. Everybody waits for the first
 * panel, which the fastest makes, too. */
hg_status hg_tile_map_columns(int owners, const double *speed, int columns, hg_tile_map *map)
{
  const hg_partition_request request = {.dims = 1, .size = {1, 1, 1}, .parts = owners, .speed = speed};
  HG_TRY(hg_partition_check(&request));
  HG_TRY(make(1, columns + 1, map));
  int dealt[owners], first = 0;
  for (int r = 0; r < owners; r++) dealt[r] = 0;
  for (int c = columns - 1; c >= 0; c--) dealt[map->owner[c] = next_owner(owners, speed, dealt)]++;
  const int last = columns > 0 ? map->owner[columns - 1] : 0;
  while (first < columns - 1 && map->owner[first] != last) first++;
  map->owner[first] = map->owner[0];
  map->owner[0] = last;
  map->owner[columns] = next_owner(owners, speed, dealt);
  return HG_OK;
}

hg_status hg_tile_map_pattern(const char *partition, int owners, const double *speed, int side, hg_tile_map *map)
{
  const hg_partition_request request = {.dims = 2, .parts = owners, .speed = speed};
  const int64_t n[3] = {side, side, 1};
  hg_box box[owners];
  HG_TRY(hg_partition(partition, &request, n, box));
  HG_TRY(make(side, side, map));
  for (int r = 0; r < owners; r++)
    for (int64_t i = box[r].lo[1]; i < box[r].hi[1]; i++)
      for (int64_t j = box[r].lo[0]; j < box[r].hi[0]; j++) map->owner[i * side + j] = r;
  return HG_OK;
}

hg_status hg_tile_map_of_ranks(const hg_tile_map *map, const int *rank, hg_tile_map *out)
{
  HG_TRY(make(map->rows, map->cols, out));
  for (int i = 0; i < map->rows * map->cols; i++) out->owner[i] = rank[map->owner[i]];
  return HG_OK;
}
