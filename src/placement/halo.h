/* SPDX-License-Identifier: MIT */
/* Counts what a tiling exchanges, without listing its pieces. */
#ifndef HG_PLACEMENT_HALO_H
#define HG_PLACEMENT_HALO_H

#include "placement/tiling.h"

/** What a region receives before each block of steps. */
typedef struct hg_halo {
  int64_t cells; /**< cells for the margins of its tiles, with corners, from other regions and their images */
  int messages;  /**< number of regions that it receives from */
} hg_halo;

/** Counts the exchange of a tiling: the cells are those that a run counts for blocks of the tiling's depth; copies
 * between tiles of a region do not count.
 * @param[out] halo  [tiling->regions]
 * HG_MEMORY. Cost: that of hg_near_pairs for the tiles and regions. */
hg_status hg_tiling_halos(const hg_tiling *tiling, hg_halo *halo);
#endif
