/* SPDX-License-Identifier: MIT */
/* A matrix distributed over the ranks in slabs, and its redistribution: to other shares along the same axis, or to
 * slabs along the other axis, which is the transposition of a Fourier transform over several ranks. Each rank sends
 * every other one the block that the two have in common, to one rank at a time; no rank ever holds the whole.
 *
 *   rows on 2 ranks    columns on 2 ranks    what rank 0 sends rank 1
 *   a b c              a b | c               c
 *   ------      ->     d e | f
 *   d e f                                                                    (and d e comes from rank 1) */
#ifndef HG_DIVISIBLE_SLABS_H
#define HG_DIVISIBLE_SLABS_H

#include <stdint.h>

#include "base/status.h"
#include "runtime/session.h"

/** A division of a matrix, and this rank's slab. */
typedef struct hg_slabs {
  int axis;             /**< the divided axis: 0 rows, 1 columns; a slab spans the other one */
  const int64_t *count; /**< [ranks] rows or columns of each rank, in the order of ranks; their sum is the extent */
  void *base;           /**< this rank's slab, row by row; unused if empty */
  int64_t stride;       /**< bytes between its rows */
} hg_slabs;

/** Moves n[0] x n[1] items of `bytes` >= 1 each. The slabs must not overlap in memory; temporary memory for two more
 * blocks is needed. Collective; at most 2 messages per pair of ranks. HG_INVALID unless each block is smaller than
 * 2^31 times the largest power of two (up to 1 MiB) that divides `bytes`; HG_MEMORY; the same on all ranks. */
hg_status hg_slabs_move(const hg_session *session, const int64_t n[2], int64_t bytes, const hg_slabs *from,
                        const hg_slabs *to);
#endif
