/* SPDX-License-Identifier: MIT */
/* Predicts the time of an elimination on described workers before it runs, in order to compare shares, tile sizes and
 * numbers of nodes.
 *
 * Tasks are simulated in the order in which they become ready. A column goes to the worker of its rank that is
 * expected to finish it first. This expectation includes 1.5 times the copies to that memory, and half of the wait for
 * busy links. The next panel and its column go before others (look-ahead). A panel goes to all ranks that still have
 * columns, and within them to the GPUs. Panels that leave a rank share its link, and copies share that of their GPU. */
#ifndef HG_ELIMINATION_PREDICT_H
#define HG_ELIMINATION_PREDICT_H

#include "platform/platform.h"
#include "elimination/tile_map.h"

/** The workers of all ranks and their interconnect. */
typedef struct hg_lu_machine {
  int workers, ranks;
  const hg_device *const *device; /**< [workers] */
  const int *rank;                /**< [workers] ascending */
  double bandwidth, latency;      /**< between ranks, bytes/s and s */
  bool single;                    /**< precision: takes half the time and bytes of the description */
} hg_lu_machine;

/** Seconds to factor an n x n matrix in tiles of nb whose columns have homes. HG_MEMORY. O(columns^2 workers of a
 * rank). */
hg_status hg_lu_time(const hg_lu_machine *machine, int64_t n, int nb, const hg_tile_map *homes, double *seconds);

/** The tile size from 96 to 1024 that takes the least time, with columns dealt out by shares, as long as all workers
 * with a considerable share get two columns. @param nb  0, or the only size to try
 * @param share  [workers] @param[out] best  the size @param[out] seconds  its time. HG_INVALID, HG_MEMORY. */
hg_status hg_lu_choose_tiles(const hg_lu_machine *machine, int64_t n, int nb, const double *share, int *best,
                             double *seconds);

/** Keeps the shares of the fastest nodes, as many as take the least time, and sets the others' to 0: where panels
 * travel slowly, fewer nodes are faster. @param share  [workers], changed. The rest as for hg_lu_choose_tiles. */
hg_status hg_lu_choose_nodes(const hg_lu_machine *machine, int64_t n, int nb, double *share, int *best,
                             double *seconds);

/** Shares that take the least time (FPMC). Starts from one of the candidates, with all nodes or only the fastest;
 * scales the shares of each kind of processor as long as the time falls. Returns the first candidate with all nodes
 * unless the gain exceeds the error of such predictions.
 * @param candidate  [candidates][workers] @param[out] share  [workers]. The rest as for hg_lu_choose_tiles. */
hg_status hg_lu_choose_shares(const hg_lu_machine *machine, int64_t n, int nb, int candidates, const double *candidate,
                              double *share, int *best, double *seconds);
#endif
