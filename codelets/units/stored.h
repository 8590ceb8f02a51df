/* SPDX-License-Identifier: MIT */
/* Applications' updates on tiles with stored neighbours, on a CPU. */
#ifndef HG_CODELETS_UNITS_STORED_H
#define HG_CODELETS_UNITS_STORED_H

#include "codelets/units/units.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hg_units_kernel;

/** A tile with stored neighbours. Its state holds its own values, followed by those received from other tiles, by
 * piece. */
typedef struct hg_stored_tile {
  const struct hg_units_kernel *kernel; /**< used by its tasks */
  const hg_update *update;
  const hg_quantity *quantity;           /**< or NULL */
  hg_units units;                        /**< n, lo, own, zones; each task sets the pointers from the index */
  int64_t own_count, elements;           /**< own units, and number of elements of their values */
  int64_t start_at, ghost_at, member_at; /**< byte offsets of hg_units' tables in the index, after the element offsets;
                                          * start_at may be -1 */
  bool has_offsets;
  int in_count, out_count;
  int64_t *in_bytes;  /**< [in_count] of each piece */
  int64_t *out_first; /**< [out_count + 1] position of each piece's first unit in the list of units sent */
} hg_stored_tile;

/** Argument of a task on such a tile. */
typedef struct hg_stored_step {
  const hg_stored_tile *tile;
  int64_t step;
  unsigned char parameters[] __attribute__((aligned(16)));
} hg_stored_step;

/** What units of the tile may read, with the tables of the index (NULL: only their own values). */
hg_units hg_stored_units(const hg_stored_tile *tile, const void *state, const void *index);

/** Copies received pieces behind the tile's own values. */
void hg_stored_unpack(const hg_stored_tile *tile, const void *const *pieces, void *state);

/** Computes all units of the tile. */
void hg_stored_advance(const hg_stored_tile *tile, const hg_units *units, void *after);

/** Collects the values to send. @param positions  of the units sent, by piece */
void hg_stored_pack(const hg_stored_tile *tile, const void *state, const void *index, const int32_t *positions,
                    void *const *pieces);

/** Calls `take` with the quantities of all units. */
void hg_stored_measure(const hg_stored_tile *tile, const hg_units *units, const void *after,
                       void (*take)(void *arg, const double *values, int64_t count), void *arg);

#ifdef __cplusplus
}
#endif
#endif
