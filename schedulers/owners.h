/* SPDX-License-Identifier: MIT */
/* Which worker owns which tile. Tiles are known by their coordinates; regions of the tile grid grow along the slicing
 * tree of a partitioner, with exactly as many tiles for each worker as balance its time. No runtime in here. */
#ifndef HG_SCHEDULERS_OWNERS_H
#define HG_SCHEDULERS_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef struct hg_tile_owner {
  int64_t at[3];
  int worker;        /**< -1: nobody yet */
  bool settled;      /**< it has run there, so its data lie there */
  int64_t submitted; /**< tasks that write it */
} hg_tile_owner;

/** How tiles are shared out. */
typedef enum hg_owner_rule {
  HG_OWNERS_REGIONS, /**< counts by speed, regions by nphp (thesis 3.4, 4.3) */
  HG_OWNERS_ROWS,    /**< counts by speed, in the order of rows */
  HG_OWNERS_EVEN     /**< equal counts, regions by nphp */
} hg_owner_rule;

typedef struct hg_owners {
  hg_owner_rule rule;
  hg_tile_owner *tile;
  int tiles, room;
  int *slot; /**< hash table of tile numbers + 1 */
  int slots;
  int assigned; /**< tiles that were known at the last hg_owners_assign */
} hg_owners;

void hg_owners_free(hg_owners *owners);

/** Number of the tile at these coordinates, entered if it is new; -1 if memory ran out. */
int hg_owners_tile(hg_owners *owners, int dims, const int *at);

/** Number of the tile beside tile `i` along an axis, in the direction of `step` = -1 or 1; -1 if there is none. */
int hg_owners_beside(const hg_owners *owners, int i, int axis, int step);

/** Tiles each worker should have so that the slowest is as fast as possible: count[w] * seconds[w] smallest at most.
 * @param seconds  [workers] time of one tile, > 0, infinite for a worker that cannot
 * @param least    [workers] tiles it has already and keeps */
void hg_owners_counts(int tiles, int workers, const double *seconds, const int *least, int *count);

/** Gives every tile that is not settled an owner. HG_MEMORY. */
hg_status hg_owners_assign(hg_owners *owners, int workers, const double *seconds);

/** Whether all tiles are written about equally often, as in a stencil; in a factorisation they are not. */
bool hg_owners_uniform(const hg_owners *owners);
#endif
