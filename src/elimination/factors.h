/* SPDX-License-Identifier: MIT */
/* Factors in files, and comparison of factors with LAPACK's. All functions are collective. */
#ifndef HG_ELIMINATION_FACTORS_H
#define HG_ELIMINATION_FACTORS_H

#include "elimination/graph.h"

/** Writes the factors in LAPACK's form: datasets `lu` (n x n, one row per row of the matrix) and `pivots` (1-based),
 * and the attribute `info` of `lu`. HG_IO. */
hg_status hg_lu_factors_write(const hg_session *session, hg_elimination *e, const char *path);

/** Checks that such a file is complete, else HG_FORMAT, and that its factors have the requested precision, else
 * HG_INVALID. */
hg_status hg_lu_factors_check(const hg_session *session, const char *path, hg_precision precision);

/** Reads such a file, after the check, in place of A. HG_FORMAT if its size differs. */
hg_status hg_lu_factors_read(const hg_session *session, hg_elimination *e, const char *path);

/** Factors the matrix with LAPACK on rank 0 and compares pivots and info. Stops at the first pivot that ties with
 * another candidate (to 1e-6, or within the rounding error of its column) or is rounding error itself: from there on,
 * both may differ and be right. *compared = number of pivots compared. HG_MISMATCH naming the first difference. */
hg_status hg_lu_verify_pivots(const hg_session *session, hg_elimination *e, const hg_lu_problem *problem,
                              int64_t *compared);
#endif
