/* SPDX-License-Identifier: MIT */
/* A linear system to be solved, and facts about its factorisation. */
#ifndef HG_ELIMINATION_PROBLEM_H
#define HG_ELIMINATION_PROBLEM_H

#include <stdint.h>

#include "input/matrix.h"
#include "input/problem.h"
#include "elimination/tile_map.h"

typedef enum hg_pivoting {
  HG_PIVOT_DYNAMIC,   /**< partial pivoting, tasks derived from the pivots at run time */
  HG_PIVOT_STATIC,    /**< partial pivoting, all tasks submitted beforehand: every tile of a column takes part */
  HG_PIVOT_NONE,      /**< the diagonal, without exchanges */
  HG_PIVOT_TOURNAMENT /**< rows that win matches between pairs of tiles (CALU), tasks derived from the pivots at run
                       * time */
} hg_pivoting;

/** A X = B. */
typedef struct hg_lu_problem {
  const hg_matrix *a, *b; /**< n x n; n x nrhs or NULL to factor only */
  hg_precision precision;
  int nb; /**< rows and columns of a tile, >= 1 */
  hg_pivoting pivoting;
  const hg_tile_map *map;   /**< owning ranks */
  const hg_tile_map *homes; /**< owning workers of all ranks, consistent with `map`; NULL: any worker of the rank */
} hg_lu_problem;

/** Facts about a factorisation. The same on all ranks. */
typedef struct hg_lu_metadata {
  int64_t info;                      /**< 1-based column of the first pivot that is exactly zero, or 0 */
  int64_t swaps;                     /**< rows that were moved, over all steps */
  int64_t tiles_touched;             /**< tiles that exchanged rows, over all steps and columns */
  double norm_1, norm_inf, norm_max; /**< of A as loaded */
  double b_norm_inf;                 /**< of B as loaded */
} hg_lu_metadata;
#endif
