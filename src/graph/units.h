/* SPDX-License-Identifier: MIT */
/* Computing units with stored neighbours or zones as a graph of StarPU tasks over tiles (thesis 5.1-5.3).
 *
 * A tile's state holds the values of its own units and, behind them, those of the units of other tiles that its own
 * depend on (its ghost zone), piece by piece: a piece is what one tile gets from another. Before a step every tile
 * packs its send zone into pieces; the step's task unpacks those it gets and computes its units. Tables of positions
 * (the index) say where neighbours are.
 *
 * When neighbours change, every rank lists those of its own units anew. Where a ghost zone differs from before, the
 * ranks that own what was added or removed are told just that; where nothing does, nothing is exchanged. */
#ifndef HG_GRAPH_UNITS_H
#define HG_GRAPH_UNITS_H

#include <stddef.h>

#include "graph/common.h"
#include "graph/session.h"
#include "input/dependence.h"
#include "placement/tiling.h"

typedef struct hg_unit_graph hg_unit_graph;

/** What a step computes: codelets/units_codelet.h. */
struct hg_units_kernel;

/** Builds the tiles of this rank; hg_units_load and hg_units_connect follow. Collective.
 * @param tiling, kernel, dependence  kept by reference
 * HG_MEMORY, HG_INVALID for a negative length. Free with hg_units_free. */
hg_status hg_units_make(const hg_session *session, const hg_tiling *tiling, const struct hg_units_kernel *kernel,
                        const hg_dependence *dependence, hg_unit_graph **out);

/** Loads the values: `init` fills those of a tile, one after the other, x fastest. Collective.
 * @param first  number of the step that follows */
hg_status hg_units_load(hg_unit_graph *graph, int64_t first, hg_fill *init, void *arg);

/** Takes values and step over from another graph of the same kernel and session that is divided otherwise, instead of
 * hg_units_load; values must not be of variable size. hg_units_connect follows. Collective. HG_MEMORY (with several
 * ranks the program ends). */
hg_status hg_units_move(hg_unit_graph *from, hg_unit_graph *to);

/** Asks for the neighbours or zones of all units of this rank as of `step`, and brings exchanges up to date.
 * Collective. HG_INVALID naming unit and step. */
hg_status hg_units_connect(hg_unit_graph *graph, int64_t step);

/** So far, on this rank. */
hg_connections hg_units_connections(const hg_unit_graph *graph);

/** Submits one step. @param measure  it, for hg_units_measured */
hg_status hg_units_step(hg_unit_graph *graph, bool measure);

/** Waits until all steps are done. Collective. */
void hg_units_wait(hg_unit_graph *graph);

/** What the step measured, tile by tile; as hg_stencil_measured. */
void hg_units_measured(hg_unit_graph *graph, void (*take)(void *arg, const void *result), void *arg);

/** Calls `take` with the values of each tile of this rank. */
hg_status hg_units_visit(hg_unit_graph *graph, hg_tile_sink *take, void *arg);

/** Lends the value of a unit of this rank and its size in bytes to `use`, which may change it. The steps must be done.
 */
void hg_units_use(hg_unit_graph *graph, int64_t id, void (*use)(void *arg, void *value, size_t bytes), void *arg);

/** Bytes of the pieces between regions of all steps so far, on this rank. */
double hg_units_exchanged(const hg_unit_graph *graph);

/** As hg_stencil_times and hg_stencil_reset_times. */
void hg_units_times(hg_unit_graph *graph, hg_worker_times *times);
void hg_units_reset_times(hg_unit_graph *graph);

void hg_units_free(hg_unit_graph *graph);
#endif
