/* SPDX-License-Identifier: MIT */
/* Makes overlapping blocks from regions: restricted multisplitting.
 *
 * A block solves on its region widened by `overlap` planes where others adjoin, but keeps only its own part. The
 * widened box has ghosts one plane deep, so `overlap` + 1 planes come from neighbours, as pieces. Along an axis that a
 * region spans, the block itself wraps around or ends at the sides; what lies beyond a periodic end is an image,
 * shifted by the size of the grid.
 *
 *   region A      region B        A solves on its own planes and the first 2 of B (overlap 2),
 *   aaaaaaaa|bb b|bbbbbbb         and gets 3 of B before each sweep.
 *
 * Source: Frommer, Szyld, "Weighted max norms, splittings, and overlapping additive Schwarz iterations" (1999). */
#ifndef HG_ADR_BLOCKS_H
#define HG_ADR_BLOCKS_H

#include "adr/problem.h"
#include "base/box.h"
#include "codelets/halo_pieces.h"
#include "placement/tiling.h"

/** Part of a block's margin that a region provides. */
typedef struct hg_adr_patch {
  int from, to;     /**< tiles */
  int index;        /**< number of the piece among those of `to` */
  hg_box box;       /**< nodes around `to`; may lie outside along periodic axes */
  int64_t shift[3]; /**< node e of `box` is node e - shift of the grid */
} hg_adr_patch;

/** Where a block's unknowns are. */
typedef struct hg_adr_place {
  hg_box core, unknowns; /**< its own ones; all of them */
} hg_adr_place;

/** Returns HG_INVALID if margins would be wider than the grid along an axis that is divided. */
hg_status hg_adr_check_overlap(const hg_tiling *tiling, int overlap);

/** Makes the block of a tile, and finds where it is. */
void hg_adr_block_make(const hg_adr_problem *problem, const hg_tiling *tiling, int tile, int overlap,
                       hg_adr_place *place, hg_adr_block *block);

/** Lists the pieces that a tile's block receives. @param[out] list  malloc'ed. Cost: number of regions. HG_MEMORY */
hg_status hg_adr_pieces(const hg_adr_problem *problem, const hg_tiling *tiling, int tile, int overlap,
                        hg_adr_patch **list, int *count);

/** Where a box of nodes is in a field of a block. */
hg_halo_piece_cells hg_adr_cells(const hg_adr_block *block, const hg_adr_place *place, const hg_box *box);
#endif
