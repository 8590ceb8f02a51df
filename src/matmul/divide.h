/* SPDX-License-Identifier: MIT */
/* From shares of the work to parts of C. */
#ifndef HG_MATMUL_DIVIDE_H
#define HG_MATMUL_DIVIDE_H

#include "base/box.h"
#include "runtime/session.h"
#include "matmul/problem.h"

/** What C is dealt out by: rows of blocks, or blocks. */
int64_t hg_matmul_units(const hg_matmul_problem *problem);

/** How many of them a part has; parts at the lower and right edge have whole ones too. */
double hg_matmul_units_of(const hg_matmul_problem *problem, const hg_box *box);

/** Parts of C: slices of units[i] rows of blocks, in the order of workers; or rectangles in the proportion of the
 * units, first among the ranks, then within each rank's rectangle among its workers.
 * @param session   of which ranks, all_workers and worker_rank count
 * @param units     [all_workers] >= 0; of rows the sum is hg_matmul_units
 * @param[out] box  [all_workers] axis 0: columns of C, 1: rows; they cover C once; empty for no units
 * @param[out] rank [ranks] a rank's rectangle, which its workers' cover
 * HG_INVALID for an unknown partitioner, HG_MEMORY. */
hg_status hg_matmul_divide(const hg_session *session, const hg_matmul_problem *problem, const int64_t *units,
                           hg_box *box, hg_box *rank);

/** Who has a panel at first. Of slices: every rank its rows of A, rank 0 all of B. Of rectangles: those that a line
 * through C at the place of the panel crosses (column k n / K for A, row k m / K for B, k the middle of the panel), so
 * that A and B are divided as C is. @param rank  [ranks] rectangles of C */
bool hg_matmul_owns_a(const hg_matmul_problem *problem, const hg_box *rank, int panel, int who);
bool hg_matmul_owns_b(const hg_matmul_problem *problem, const hg_box *rank, int panel, int who);
#endif
