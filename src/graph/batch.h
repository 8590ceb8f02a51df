/* SPDX-License-Identifier: MIT */
/* Independent units as a graph of StarPU tasks: the third kind, for work without any communication
 * (Monte-Carlo paths, many small transforms, blocks of a product).
 *
 * A tile of the division is a batch: one task, whose only handle is the values that it computes.
 * The process is the master, StarPU's workers take batches: those of their own region first, whose
 * size is their speed's worth, and then those of others as the policy allows. Values stay where
 * they were computed until they are visited; nothing else travels, and ranks never talk to each
 * other within a step.
 *
 * Or there is one queue for all ranks: a step's units are cut into batches that become smaller and
 * smaller (placement/guided.h), and a rank takes the next one whenever one of its workers is about
 * to be free. The units are those of a line then. */
#ifndef HG_GRAPH_BATCH_H
#define HG_GRAPH_BATCH_H

#include "graph/graph.h"

/** What a batch computes: codelets/units/units_codelet.h, of an independent update. */
struct hg_units_kernel;

/** Registers the values of the batches of this rank; `load` or `move` follows. Collective.
 * @param tiling, kernel  kept by reference
 * @param least  0: batches are the tiles; else they come from one queue, of at least so many units
 * HG_MEMORY; HG_INVALID for a batch whose values do not fit a handle; HG_UNSUPPORTED for a queue in virtual time. Free
 * with hg_graph_free. */
hg_status hg_batch_make(const hg_session *session, const hg_tiling *tiling, const struct hg_units_kernel *kernel,
                        int64_t least, hg_graph **out);

/** Batches of a step, of all ranks. */
int hg_batch_count(const hg_graph *graph);
#endif
