/* SPDX-License-Identifier: MIT */
/* How long an elimination takes on workers that are described, before it runs: so that shares, tile sizes and the
 * number of nodes can be compared.
 *
 * One step after the other. A panel is made when its column has been updated by the panel before; it travels to all
 * ranks that still have columns, and within them to the devices. The next panel's column goes before other columns
 * (look-ahead); the others are cut into tasks that any worker of the rank takes:
 *   panel k+1 is ready  =  max(panel k there, its worker free for it) + column k+1 + panel k+1
 *   rank's workers free =  when they are done together, each from max(worker free, panel k there) on
 * Panels that leave a rank at the same time share its link.
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

/** s to factor an n x n matrix in tiles of nb whose columns have homes. O(columns workers). */
double hg_lu_time(const hg_lu_machine *machine, int64_t n, int nb, const hg_tile_map *homes);

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
