/* SPDX-License-Identifier: MIT */
/* Which worker owns which tile. Tiles are known by their coordinates; regions of the tile grid grow along the slicing
 * tree of a partitioner, with exactly as many tiles for each worker as balance its time. No runtime in here. */
#ifndef HG_SCHEDULERS_OWNERS_H
#define HG_SCHEDULERS_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "schedulers/table.h"

typedef struct hg_tile_owner {
  const void *key; /**< whose data it is; NULL: forgotten */
  int64_t at[3];
  int plane;         /**< tiles of several grids may have the same coordinates: which of them */
  int worker;        /**< -1: nobody yet */
  int64_t owner_tag; /**< owner as the program has set it; 0: it has not */
  bool settled;      /**< it has run there, so its data lie there */
  int live;          /**< tasks that write it and are not done */
  int64_t written;   /**< tasks that write it, submitted so far */
  int64_t last;      /**< writes of any tile when it was last submitted */
  double seconds;    /**< of the last task submitted, on the fastest worker */
} hg_tile_owner;

typedef struct hg_owners {
  hg_tile_owner *tile;
  int tiles, room; /**< some of them may be forgotten */
  int *slot;       /**< hash table of tile numbers + 1, by coordinates and plane */
  int slots;
  hg_table of_key;
  int free, known;     /**< first forgotten tile + 1, linked by `worker`; tiles that are not */
  int assigned;        /**< tiles that were known at the last hg_owners_assign */
  int64_t writes;      /**< submitted */
  int64_t least, most; /**< writes of a tile */
  int at_least;        /**< tiles written `least` times */
} hg_owners;

void hg_owners_free(hg_owners *owners);

/** Number of the tile with this key and coordinates, entered if it is new; -1 if memory ran out. Tiles that nobody has
 * written for long, and on which no task waits, make room for new ones. */
int hg_owners_tile(hg_owners *owners, const void *key, int dims, const int *at);

/** Another handle of a tile whose owner the program has set: a tile that is kept twice, for the states before and after
 * a step, has one owner. @param said  owner set for the handle @return the number, or -1 if there is no such tile */
int hg_owners_twin(hg_owners *owners, const void *key, int dims, const int *at, int64_t said);

/** Number of the tile with this key, or -1. */
int hg_owners_find(const hg_owners *owners, const void *key);

/** A task that writes the tile has been submitted. */
void hg_owners_submitted(hg_owners *owners, int tile);

/** Extents of the box that the tiles span, along three axes, and in how many of these they differ, at least 1. */
int hg_owners_extents(const hg_owners *owners, int64_t n[3]);

/** Number of the tile beside tile `i` along an axis, in the direction of `step` = -1 or 1; -1 if there is none. */
int hg_owners_beside(const hg_owners *owners, int i, int axis, int step);

/** Tiles each worker should have so that the slowest is as fast as possible: count[w] * seconds[w] smallest at most.
 * @param seconds  [workers] time of one tile, > 0, infinite for a worker that cannot
 * @param least    [workers] tiles it has already and keeps */
void hg_owners_counts(int tiles, int workers, const double *seconds, const int *least, int *count);

/** Gives every tile that is not settled an owner: counts by speed, regions by the partitioner ("nphp", "rows").
 * HG_MEMORY. */
hg_status hg_owners_assign(hg_owners *owners, const char *partitioner, int workers, const double *seconds);

/** Whether all tiles are written about equally often, as in a stencil; in a factorisation they are not. O(1). */
bool hg_owners_uniform(const hg_owners *owners);
#endif
