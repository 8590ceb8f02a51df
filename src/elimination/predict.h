/* SPDX-License-Identifier: MIT */
/* How long an elimination takes on workers that are described, before it runs: so that shares, tile sizes and the
 * number of nodes can be compared.
 *
 * Task after task, in the order in which they become ready. A column goes to the worker of its rank that is expected to
 * end it first, its copies to that memory included, one and a half times; of what busy links make it wait half is
 * expected. The next panel and its column go before others (look-ahead). A panel goes to all ranks that still have
 * columns, and within them to the GPUs. Panels that leave a rank share its link, copies those of their GPU.
 */
#ifndef HG_ELIMINATION_PREDICT_H
#define HG_ELIMINATION_PREDICT_H

#include "platform/platform.h"
#include "elimination/tile_map.h"

/** The workers of all ranks and what connects them. */
typedef struct hg_lu_machine {
  int workers, ranks;
  const hg_device *const *device; /**< [workers] */
  const int *rank;                /**< [workers] ascending */
  double bandwidth, latency;      /**< between ranks, bytes/s and s */
  bool single;                    /**< precision: half the time and bytes of the description */
} hg_lu_machine;

/** s to factor an n x n matrix in tiles of nb whose columns have homes. HG_MEMORY. O(columns^2 workers of a rank). */
hg_status hg_lu_time(const hg_lu_machine *machine, int64_t n, int nb, const hg_tile_map *homes, double *seconds);

/** The tile size that takes least time, of 96 to 1024 as long as all who count get two columns, with columns dealt out
 * by shares. @param nb  0, or the only one
 * @param share  [workers] @param[out] best  its size @param[out] seconds  its time. HG_INVALID, HG_MEMORY. */
hg_status hg_lu_choose_tiles(const hg_lu_machine *machine, int64_t n, int nb, const double *share, int *best,
                             double *seconds);

/** Keeps the shares of the fastest nodes, as many as take least time, and takes them from the others: where panels
 * travel slowly, fewer nodes are faster. @param share  [workers], changed. The rest as hg_lu_choose_tiles. */
hg_status hg_lu_choose_nodes(const hg_lu_machine *machine, int64_t n, int nb, double *share, int *best,
                             double *seconds);

/** Shares that take least time (FPMC): from one of the candidates, with all nodes or with the fastest of them, those of
 * each kind of processor are scaled as long as the time falls. The first candidate with all nodes, unless they gain
 * more than such times are off.
 * @param candidate  [candidates][workers] @param[out] share  [workers]. The rest as hg_lu_choose_tiles. */
hg_status hg_lu_choose_shares(const hg_lu_machine *machine, int64_t n, int nb, int candidates, const double *candidate,
                              double *share, int *best, double *seconds);
#endif
