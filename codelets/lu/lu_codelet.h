/* SPDX-License-Identifier: MIT */
/* Tasks of Gaussian elimination for StarPU. Every tile is a matrix handle stored by columns. The tiles of a block
 * column that a rank owns are contiguous in memory, so that on a CPU they form one tall matrix. */
#ifndef HG_CODELETS_LU_LU_CODELET_H
#define HG_CODELETS_LU_LU_CODELET_H

#include <starpu.h>
#include <stdbool.h>

#include "codelets/lu/lu_task.h"

/** Factors a panel. Buffers: [tiles] of one block column from the diagonal down (RW), then the pivots (W): a vector of
 * int32, first the 1-based column of the first zero pivot or 0, then the row exchanged with each, counted from the top
 * of tile 0. */
extern struct starpu_codelet hg_lu_panel_codelet;

/** One step on one block column. Buffers: [tiles] RW, [panels] R, [bundles] R, then with `swap` the pivots R.
 * 1. all rows are moved at once; 2. with `solve`, tile 0 is solved for; 3. tile t -= panel t * tile 0 for t >= 1. */
extern struct starpu_codelet hg_lu_column_codelet;

/** tile t -= panel t * top, or += with `reverse`. Buffers: top R, [tiles] RW, [tiles] panels R. */
extern struct starpu_codelet hg_lu_update_codelet;

/** tile += panel i * top i, for one i after another; the panels form one matrix. Buffers: [tiles] tops R, the tile RW
 * or with `fresh` W, the panels R. */
extern struct starpu_codelet hg_lu_products_codelet;

/** Copies rows of tiles into a bundle. Buffers: [tiles] R, the bundle W; move.to is a row of the bundle. */
extern struct starpu_codelet hg_lu_pack_codelet;

/** tile += other. Buffers: tile RW, other R. */
extern struct starpu_codelet hg_lu_add_codelet;

/** Reverses a solve: tile = tile * upper triangle. Buffers: tile RW, triangle R. */
extern struct starpu_codelet hg_lu_unscale_codelet;

/** Reverses a factorisation: tile = its unit lower triangle * its upper triangle. Buffer: tile RW. */
extern struct starpu_codelet hg_lu_multiply_back_codelet;

/** Whether a task on a GPU can apply the pivots to a column of this many tiles. */
bool hg_lu_swaps_on_gpus(int64_t tiles);

/** To be called once StarPU runs, before the first task. */
void hg_lu_prepare(void);
#endif
