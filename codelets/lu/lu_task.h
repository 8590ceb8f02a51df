/* SPDX-License-Identifier: MIT */
/* What a task of Gaussian elimination is told, on CPUs and CUDA devices. */
#ifndef HG_CODELETS_LU_LU_TASK_H
#define HG_CODELETS_LU_LU_TASK_H

#include <stdbool.h>
#include <stdint.h>

/** Tiles and exchanges of a column task with `swap` that CUDA devices take: the tiles' addresses are arguments of a
 * kernel, the rows of a column are held in a block's registers. */
enum { HG_LU_SWAP_TILES = 160, HG_LU_SWAP_ROWS = 4096 };

/** Row `from` of tile `source` goes to row `to` of tile `target`. Tiles are numbers of buffers; a source beyond the
 * tiles is a bundle of rows that came from another rank. */
typedef struct hg_lu_move {
  int32_t target, to, source, from;
} hg_lu_move;

/** Argument of every task. */
typedef struct hg_lu_task {
  bool is_float;
  bool urgent;    /**< others wait for it: on a device it goes before what runs there */
  bool unpivoted; /**< panel: without exchanges */
  bool swap;      /**< column: apply the pivots in the last buffer, counted from the top of tile 0 */
  bool solve;     /**< column: tile 0 = (triangle of panel tile 0)^-1 tile 0 */
  bool upper;     /**< ... the upper one; otherwise the unit lower one */
  bool reverse;   /**< column: everything backwards: add the product, multiply by the triangle, move rows */
  bool fresh;     /**< products: what the tile held counts as 0 */
  int tiles;      /**< column, panel, pack, update: buffers that are tiles; products: that are tops */
  int beside;     /**< column: so many more block columns, of as many tiles, follow the first (on CPUs) */
  int panels;     /**< column: buffers after them, of the panel: one per tile of a column, or none */
  int bundles;    /**< column: buffers after them, of rows from other ranks */
  int moves;
  struct hg_failure *failure; /**< of the run */
  hg_lu_move move[];          /**< [moves] */
} hg_lu_task;
#endif
