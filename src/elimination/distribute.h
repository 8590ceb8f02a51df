/* SPDX-License-Identifier: MIT */
/* Who gets which tiles of a matrix: ranks, and workers within them. Either whole block columns are dealt out one by
 * one to the owner that would finish one more first, or a repeating pattern of tiles is divided by a partitioner
 * (thesis 5.3, 6.3). Both ways shares match speeds while the active part shrinks. */
#ifndef HG_ELIMINATION_DISTRIBUTE_H
#define HG_ELIMINATION_DISTRIBUTE_H

#include "division/divide.h"
#include "elimination/tile_map.h"

/** The user's settings. */
typedef struct hg_lu_division {
  hg_division speeds; /**< per worker: tiles have homes; per rank: any worker of the rank; `partition` NULL: columns */
  int pattern;        /**< side in tiles; 0: as large as the matrix */
  int p, q;           /**< process grid by rows and columns of tiles if no speeds are given; 0: 1 x all */
} hg_lu_division;

/** The result. */
typedef struct hg_lu_distribution {
  hg_tile_map map;   /**< owning ranks */
  hg_tile_map homes; /**< owning workers of all ranks; empty if any worker of the rank may run the tasks */
  int p, q;          /**< process grid by rows and columns; 0 if the ranks form no grid */
  const char *name;  /**< "grid", "columns", or the partitioner's */
} hg_lu_distribution;

/** Distributes an n x n matrix of tiles x tiles tiles, and the right-hand sides. Collective; rank 0 reads the speed
 * tables. HG_INVALID, HG_MEMORY, and any status of reading tables. Free with hg_lu_distribution_free. */
hg_status hg_lu_distribute(const hg_session *session, const hg_lu_division *division, int64_t n, int tiles,
                           hg_lu_distribution *out);
void hg_lu_distribution_free(hg_lu_distribution *distribution);
#endif
