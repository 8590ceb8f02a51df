/* SPDX-License-Identifier: MIT */
/* The parts of a stencil graph: tiles, their handles, and the exchanges between them. Internal to graph/ and async/. */
#ifndef HG_GRAPH_STENCIL_TILES_H
#define HG_GRAPH_STENCIL_TILES_H

#include <starpu.h>

#include "codelets/units/stencil_codelet.h"
#include "graph/graph.h"
#include "runtime/pinned.h"
#include "runtime/session.h"
#include "runtime/task_data.h"
#include "placement/tiling.h"

/** Exchange of a piece between two tiles. */
typedef struct hg_exchange {
  hg_halo_piece piece;
  starpu_data_handle_t handle[2]; /**< for even and odd blocks */
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
  bool far[2]; /**< in even and odd blocks: its GPU needs the memory before the tile's next task */
  hg_exchange **in, **out;
  hg_halo_piece_cells *in_cells, *out_cells;
  hg_tile_info info; /**< arguments of its tasks */
} hg_stencil_tile;

typedef struct hg_stencil {
  hg_graph base;
  const hg_stencil_kernel *kernel;
  int tiles, exchanges;
  hg_stencil_tile *tile;
  hg_exchange *exchange;
  hg_pinned memory[2];             /**< the states of all tiles */
  struct starpu_data_descr *descr; /* room for the handles of the largest task */
  int64_t block, steps;            /* blocks, steps submitted since the load */
  double bytes_per_block;
  bool crowded;       /**< a GPU lacks room for all states of its tiles */
  size_t least_bytes; /**< least size of a tile's state on a GPU */
  hg_failure failure; /**< of its tasks */
} hg_stencil;

/** Makes all tiles and exchanges of this rank, without memory for the states; reads the source term if the kernel has
 * one. */
hg_status hg_stencil_build(hg_stencil *st, hg_fill *source, void *arg);

/** Allocates memory for the states, unless they have some. HG_MEMORY. */
hg_status hg_stencil_open_states(hg_stencil *st);

/** Moves the present state of another division to this one's first state, also between ranks, and takes over the
 * memory of the other's states. Collective; nothing else may be pending. HG_MEMORY: the other stays as it was. */
hg_status hg_stencil_take_states(hg_stencil *from, hg_stencil *to);

/** Frees all that was made. */
void hg_stencil_release(hg_stencil *st);

/** Fills a tile with the source term, including margins. */
hg_status hg_tile_load_source(hg_stencil *st, hg_stencil_tile *t, hg_fill *source, void *arg);
/** Fills the core of a tile. */
hg_status hg_tile_load(hg_stencil *st, hg_stencil_tile *t, hg_fill *init, void *arg);

/** Checks that so many states fit in memory, with all other data. HG_MEMORY. */
hg_status hg_stencil_check_memory(const hg_stencil *st, int states);

/** Bytes of a state of all tiles. */
size_t hg_stencil_bytes(const hg_stencil *st);

/** Makes memory[parity] large enough for a state of all tiles. HG_MEMORY. */
hg_status hg_stencil_hold(hg_stencil *st, int parity);

/** Register a state of all tiles in memory[parity], and unregister it. */
void hg_stencil_register(hg_stencil *st, int parity);
void hg_stencil_unregister(hg_stencil *st, int parity);

/** The tile of this rank with that number, or NULL. */
hg_stencil_tile *hg_local_tile(const hg_stencil *st, int id);

/** Submits a task of a tile, with the buffers of its codelet. HG_MEMORY, HG_NO_WORKER, HG_RUNTIME.
 * @param measure  whether an advance measures */
hg_status hg_tile_submit(const hg_stencil *st, struct starpu_codelet *codelet, const hg_stencil_tile *t,
                         const hg_task_data *d, int steps, bool measure);

/** Location of a box of the extended grid in the padded tile. */
hg_halo_piece_cells hg_tile_cells(const hg_stencil_tile *t, const hg_box *box);

/** The core of a tile in one of its states. */
hg_tile_view hg_tile_view_of(const hg_stencil *st, const hg_stencil_tile *t, uintptr_t state);

/** Lends the core of a tile in two of its states. */
hg_status hg_tile_lend_both(const hg_stencil *st, const hg_stencil_tile *t, starpu_data_handle_t before,
                            starpu_data_handle_t after, hg_change_sink *take, void *arg);

/** Location of the core in the padded tile. */
hg_halo_piece_cells hg_tile_core_cells(const hg_stencil_tile *t);
#endif
