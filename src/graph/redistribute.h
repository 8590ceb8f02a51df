/* SPDX-License-Identifier: MIT */
/* From one division of a grid to another. */
#ifndef HG_GRAPH_REDISTRIBUTE_H
#define HG_GRAPH_REDISTRIBUTE_H

#include "codelets/halo_pieces.h"
#include "runtime/session.h"
#include "placement/tiling.h"

/** A grid's values under one division. */
typedef struct hg_divided {
  const hg_tiling *tiling;
  /** Where a box of a tile of this rank lies: first value of the tile, and the box in it. */
  char *(*locate)(void *graph, int tile, const hg_box *box, hg_halo_piece_cells *cells);
  void *graph;
} hg_divided;

/** Copies all values. What old and new tiles have in common is copied, on this rank directly, between ranks as one
 * message per pair of tiles. Collective; all values are in main memory, and nothing else is under way. HG_MEMORY: with
 * several ranks the program ends, since the others wait for messages. */
hg_status hg_move_values(const hg_session *session, int64_t value_bytes, const hg_divided *from, const hg_divided *to);
#endif
