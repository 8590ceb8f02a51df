/* SPDX-License-Identifier: MIT */
/* Applications' updates on tiles in lane layout: the fast path of codelets/units/units_cpu.h for several steps.
 *
 * A row of P units is stored as vectors; lane l of vector j is unit l * vectors + j (dimension-lifted transposition:
 * Henretty et al., CC 2011). The neighbours along x of all units of a vector are then whole vectors too, so that an
 * update reads no vector that crosses a cache line. Rows are converted to this order when they enter and back when
 * they leave, once for all steps of a block.
 *
 * Layers (rows, in 3-D planes) enter a window in waves, and all steps advance by a wave before the next one enters.
 * Row y after a step replaces row y - radius before the step, which is not used again (in 3-D, that of the plane as
 * far back). Planes are cut into strips of rows, which lean forward by the radius with each step. The last strip is
 * computed first, so that no row is computed twice: the rows that a strip reads beyond its end were left by that
 * strip.
 *
 * Whole rows are computed, including units that a step may not or need not compute. Their results are not used, but
 * the update sees them at the positions and with the values of other units. If it still records a fault, the result is
 * discarded, and the tile has to be advanced unit by unit. */
#ifndef HG_CODELETS_UNITS_UNITS_LANES_H
#define HG_CODELETS_UNITS_UNITS_LANES_H

#include "codelets/units/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether blocks of this many steps of a tile can use lane layout. */
bool hg_lanes_suit(const hg_units_tile *tile, int steps);

/** Largest number of units in a row, margins included, for which the window stays in the L2 cache (2-D), or the rows
 * that are computed together stay in the L1 cache. */
int64_t hg_lanes_widest(const hg_units_tile *tile, int steps);

/** Bytes of scratch memory. */
size_t hg_lanes_workspace(const hg_units_tile *tile, int steps);

/** Like hg_units_advance, for a suitable tile. @return false: the update recorded a fault, `after` is incomplete */
bool hg_lanes_advance(const hg_units_tile *tile, int64_t first, int steps, const void *before, void *after, void *work);

#ifdef __cplusplus
}
#endif
#endif
