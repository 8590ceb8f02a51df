/* SPDX-License-Identifier: MIT */
/* The parts of a stencil graph: tiles, their handles, and the exchanges between them. Internal to graph/. */
#ifndef HG_GRAPH_STENCIL_TILES_H
#define HG_GRAPH_STENCIL_TILES_H

#include <starpu.h>

#include "codelets/stencil_codelet.h"
#include "graph/graph.h"
#include "graph/session.h"
#include "placement/tiling.h"

/** A piece on its way from one tile to another. */
typedef struct hg_exchange {
  hg_piece piece;
  starpu_data_handle_t handle[2]; /**< one for even, one for odd blocks */
  int peer;                       /**< rank at the other end, -1 if both tiles are here */
  bool outgoing;                  /**< with a peer: sent, not received */
  int64_t tag;                    /**< the same number on both ranks */
} hg_exchange;

/** A tile of this rank. */
typedef struct hg_stencil_tile {
  int id;
  hg_box core, padded;
  void *memory[2], *source_memory;
  starpu_data_handle_t state[2], source, measured;
  void *result; /**< written by the task that measures */
  bool on_rank_border;
  hg_exchange **in, **out;
  hg_piece_cells *in_cells, *out_cells;
  hg_tile_info info; /**< what its tasks read */
} hg_stencil_tile;

typedef struct hg_stencil {
  hg_graph base;
  const hg_stencil_kernel *kernel;
  int tiles, exchanges;
  hg_stencil_tile *tile;
  hg_exchange *exchange;
  struct starpu_data_descr *descr; /* room for the handles of the largest task */
  int64_t block, steps;            /* blocks, steps submitted since the load */
  double bytes_per_block;
  hg_failure failure; /**< of its tasks */
} hg_stencil;

/** Makes all tiles and exchanges of this rank; the source term is asked for if the kernel has one. */
hg_status hg_stencil_build(hg_stencil *st, hg_fill *source, void *arg);

/** Frees what there is. */
void hg_stencil_release(hg_stencil *st);

/** Fills the core of a tile. */
hg_status hg_tile_load(hg_stencil *st, hg_stencil_tile *t, hg_fill *init, void *arg);

/** Copies the cores of all tiles, between ranks too. Collective; nothing else may be under way. */
hg_status hg_stencil_copy_cores(hg_stencil *from, hg_stencil *to);

/** The tile of this rank with that number, or NULL. */
hg_stencil_tile *hg_local_tile(const hg_stencil *st, int id);

/** Where a box of the extended grid lies in the padded tile. */
hg_piece_cells hg_tile_cells(const hg_stencil_tile *t, const hg_box *box);

/** Where the core lies in the padded tile. */
hg_piece_cells hg_tile_core_cells(const hg_stencil_tile *t);
#endif
