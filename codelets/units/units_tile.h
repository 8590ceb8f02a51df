/* SPDX-License-Identifier: MIT */
/* For the padded tile of an application's stencil: which units are valid after some steps, which of them are images,
 * and which keep their values; and how results are written to memory.
 *
 * What lies beyond an insulated side is the mirror image of what lies inside, after every step. Images are copied, not
 * computed: updates need not give mirrored results for mirrored values, and see no unit beyond such a side. */
#ifndef HG_CODELETS_UNITS_UNITS_TILE_H
#define HG_CODELETS_UNITS_UNITS_TILE_H

#include "codelets/units/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Cells of a tile that are valid after some steps. */
typedef struct hg_units_range {
  int64_t lo[3], hi[3];     /**< lo <= i < hi: margins have shrunk to what is still needed, held sides remain */
  int64_t first[3], end[3]; /**< images are outside first <= i < end: of 2 first - 1 - i, or of 2 end - 1 - i */
} hg_units_range;

/** After `done` of `steps` steps. */
hg_units_range hg_units_valid(const hg_units_tile *tile, int done, int steps);

/** Cells outside open <= i < close are held. */
void hg_units_open(const hg_units_tile *tile, int64_t open[3], int64_t close[3]);

/** Copies to memory, bypassing the caches where the processor can; a fence has to follow. */
void hg_units_stream(char *to, const char *from, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
