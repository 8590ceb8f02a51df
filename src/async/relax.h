/* SPDX-License-Identifier: MIT */
/* A stencil on a grid, relaxed asynchronously: for updates that converge whatever the order and age of what they read,
 * like Jacobi's.
 *
 * A tile is a block (async/blocks.h) whose margin is one step deep and held: a task does several steps with frozen
 * ghosts, in one pass over memory like the steps of a synchronous block, then publishes its faces. The change of a
 * tile's step is measured in the first one after the ghosts were taken, now and then; the result is the frozen vector
 * whose change by a step, with the neighbours' frozen faces, is at most the tolerance. */
#ifndef HG_ASYNC_RELAX_H
#define HG_ASYNC_RELAX_H

#include "async/termination.h"
#include "graph/graph.h"

struct hg_stencil_kernel;

typedef struct hg_relax_options {
  hg_detection detection;
  bool eager;          /**< tiles whose quantity is small sweep on rather than rest until there is news */
  int inner;           /**< steps of a task; 0: as many as a synchronous block would have */
  double tolerance;    /**< of the largest measured quantity, which is the residual */
  int64_t check_every; /**< steps of a tile between two looks at it */
} hg_relax_options;

/** Of the last run, over all ranks. */
typedef struct hg_relax_stats {
  int64_t fewest, most;       /**< steps of a tile */
  double mean;                /**< of a cell */
  int64_t snapshots;          /**< frozen vectors that were measured */
  double published, replaced; /**< messages; by newer ones before anyone had read them */
  int64_t staleness;          /**< tasks in a row without news from a neighbour, at most */
} hg_relax_stats;

/** As hg_stencil_make; the kernel must measure a largest quantity. Its graph ends by itself (hg_graph.ended): `advance`
 * does up to that many steps of every tile and tells its report the mean, `measured` gives the residual of the result.
 * @param options  kept by reference @param tiling  of depth 1 */
hg_status hg_relax_make(const hg_session *session, const hg_tiling *tiling, const struct hg_stencil_kernel *kernel,
                        hg_fill *source, void *arg, const hg_relax_options *options, hg_graph **out);

/** Collective; of a graph made by hg_relax_make. */
hg_relax_stats hg_relax_count(hg_graph *graph);
#endif
