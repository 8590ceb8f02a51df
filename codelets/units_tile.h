/* SPDX-License-Identifier: MIT */
/* Of the padded tile of an application's stencil: which units count after some steps, which keep their values; and how
 * results leave the caches. */
#ifndef HG_CODELETS_UNITS_TILE_H
#define HG_CODELETS_UNITS_TILE_H

#include "codelets/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Cells lo <= i < hi of the tile that are valid after `done` of `steps` steps: margins have shrunk to what is still
 * needed, held sides stay. */
void hg_units_valid(const hg_units_tile *tile, int done, int steps, int64_t lo[3], int64_t hi[3]);

/** Cells outside open <= i < close are held. */
void hg_units_open(const hg_units_tile *tile, int64_t open[3], int64_t close[3]);

/** Copies to memory, not through the caches where the processor can; a fence has to follow. */
void hg_units_stream(char *to, const char *from, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
