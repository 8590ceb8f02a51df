/* SPDX-License-Identifier: MIT */
/* Factors in files, and factors compared with LAPACK's. All functions are collective. */
#ifndef HG_ELIMINATION_FACTORS_H
#define HG_ELIMINATION_FACTORS_H

#include "elimination/graph.h"

/** Writes the factors as LAPACK has them: datasets `lu` (n x n, a row of the matrix a row) and `pivots` (1-based), with
 * the attribute `info` of `lu`. HG_IO. */
hg_status hg_lu_factors_write(const hg_session *session, hg_elimination *e, const char *path);

/** Whether such a file is whole, HG_FORMAT, and its factors are as precise as asked for, HG_INVALID. */
hg_status hg_lu_factors_check(const hg_session *session, const char *path, hg_precision precision);

/** Reads such a file, which was checked, in the place of A. HG_FORMAT if it is of another size. */
hg_status hg_lu_factors_read(const hg_session *session, hg_elimination *e, const char *path);

/** Factors the matrix with LAPACK on rank 0 and compares pivots and info, up to the first pivot that is not the only
 * one of its size (to 1e-6, or to what rounding left in its column) or is rounding itself, after which both are right.
 * *compared = pivots that were. HG_MISMATCH naming the first difference. */
hg_status hg_lu_verify_pivots(const hg_session *session, hg_elimination *e, const hg_lu_problem *problem,
                              int64_t *compared);
#endif
