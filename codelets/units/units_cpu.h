/* SPDX-License-Identifier: MIT */
/* Applications' updates on the tiles of a stencil, on a CPU. */
#ifndef HG_CODELETS_UNITS_UNITS_CPU_H
#define HG_CODELETS_UNITS_UNITS_CPU_H

#include "codelets/units/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of scratch memory for blocks of `steps` steps. */
size_t hg_units_workspace(const hg_units_tile *tile, int steps);

/** after's core = before advanced by `steps` >= 1 steps, the first of which has number `first`; bitwise the same
 * however the steps are grouped into blocks. Layers of the slowest axis stream through the steps, so that memory is
 * read and written only once for a block of k steps; the last 2 r + 1 layers of each intermediate step are kept in
 * `work` (64-byte aligned). */
void hg_units_advance(const hg_units_tile *tile, int64_t first, int steps, const void *before, void *after, void *work);

/** Calls `take` with the quantities of each row of the core. */
void hg_units_measure(const hg_units_tile *tile, const hg_quantity *quantity, int64_t step, const void *before,
                      const void *after, void (*take)(void *arg, const double *values, int64_t count), void *arg);

#ifdef __cplusplus
}
#endif
#endif
