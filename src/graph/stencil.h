/* SPDX-License-Identifier: MIT */
/* A stencil on a grid as a graph of StarPU tasks over tiles.
 *
 * A tile has two states, before and after a block of k steps, which are swapped every block. One task advances one
 * tile by one block: it fills the margin of the state before from its neighbours' pieces, advances, and writes the
 * pieces of the state after. Pieces too are double-buffered, so a tile may be one block ahead of its neighbours. Each
 * piece is a handle: only pieces move between workers, and between ranks (StarPU-MPI). A rank submits the tasks of its
 * own tiles and the transfers of its own pieces, with a bounded number in flight. */
#ifndef HG_GRAPH_STENCIL_H
#define HG_GRAPH_STENCIL_H

#include "graph/graph.h"

/** What a step computes: codelets/units/stencil_codelet.h. */
struct hg_stencil_kernel;

/** Builds the tiles of this rank and their handles; `load` or `move` follows. Collective.
 * @param tiling, kernel  kept by reference
 * @param source  provides the source term of a kernel that has one, else NULL
 * HG_MEMORY if the tiles do not fit, and what `source` returns. Free with hg_graph_free. */
hg_status hg_stencil_make(const hg_session *session, const hg_tiling *tiling, const struct hg_stencil_kernel *kernel,
                          hg_fill *source, void *arg, hg_graph **out);
#endif
