/* SPDX-License-Identifier: MIT */
/* A matrix that lies on the ranks in slabs, and how it gets from one division to another: other shares of the same
 * axis, or slabs of the other axis, which is the transposition of a Fourier transform over several ranks. Each rank
 * sends every other one the block that the two have in common, one other rank at a time; no rank has the whole.
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

/** A division of a matrix, and where this rank's slab is. */
typedef struct hg_slabs {
  int axis;             /**< that is divided: 0 rows, 1 columns; a slab has all of the other */
  const int64_t *count; /**< [ranks] rows or columns of each, the lower ranks' first; their sum is the extent */
  void *base;           /**< this rank's slab, row by row; unused where it is empty */
  int64_t stride;       /**< bytes from row to row there */
} hg_slabs;

/** Moves n[0] x n[1] items of `bytes` each, >= 1. The slabs do not overlap in memory; another two blocks are needed.
 * Collective; 2 messages a pair of ranks at most. HG_INVALID unless each block is smaller than 2^31 times the largest
 * power of two (up to 1 MiB) that divides `bytes`; HG_MEMORY; on all ranks alike. */
hg_status hg_slabs_move(const hg_session *session, const int64_t n[2], int64_t bytes, const hg_slabs *from,
                        const hg_slabs *to);
#endif
