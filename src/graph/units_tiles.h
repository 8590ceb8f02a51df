/* SPDX-License-Identifier: MIT */
/* The parts of a graph of units with stored neighbours. Internal to graph/. */
#ifndef HG_GRAPH_UNITS_TILES_H
#define HG_GRAPH_UNITS_TILES_H

#include <starpu.h>

#include "codelets/units/units_codelet.h"
#include "graph/graph.h"
#include "runtime/session.h"
#include "input/dependence.h"
#include "placement/tiling.h"

/** A unit of another tile. Ghosts are ordered by tile, then by identifier. */
typedef struct hg_ghost {
  int tile;
  int64_t id;
} hg_ghost;

/** A piece that a tile gets. */
typedef struct hg_halo_piece_in {
  int from, peer; /**< providing tile; its rank, -1: this one */
  int64_t bytes;
  starpu_data_handle_t handle[2]; /**< for even and odd steps; the sender's if it is on this rank */
} hg_halo_piece_in;

/** A piece that a tile provides. */
typedef struct hg_halo_piece_out {
  int to, peer;
  int64_t count, *id; /**< ascending */
  starpu_data_handle_t handle[2];
} hg_halo_piece_out;

/** A tile of this rank. */
typedef struct hg_unit_tile {
  int id;
  hg_box core;
  void *memory[2];
  size_t bytes; /**< of each state */
  starpu_data_handle_t state[2], index, sends, measured;
  void *index_memory, *sends_memory;
  hg_quantity_stats result;
  int64_t *own_offset; /**< [own units + 1] elements before each own value, or NULL */
  int64_t ghosts;
  hg_ghost *ghost;
  int ins, outs;
  hg_halo_piece_in *in;
  hg_halo_piece_out *out;
  bool on_rank_border, out_changed;
  hg_stored_tile info;
} hg_unit_tile;

typedef struct hg_unit_graph {
  hg_graph base;
  const hg_units_kernel *kernel;
  const hg_dependence *dependence;
  int tiles;
  hg_unit_tile *tile;
  struct starpu_data_descr *descr; /* room for the handles of the largest task */
  int64_t step;                    /* steps submitted since the load */
  double bytes_per_step;
} hg_unit_graph;

/** Copies the values of `from`. Collective; nothing else may be under way. */
hg_status hg_unit_copy_values(hg_unit_graph *from, hg_unit_graph *to);

/** Builds the tiles of this rank. HG_MEMORY, HG_INVALID. */
hg_status hg_unit_build(hg_unit_graph *graph);

/** Frees what there is. */
void hg_unit_release(hg_unit_graph *graph);

/** The unit with that identifier, in the form that functions of applications get. */
hg_cell hg_unit_cell(const hg_unit_graph *graph, int64_t id, int64_t step);

/** The tile of this rank with that number, or NULL. */
hg_unit_tile *hg_unit_local(const hg_unit_graph *graph, int id);

/** Number of the tile that a unit lies in. */
int hg_unit_tile_of(const hg_unit_graph *graph, int64_t id);

/** Position of a unit among its tile's own. */
int64_t hg_unit_position(const hg_unit_graph *graph, const hg_unit_tile *tile, int64_t id);

/** Elements of a unit's value. */
int64_t hg_unit_length(const hg_unit_graph *graph, int64_t id);

/** Tables of a tile under construction. */
typedef struct hg_unit_index {
  int64_t *start;  /* [own + 1], or NULL */
  int32_t *member; /* [members] */
  hg_ghost *ghost; /* [ghosts] */
  int64_t members, ghosts;
  int64_t *wish, wishes; /* identifiers as the application named them, until the tables are made */
  int zones;
  hg_zone_box zone[HG_ZONES_MAX];
} hg_unit_index;

/** Asks the application which units a tile's units depend on. HG_INVALID, HG_MEMORY. */
hg_status hg_unit_index_ask(const hg_unit_graph *graph, const hg_unit_tile *tile, int64_t step, hg_unit_index *out);

/** Makes the tables of all tiles, index[graph->tiles], from what was named, on all cores. This takes several times
 * longer than asking, and calls no function of the application. HG_INVALID, HG_MEMORY. */
hg_status hg_unit_indices_make(const hg_unit_graph *graph, hg_unit_index *index);
void hg_unit_index_free(hg_unit_index *index);

/** Whether the ghost zones are the same. */
bool hg_unit_same_ghosts(const hg_unit_tile *tile, const hg_unit_index *index);

/** Takes over new tables: registers them and the incoming pieces, and grows the states. Earlier tasks must be done. */
hg_status hg_unit_take_index(hg_unit_graph *graph, hg_unit_tile *tile, hg_unit_index *index);

/** Tells owners which units were added to or removed from ghost zones: index[graph->tiles] compared with those in use.
 * Updates the pieces that tiles of this rank provide. Collective. */
hg_status hg_unit_tell_owners(hg_unit_graph *graph, const hg_unit_index *index);

/** Registers changed outgoing pieces again, and links those between tiles of this rank. */
hg_status hg_unit_link(hg_unit_graph *graph);
#endif
