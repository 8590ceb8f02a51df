/* SPDX-License-Identifier: MIT */
/* Independent units as a graph of StarPU tasks: the third kind, for work without any communication
 * (Monte-Carlo paths, many small transforms, blocks of a product).
 *
 * A tile of the division is a batch: one task, whose only handle is the values that it computes.
 * StarPU's workers take batches: first those of their own region, whose size follows their speed, then those of others
 * as the policy allows. Values stay where they were computed until they are visited. Nothing else is transferred, and
 * ranks do not communicate within a step.
 *
 * Alternatively all ranks share one queue: a step's units are cut into batches of decreasing size
 * (placement/guided.h), and a rank takes the next one whenever one of its workers is about to be free. The grid is
 * then 1-D. */
#ifndef HG_GRAPH_BATCH_H
#define HG_GRAPH_BATCH_H

#include "graph/graph.h"

/** What a batch computes: codelets/units/units_codelet.h, of an independent update. */
struct hg_units_kernel;

/** Registers the values of the batches of this rank; `load` or `move` follows. Collective.
 * @param tiling, kernel  kept by reference
 * @param least  0: batches are the tiles; else they come from one queue, with at least so many units each
 * HG_MEMORY; HG_INVALID for a batch whose values do not fit a handle; HG_UNSUPPORTED for a queue in virtual time. Free
 * with hg_graph_free. */
hg_status hg_batch_make(const hg_session *session, const hg_tiling *tiling, const struct hg_units_kernel *kernel,
                        int64_t least, hg_graph **out);

/** Batches of a step, of all ranks. */
int hg_batch_count(const hg_graph *graph);
#endif
