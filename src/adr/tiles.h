/* SPDX-License-Identifier: MIT */
/* The parts of an adr graph: blocks with their handles, and what they exchange. Internal to adr/.
 */
#ifndef HG_ADR_TILES_H
#define HG_ADR_TILES_H

#include <starpu.h>

#include "adr/blocks.h"
#include "adr/settings.h"
#include "codelets/adr/adr_codelet.h"
#include "graph/graph.h"
#include "runtime/pinned.h"

/** A piece sent from one block to another. */
typedef struct hg_adr_exchange {
  hg_adr_patch piece;
  starpu_data_handle_t handle[2]; /**< for even and odd sweeps */
  int peer;                       /**< rank at the other end, -1 if both blocks are here */
  bool outgoing;
  int64_t tag; /**< the same number on both ranks */
} hg_adr_exchange;

/** States of a block, in the order of their memory. */
enum { HG_ADR_STATE, HG_ADR_OLD, HG_ADR_BEFORE, HG_ADR_STATES };

/** A block of this rank. */
typedef struct hg_adr_tile {
  int id;
  hg_adr_place place;
  hg_adr_info info;
  double *memory[HG_ADR_STATES], *tables;
  void *work_memory;
  size_t state_bytes, table_bytes, work_bytes;
  starpu_data_handle_t state[HG_ADR_STATES], table, work, outcome, norm[2], sums;
  hg_adr_outcome *stats; /**< [3] memory of the handles outcome, norm[0], norm[1] */
  double *dots;          /**< [2] memory of the handle sums */
  hg_adr_exchange **in, **out;
  hg_halo_piece_cells *in_cells, *out_cells;
} hg_adr_tile;

typedef struct hg_adr_graph {
  hg_graph base;
  const hg_adr_problem *problem;
  const hg_adr_settings *settings;
  const hg_adr_kernel *kernel;
  int tiles, exchanges;
  hg_adr_tile *tile;
  hg_adr_exchange *exchange;
  struct starpu_data_descr *descr; /* room for the handles of the task with the most */
  int64_t done;                    /* steps */
  int64_t exchanged;               /* sweeps since the load whose pieces were sent */
  struct hg_adr_async *async;      /* for asynchronous steps, or NULL */
  double *sums;                    /* [2 * tiles of all ranks] for a method over all blocks */
  hg_adr_stats stats;
} hg_adr_graph;

/** Makes the blocks and exchanges of this rank. HG_MEMORY, HG_INVALID. */
hg_status hg_adr_tiles_make(hg_adr_graph *graph);

/** The block of this rank with this number, or NULL. */
hg_adr_tile *hg_adr_local(const hg_adr_graph *g, int id);

/** Bytes that a block sends its neighbours in a sweep. */
double hg_adr_tile_bytes(const hg_adr_tile *t);

/** Sets all values of an acquired state to those beyond fixed sides. */
void hg_adr_fill_outside(const hg_adr_graph *g, hg_adr_tile *t, int state);

/** Most iterations of the inner solver on any block of this rank since the load or the last division. Waits for it. */
double hg_adr_most_iterations(const hg_adr_graph *g);

/** Frees whatever exists. */
void hg_adr_tiles_release(hg_adr_graph *graph);
#endif
