/* SPDX-License-Identifier: MIT */
/* Monte-Carlo sums as the update of a job: every unit is a piece, that is a chunk of the paths of a portfolio's row,
 * and its value the sums over it. Pieces are independent of each other. */
#ifndef HG_CODELETS_PRICING_PRICING_UPDATE_H
#define HG_CODELETS_PRICING_PRICING_UPDATE_H

#include "codelets/pricing/pricing.h"
#include "codelets/units/units.h"

/** The job's parameters. Unit i of step s is piece first + s * per_step + i: row piece / chunks, chunk piece % chunks.
 * Pieces beyond the last row are 0. */
typedef struct hg_pricing_portfolio {
  const hg_paths *row; /**< [rows] in memory that CPUs and devices can read */
  int64_t rows, chunks, per_step;
  int64_t first; /**< first piece of the first step */
  bool is_float; /**< paths are computed in single precision */
} hg_pricing_portfolio;

/** The update of a one-dimensional grid. @param work  fixings of all paths of an average piece */
hg_update hg_pricing_update(const hg_pricing_kernel *kernel, double work);
#endif
