/* SPDX-License-Identifier: MIT */
/* Arguments of the tasks of Gaussian elimination, on CPUs and CUDA devices. */
#ifndef HG_CODELETS_LU_LU_TASK_H
#define HG_CODELETS_LU_LU_TASK_H

#include <stdbool.h>
#include <stdint.h>

/** Limits for a column task with `swap` on CUDA devices: the tiles' addresses are arguments of a kernel, and a block
 * holds the rows of a column in registers. */
enum { HG_LU_SWAP_TILES = 160, HG_LU_SWAP_ROWS = 4096 };

/** Row `from` of tile `source` goes to row `to` of tile `target`. Tiles are buffer numbers; a source beyond the tiles
 * is a bundle of rows from another rank. */
typedef struct hg_lu_move {
  int32_t target, to, source, from;
} hg_lu_move;

/** Argument of every task. */
typedef struct hg_lu_task {
  bool is_float;
  bool urgent;    /**< others wait for it: on a device it runs before other work */
  bool unpivoted; /**< panel: without exchanges */
  bool swap;      /**< column: apply the pivots in the last buffer, counted from the top of tile 0 */
  bool solve;     /**< column: tile 0 = (triangle of panel tile 0)^-1 tile 0 */
  bool upper;     /**< ... the upper triangle; otherwise the unit lower one */
  bool reverse;   /**< column: the reverse operations: add the product, multiply by the triangle, move rows */
  bool fresh;     /**< products: the tile's previous contents count as 0 */
  int tiles;      /**< column, panel, pack, update: number of tile buffers; products: number of tops */
  int beside;     /**< column: this many more block columns, with as many tiles each, follow the first (on CPUs) */
  int panels;     /**< column: panel buffers that follow, one per tile of a column, or none */
  int bundles;    /**< column: bundle buffers that follow, with rows from other ranks */
  int moves;
  struct hg_failure *failure; /**< of the run */
  hg_lu_move move[];          /**< [moves] */
} hg_lu_task;
#endif
