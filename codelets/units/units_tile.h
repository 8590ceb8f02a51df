/* SPDX-License-Identifier: MIT */
/* Of the padded tile of an application's stencil: which units count after some steps, which of them are images, which
 * keep their values; and how results leave the caches.
 *
 * What lies behind an insulated side is the mirror image of what lies before it, after every step. Images are copied,
 * not computed: updates need not give the mirrored result on mirrored values, and see no unit behind such a side. */
#ifndef HG_CODELETS_UNITS_UNITS_TILE_H
#define HG_CODELETS_UNITS_UNITS_TILE_H

#include "codelets/units/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Cells of a tile that are valid after some steps. */
typedef struct hg_units_range {
  int64_t lo[3], hi[3];     /**< lo <= i < hi: margins have shrunk to what is still needed, held sides stay */
  int64_t first[3], end[3]; /**< outside first <= i < end they are images: i of 2 first - 1 - i, or of 2 end - 1 - i */
} hg_units_range;

/** After `done` of `steps` steps. */
hg_units_range hg_units_valid(const hg_units_tile *tile, int done, int steps);

/** Cells outside open <= i < close are held. */
void hg_units_open(const hg_units_tile *tile, int64_t open[3], int64_t close[3]);

/** Copies to memory, not through the caches where the processor can; a fence has to follow. */
void hg_units_stream(char *to, const char *from, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
