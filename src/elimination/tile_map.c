/* SPDX-License-Identifier: MIT */
#include "elimination/tile_map.h"

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

/* Whom columns are dealt out to, and what they have so far. */
typedef struct distribution {
  int owners, run; /* run: consecutive columns that a rank gets */
  const double *speed;
  const int *rank;  /* [owners] */
  int *dealt;       /* [owners] columns */
  double *of_rank;  /* [owners] speed of the rank with this number */
  int *dealt_ranks; /* [owners] */
} distribution;

/* The owner on this rank that would finish one more column first; ties go to the lowest number. */
static int next_owner(const distribution *d, int rank)
{
  int best = -1;
  for (int i = 0; i < d->owners; i++)
    if (d->rank[i] == rank && d->speed[i] > 0 &&
        (best < 0 || (d->dealt[i] + 1) / d->speed[i] < (d->dealt[best] + 1) / d->speed[best]))
      best = i;
  return best;
}

/* The rank that would finish this many more columns first. */
static int next_rank(const distribution *d, int columns)
{
  int best = -1;
  for (int r = 0; r < d->owners; r++)
    if (d->of_rank[r] > 0 && (best < 0 || (d->dealt_ranks[r] + columns) / d->of_rank[r] <
                                              (d->dealt_ranks[best] + columns) / d->of_rank[best]))
      best = r;
  return best;
}

/* Within a run, a panel need not wait until the previous one has been sent; all ranks get several runs. */
static int run_length(const distribution *d, int columns)
{
  enum { LONGEST = 3 };
  int ranks = 0;
  for (int r = 0; r < d->owners; r++) ranks += d->of_rank[r] > 0;
  const int run = columns / ranks - 1;
  return run < 1 ? 1 : run < LONGEST ? run : LONGEST;
}

static int distribute_column(distribution *d, int rank)
{
  const int owner = next_owner(d, rank);
  d->dealt[owner]++;
  d->dealt_ranks[rank]++;
  return owner;
}

/* Starts from the last column, so that the shares of the remaining columns, from any one on, are close to the shares
 * of the speed, and the fastest owner has the last column: nobody waits for a slow one at the end. All wait for the
 * first panel, so the fastest owner gets that, too. */
static void distribute_columns(distribution *d, int columns, int *owner)
{
  int first = 0;
  for (int c = columns - 1, run; c >= 0;) {
    const int rank = next_rank(d, d->run);
    for (run = d->run; run > 0 && c >= 0; run--) owner[c--] = distribute_column(d, rank);
  }
  const int last = columns > 0 ? owner[columns - 1] : 0;
  while (first < columns - 1 && owner[first] != last) first++;
  owner[first] = owner[0];
  owner[0] = last;
  owner[columns] = distribute_column(d, next_rank(d, 1));
}

hg_status hg_tile_map_columns(int owners, const double *speed, const int *rank, int columns, hg_tile_map *map)
{
  const hg_partition_request request = {.dims = 1, .size = {1, 1, 1}, .parts = owners, .speed = speed};
  int own[owners], dealt[owners], dealt_ranks[owners];
  double of_rank[owners];
  HG_TRY(hg_partition_check(&request));
  HG_TRY(make(1, columns + 1, map));
  for (int i = 0; i < owners; i++) own[i] = i, dealt[i] = dealt_ranks[i] = 0, of_rank[i] = 0;
  distribution d = {owners, 1, speed, rank ? rank : own, dealt, of_rank, dealt_ranks};
  for (int i = 0; i < owners; i++) of_rank[d.rank[i]] += speed[i];
  if (rank) d.run = run_length(&d, columns);
  distribute_columns(&d, columns, map->owner);
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
