/* SPDX-License-Identifier: MIT */
/* What a tiling exchanges, counted without listing its pieces. */
#ifndef HG_PLACEMENT_HALO_H
#define HG_PLACEMENT_HALO_H

#include "placement/tiling.h"

/** What a region receives before each block of steps. */
typedef struct hg_halo {
  int64_t cells; /**< into the margins of its tiles, from other regions and their images, with
                    corners */
  int messages;  /**< regions that it receives from */
} hg_halo;

/** Counts the exchange of a tiling: the cells are those that a run counts for blocks of the
 * tiling's depth; what tiles of a region copy from each other is not counted.
 * @param[out] halo  [tiling->regions]
 * HG_MEMORY. Cost: that of hg_near_pairs for the tiles and regions. */
hg_status hg_tiling_halos(const hg_tiling *tiling, hg_halo *halo);
#endif
