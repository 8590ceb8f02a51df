/* SPDX-License-Identifier: MIT */
/* Derives parts of C from shares of the work. */
#ifndef HG_MATMUL_DIVIDE_H
#define HG_MATMUL_DIVIDE_H

#include "base/box.h"
#include "runtime/session.h"
#include "matmul/problem.h"

/** Number of units by which C is divided: rows of blocks, or blocks. */
int64_t hg_matmul_units(const hg_matmul_problem *problem);

/** Number of units in a part; partial ones at the lower and right edge count as whole. */
double hg_matmul_units_of(const hg_matmul_problem *problem, const hg_box *box);

/** Parts of C: slices of units[i] rows of blocks, in the order of workers; or rectangles in proportion to the units,
 * first among the ranks, then within each rank's rectangle among its workers.
 * @param session   only ranks, all_workers and worker_rank are used
 * @param units     [all_workers] >= 0; for rows, their sum is hg_matmul_units
 * @param[out] box  [all_workers] axis 0: columns of C, 1: rows; a partition of C; empty for no units
 * @param[out] rank [ranks] a rank's rectangle, which the boxes of its workers cover
 * HG_INVALID for an unknown partitioner, HG_MEMORY. */
hg_status hg_matmul_divide(const hg_session *session, const hg_matmul_problem *problem, const int64_t *units,
                           hg_box *box, hg_box *rank);

/** Whether a rank has a panel of A (or B) initially. Slices: every rank has its rows of A, rank 0 all of B.
 * Rectangles: those crossed by a line through C at the panel's position (column k n / K for A, row k m / K for B, with
 * k the middle of the panel), so that A and B are divided like C. @param rank  [ranks] rectangles of C */
bool hg_matmul_owns_a(const hg_matmul_problem *problem, const hg_box *rank, int panel, int who);
bool hg_matmul_owns_b(const hg_matmul_problem *problem, const hg_box *rank, int panel, int who);
#endif
