/* SPDX-License-Identifier: MIT */
/* Applications' updates on tiles in lanes: the fast way of codelets/units/units_cpu.h where several steps follow.
 *
 * A row of P units is kept as vectors; lane l of vector j is unit l * vectors + j (dimension-lifted transposition:
 * Henretty et al., CC 2011). The neighbours of all units of a vector along x are then whole vectors too, so that an
 * update reads no vector that lies across two cache lines. Rows are brought into this order when they enter and back
 * when they leave, once for all steps of a block.
 *
 * Layers (rows, in 3-D planes) enter a window in waves, and all steps advance by a wave before the next one enters. Row
 * y after a step stands in the place of row y - radius before it, whose last use that was (in 3-D also of the plane
 * that is as far back). Planes are cut into strips of rows that lean forward by the radius with each step, and the last
 * strip goes first, so that none computes what another one does: the rows that a strip reads beyond it are what that
 * left.
 *
 * Whole rows are computed, with units that a step may not or need not compute: what comes of them is not used, but the
 * update sees them at places and with values as others have. If it notes a fault all the same, nothing counts, and the
 * tile has to be advanced unit by unit. */
#ifndef HG_CODELETS_UNITS_UNITS_LANES_H
#define HG_CODELETS_UNITS_UNITS_LANES_H

#include "codelets/units/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether blocks of so many steps of a tile go in lanes. */
bool hg_lanes_suit(const hg_units_tile *tile, int steps);

/** Most units of a row, its margins included: in 2-D the window stays in the L2 cache, else the rows that are computed
 * at once in the L1 cache. */
int64_t hg_lanes_widest(const hg_units_tile *tile, int steps);

/** Bytes of scratch memory. */
size_t hg_lanes_workspace(const hg_units_tile *tile, int steps);

/** As hg_units_advance, of a tile that suits. @return false: the update noted a fault, `after` is not complete */
bool hg_lanes_advance(const hg_units_tile *tile, int64_t first, int steps, const void *before, void *after, void *work);

#ifdef __cplusplus
}
#endif
#endif
