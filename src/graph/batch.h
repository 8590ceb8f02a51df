/* SPDX-License-Identifier: MIT */
/* Independent units as a graph of StarPU tasks: the third kind, for work without any communication
 * (Monte-Carlo paths, many small transforms, blocks of a product).
 *
 * A tile of the division is a batch: one task, whose only handle is the values that it computes.
 * The process is the master, StarPU's workers take batches: those of their own region first, whose
 * size is their speed's worth, and then those of others as the policy allows. Values stay where
 * they were computed until they are visited; nothing else travels, and ranks never talk to each
 * other within a step. */
#ifndef HG_GRAPH_BATCH_H
#define HG_GRAPH_BATCH_H

#include "graph/graph.h"

/** What a batch computes: codelets/units_codelet.h, of an independent update. */
struct hg_units_kernel;

/** Registers the values of the batches of this rank; `load` or `move` follows. Collective.
 * @param tiling, kernel  kept by reference
 * HG_MEMORY; HG_INVALID for a batch whose values do not fit a handle. Free with hg_graph_free. */
hg_status hg_batch_make(const hg_session *session, const hg_tiling *tiling,
                        const struct hg_units_kernel *kernel, hg_graph **out);
#endif
