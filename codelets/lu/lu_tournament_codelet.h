/* SPDX-License-Identifier: MIT */
/* Tournament pivoting (Grigori, Demmel, Xiang 2008: CALU) as tasks: tiles of a panel propose rows, proposals meet in
 * pairs, and the rows that win the last match are the pivots. The pairing depends only on the tiles.
 *
 * A proposal is a matrix of `cols` rows and cols + 1 columns: original rows of the panel, and their numbers counted
 * from the top of the panel; -1 where there is no row. */
#ifndef HG_CODELETS_LU_LU_TOURNAMENT_CODELET_H
#define HG_CODELETS_LU_LU_TOURNAMENT_CODELET_H

#include <starpu.h>
#include <stdbool.h>

#include "codelets/failure.h"

/** Argument of these tasks. */
typedef struct hg_lu_match {
  bool is_float;
  bool tile; /**< the single input is a tile of the panel, not a proposal */
  int row;   /**< number of its first row */
  int inputs;
  int rows;            /**< of the panel, from the diagonal down */
  hg_failure *failure; /**< of the run */
} hg_lu_match;

/** Buffers: [inputs] R (a tile, or two proposals), a proposal W: the rows that partial pivoting chooses among all. */
extern struct starpu_codelet hg_lu_choose_codelet;

/** Buffers: [inputs] R, the winners' factors W (cols x cols: their L below their U), the pivots W as in
 * hg_lu_panel_codelet. */
extern struct starpu_codelet hg_lu_decide_codelet;

/** tile = tile * (upper triangle)^-1. Buffers: tile RW, triangle R. */
extern struct starpu_codelet hg_lu_scale_codelet;
#endif
