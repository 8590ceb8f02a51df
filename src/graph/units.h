/* SPDX-License-Identifier: MIT */
/* Computing units with stored neighbours or zones as a graph of StarPU tasks over tiles (thesis 5.1-5.3).
 *
 * A tile's state holds the values of its own units, followed by those of other tiles' units that they depend on (the
 * ghost zone), piece by piece: a piece is what one tile gets from another. Before a step every tile packs its send
 * zone into pieces; the step's task unpacks those it gets and computes its units. Tables of positions (the index) say
 * where neighbours are.
 *
 * When neighbours change, every rank lists those of its own units again. If a ghost zone changed, the owners are sent
 * only what was added or removed; otherwise nothing is exchanged. */
#ifndef HG_GRAPH_UNITS_H
#define HG_GRAPH_UNITS_H

#include "graph/graph.h"
#include "input/dependence.h"

/** What a step computes: codelets/units/units_codelet.h. */
struct hg_units_kernel;

/** Builds the tiles of this rank; `load` or `move`, and `connect`, follow. Values of variable size cannot be moved.
 * Collective.
 * @param tiling, kernel, dependence  kept by reference
 * HG_MEMORY, HG_INVALID for a negative length. Free with hg_graph_free. */
hg_status hg_units_make(const hg_session *session, const hg_tiling *tiling, const struct hg_units_kernel *kernel,
                        const hg_dependence *dependence, hg_graph **out);
#endif
