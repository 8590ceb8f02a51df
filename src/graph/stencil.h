/* SPDX-License-Identifier: MIT */
/* A stencil on a grid as a graph of StarPU tasks over tiles.
 *
 * A tile has two states, before and after a block of k steps, that change places every block. One task advances one
 * tile by one block: it fills the margin of the state before from the pieces of its neighbours, advances, and writes
 * the pieces of the state after. Pieces too are double-buffered, so a tile may be one block ahead of its neighbours.
 * A piece is a handle of its own: it is all that moves between workers, and between ranks (StarPU-MPI). A rank submits
 * the tasks of its own tiles and the transfers of its own pieces, with a bounded number in flight. */
#ifndef HG_GRAPH_STENCIL_H
#define HG_GRAPH_STENCIL_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/common.h"
#include "graph/session.h"
#include "placement/tiling.h"

typedef struct hg_stencil hg_stencil;

/** What a step computes: codelets/stencil_codelet.h. */
struct hg_stencil_kernel;

/** Builds the tiles of this rank and their handles; hg_stencil_load or hg_stencil_move follows. Collective.
 * @param tiling, kernel  kept by reference
 * @param source  gives the source term of a kernel that has one, else NULL
 * HG_MEMORY if the tiles do not fit, and what `source` returns. Free with hg_stencil_free. */
hg_status hg_stencil_make(const hg_session *session, const hg_tiling *tiling, const struct hg_stencil_kernel *kernel,
                          hg_fill *source, void *arg, hg_stencil **out);

/** Takes the state over from another stencil of the same kernel and session that is divided otherwise. Collective.
 * What was exchanged so far is counted on. Cost: every cell is copied once; what changes rank travels. HG_MEMORY (with
 * several ranks the program ends). */
hg_status hg_stencil_move(hg_stencil *from, hg_stencil *to);

/** Loads a state, as often as wanted. Collective. What `init` returns.
 * @param first  number of the step that follows */
hg_status hg_stencil_load(hg_stencil *stencil, int64_t first, hg_fill *init, void *arg);

/** Advances by `steps` >= 0 steps and waits until that is done. Collective.
 * @param measure  the last step, for hg_stencil_measured
 * @param report  called from the submitting thread with the number of steps submitted so far, or NULL */
hg_status hg_stencil_advance(hg_stencil *stencil, int64_t steps, bool measure, void (*report)(void *arg, int64_t done),
                             void *arg);

/** What the kernel measured in the last step, tile by tile of this rank, in ascending order. */
void hg_stencil_measured(hg_stencil *stencil, void (*take)(void *arg, const void *result), void *arg);

/** Calls `take` with the core of each tile of this rank. */
hg_status hg_stencil_visit(hg_stencil *stencil, hg_tile_sink *take, void *arg);

/** Lends the value of a cell of this rank to `use`, which may change it; hg_stencil_changed on all ranks follows. The
 * steps must be done. */
void hg_stencil_use(hg_stencil *stencil, const int64_t at[3], void (*use)(void *arg, void *value, size_t bytes),
                    void *arg);
hg_status hg_stencil_changed(hg_stencil *stencil);

/** Bytes written to pieces between different workers' regions so far, on this rank. */
double hg_stencil_exchanged(const hg_stencil *stencil);

/** Bytes that the partition makes this rank send to another, in the blocks since the state was loaded. */
double hg_stencil_sent(const hg_stencil *stencil, int peer);

/** Times of this rank's workers since the last call of hg_stencil_reset_times; times[session->workers]. */
void hg_stencil_times(hg_stencil *stencil, hg_worker_times *times);
void hg_stencil_reset_times(hg_stencil *stencil);

void hg_stencil_free(hg_stencil *stencil);
#endif
