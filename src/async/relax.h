/* SPDX-License-Identifier: MIT */
/* Asynchronous relaxation of a stencil on a grid: for updates that converge whatever the order and age of the values
 * they read, like Jacobi's.
 *
 * A tile is a block (async/blocks.h) whose margin is one step deep and held: a task does several steps with frozen
 * ghosts, in one pass over memory like the steps of a synchronous block, then publishes its faces. Now and then the
 * change of a tile is measured in the first step after it took ghosts. The result is the frozen vector whose change by
 * one step, with the neighbours' frozen faces, is at most the tolerance. */
#ifndef HG_ASYNC_RELAX_H
#define HG_ASYNC_RELAX_H

#include "async/termination.h"
#include "graph/graph.h"

struct hg_stencil_kernel;

typedef struct hg_relax_options {
  hg_detection detection;
  bool eager;          /**< tiles whose quantity is small continue to sweep instead of resting until there is news */
  int inner;           /**< steps of a task; 0: as many as in a synchronous block */
  double tolerance;    /**< on the largest measured quantity, which is the residual */
  int64_t check_every; /**< steps of a tile between two measurements */
} hg_relax_options;

/** Statistics of the last run, over all ranks. */
typedef struct hg_relax_stats {
  int64_t fewest, most;       /**< steps of a tile */
  double mean;                /**< steps of a cell */
  int64_t snapshots;          /**< frozen vectors measured */
  double published, replaced; /**< messages; those replaced by newer ones before being read */
  int64_t staleness;          /**< most tasks in a row without news from a neighbour */
} hg_relax_stats;

/** Like hg_stencil_make; the kernel must measure a largest quantity. Its graph ends by itself (hg_graph.ended):
 * `advance` does at most that many steps of every tile and reports the mean; `measured` gives the residual of the
 * result.
 * @param options  kept by reference @param tiling  of depth 1 */
hg_status hg_relax_make(const hg_session *session, const hg_tiling *tiling, const struct hg_stencil_kernel *kernel,
                        hg_fill *source, void *arg, const hg_relax_options *options, hg_graph **out);

/** Collective; for a graph made by hg_relax_make. */
hg_relax_stats hg_relax_count(hg_graph *graph);
#endif
