/* SPDX-License-Identifier: MIT */
/* Which worker owns which tile. Tiles are identified by their data. Regions of the tile grid follow the slicing tree
 * of a partitioner, with exactly the number of tiles that balances each worker's time. Does not depend on StarPU. */
#ifndef HG_SCHEDULERS_OWNERS_H
#define HG_SCHEDULERS_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/map.h"

typedef struct hg_tile_owner {
  const void *key; /**< the tile's data; NULL: forgotten */
  int64_t at[3];
  int worker;      /**< -1: none yet */
  bool settled;    /**< it has run on the worker, so its data are there */
  int live;        /**< unfinished tasks that write it */
  int64_t written; /**< tasks that write it, submitted so far */
  int64_t last;    /**< value of `writes` when a task that writes it was last submitted */
} hg_tile_owner;

typedef struct hg_owners {
  hg_tile_owner *tile;
  int tiles, room; /**< used entries, some of which may be forgotten tiles */
  hg_map of_key;
  int free, known;     /**< first forgotten tile + 1, linked by `worker`; number of tiles not forgotten */
  int assigned;        /**< tiles that were known at the last hg_owners_assign */
  int64_t writes;      /**< submitted */
  int64_t least, most; /**< writes of a tile */
  int at_least;        /**< number of tiles written `least` times */
} hg_owners;

void hg_owners_free(hg_owners *owners);

/** Number of the tile with this key and coordinates, which is added if it is new; -1 if memory ran out. Tiles that
 * were not written for long, and that no task waits for, make room for new ones. */
int hg_owners_tile(hg_owners *owners, const void *key, int dims, const int *at);

/** A task that writes the tile has been submitted. */
void hg_owners_submitted(hg_owners *owners, int tile);

/** Extents of the box that the tiles span, along three axes, and in how many of these they differ, at least 1. */
int hg_owners_extents(const hg_owners *owners, int64_t n[3]);

/** Tiles each worker should have to make the slowest as fast as possible: minimises the largest count[w] * seconds[w].
 * @param seconds  [workers] time of one tile, > 0, infinite for a worker that cannot
 * @param least    [workers] tiles it already has and keeps */
void hg_owners_counts(int tiles, int workers, const double *seconds, const int *least, int *count);

/** Gives every tile that is not settled an owner: counts from speeds, regions from the partitioner ("nphp", "rows").
 * HG_MEMORY. */
hg_status hg_owners_assign(hg_owners *owners, const char *partitioner, int workers, const double *seconds);

/** Whether all tiles are written about equally often, as in a stencil; in a factorisation they are not. O(1). */
bool hg_owners_uniform(const hg_owners *owners);
#endif
