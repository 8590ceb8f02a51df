/* SPDX-License-Identifier: MIT */
/* Tasks that load tiles of a matrix and measure them. CPU only: matrices come from files and formulas. */
#ifndef HG_ELIMINATION_FILL_H
#define HG_ELIMINATION_FILL_H

#include <starpu.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/status.h"
#include "elimination/matrix.h"

/** The first failure of the tasks that share it. */
typedef struct hg_fill_status {
  pthread_mutex_t lock;
  hg_status status;
  char text[1024];
} hg_fill_status;

/** Argument of a task. */
typedef struct hg_fill_task {
  const hg_matrix *matrix;
  int64_t row, col; /**< of the tile's first value */
  bool is_float;
  double *row_sums; /**< [rows] sums of absolute values, written */
  double *col_sums; /**< [cols] */
  double *largest;  /**< absolute value */
  hg_fill_status *status;
} hg_fill_task;

/** Buffer: a matrix tile, W. */
extern struct starpu_codelet hg_fill_codelet;
#endif
