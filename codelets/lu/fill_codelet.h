/* SPDX-License-Identifier: MIT */
/* Tasks that load tiles of a matrix and measure them. CPU only: matrices come from files and formulas. */
#ifndef HG_CODELETS_LU_FILL_CODELET_H
#define HG_CODELETS_LU_FILL_CODELET_H

#include <starpu.h>
#include <stdbool.h>

#include "codelets/failure.h"
#include "input/matrix.h"

/** Argument of a task. */
typedef struct hg_fill_task {
  const hg_matrix *matrix;
  int64_t row, col; /**< of the tile's first value in the matrix */
  bool is_float;
  double *row_sums;    /**< [rows] sums of absolute values, written; each of the three pointers may be NULL */
  double *col_sums;    /**< [cols] */
  double *largest;     /**< absolute value */
  hg_failure *failure; /**< of the run */
} hg_fill_task;

/** Buffer: a matrix tile, W. */
extern struct starpu_codelet hg_fill_codelet;
#endif
