/* SPDX-License-Identifier: MIT */
/* Applications' updates on tiles with stored neighbours, on a CPU. */
#ifndef HG_CODELETS_UNITS_STORED_H
#define HG_CODELETS_UNITS_STORED_H

#include "codelets/units/units.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hg_units_kernel;

/** A tile with stored neighbours. Its state holds its own values, then those of other tiles, piece after piece. */
typedef struct hg_stored_tile {
  const struct hg_units_kernel *kernel; /**< of its tasks */
  const hg_update *update;
  const hg_quantity *quantity;           /**< or NULL */
  hg_units units;                        /**< n, lo, own, zones; the pointers are set from the index by each task */
  int64_t own_count, elements;           /**< own units, and elements of their values */
  int64_t start_at, ghost_at, member_at; /**< bytes into the index where the tables of hg_units begin, start_at: or -1.
                                              Offsets come first */
  bool has_offsets;
  int in_count, out_count;
  int64_t *in_bytes;  /**< [in_count] of each piece */
  int64_t *out_first; /**< [out_count + 1] first position of each piece in the list of what is sent */
} hg_stored_tile;

/** Argument of a task on such a tile. */
typedef struct hg_stored_step {
  const hg_stored_tile *tile;
  int64_t step;
  unsigned char parameters[] __attribute__((aligned(16)));
} hg_stored_step;

/** What units of the tile may read, with the tables of the index (NULL: their own values alone). */
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

#ifdef __cplusplus
}
#endif
#endif
