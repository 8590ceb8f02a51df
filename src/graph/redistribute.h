/* SPDX-License-Identifier: MIT */
/* Moves values from one division of a grid to another. */
#ifndef HG_GRAPH_REDISTRIBUTE_H
#define HG_GRAPH_REDISTRIBUTE_H

#include "codelets/halo_pieces.h"
#include "runtime/session.h"
#include "placement/tiling.h"

/** A grid's values under one division. */
typedef struct hg_divided {
  const hg_tiling *tiling;
  /** Locates a box in a tile of this rank: returns the tile's first value, and the box in it. */
  char *(*locate)(void *graph, int tile, const hg_box *box, hg_halo_piece_cells *cells);
  void *graph;
} hg_divided;

/** Moves all values. The intersection of an old and a new tile is copied if both are on this rank, and otherwise sent
 * as one message per pair of tiles. Collective; all values must be in main memory, with no tasks or messages pending.
 * HG_MEMORY; with several ranks the program then ends, since the others wait for messages. */
hg_status hg_move_values(const hg_session *session, int64_t value_bytes, const hg_divided *from, const hg_divided *to);
#endif
