/* SPDX-License-Identifier: MIT */
/* Applications' updates on tiles with stored neighbours, on a CPU. */
#ifndef HG_CODELETS_STORED_H
#define HG_CODELETS_STORED_H

#include "codelets/units_codelet.h"

/** What units of the tile may read, with the tables of the index. */
hg_units hg_stored_units(const hg_stored_tile *tile, const void *state, const void *index);

/** Puts received pieces behind the tile's own values. */
void hg_stored_unpack(const hg_stored_tile *tile, const void *const *pieces, void *state);

/** Computes all units of the tile. */
void hg_stored_advance(const hg_stored_tile *tile, const hg_units *units, void *after);

/** Collects what is sent. @param positions  of the units sent, piece after piece */
void hg_stored_pack(const hg_stored_tile *tile, const void *state, const void *index, const int32_t *positions,
                    void *const *pieces);

/** Calls `take` with the quantity of all units. */
void hg_stored_measure(const hg_stored_tile *tile, const hg_units *units, const void *after,
                       void (*take)(void *arg, const double *values, int64_t count), void *arg);
#endif
