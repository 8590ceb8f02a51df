/* SPDX-License-Identifier: MIT */
/* Who gets which tiles of a matrix: ranks, and workers within them. Whole block columns are dealt out one by one to
 * whoever would be done with one more first, or a repeating pattern of tiles is divided by a partitioner (thesis 5.3,
 * 6.3), so that shares follow speeds as long as the active part shrinks. */
#ifndef HG_ELIMINATION_DISTRIBUTE_H
#define HG_ELIMINATION_DISTRIBUTE_H

#include "division/divide.h"
#include "elimination/tile_map.h"

/** What a user says about it. */
typedef struct hg_lu_division {
  hg_division speeds; /**< per worker: tiles have homes; per rank: any worker of the rank; `partition` NULL: columns */
  int pattern;        /**< side in tiles; 0: as large as the matrix */
  int p, q;           /**< ranks by rows and columns of tiles where nothing is said of speeds; 0: 1 x all */
} hg_lu_division;

/** What comes of it. */
typedef struct hg_lu_distribution {
  hg_tile_map map;   /**< ranks */
  hg_tile_map homes; /**< workers of all ranks; empty where any of the rank will do */
  int p, q;          /**< ranks by rows and columns; 0 where they are no grid */
  const char *name;  /**< "grid", "columns", or the partitioner's */
} hg_lu_distribution;

/** Deals out the tiles of an n x n matrix, tiles x tiles of them, and the right-hand sides. Collective; speed tables
 * are read by rank 0. HG_INVALID, HG_MEMORY, and what reading tables may return. Free with hg_lu_distribution_free. */
hg_status hg_lu_distribute(const hg_session *session, const hg_lu_division *division, int64_t n, int tiles,
                           hg_lu_distribution *out);
void hg_lu_distribution_free(hg_lu_distribution *distribution);
#endif
