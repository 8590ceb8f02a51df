/* SPDX-License-Identifier: MIT */
/* Derives the powers of a machine's parts from their total power. */
#ifndef HG_ENERGY_NNLS_H
#define HG_ENERGY_NNLS_H

#include "base/status.h"

enum { HG_LEVELS_MAX = 8 };

/** Non-negative x[unknowns] that minimise the sum of (a x - b)^2; exact, by trying all sets of positive ones and
 * skipping those with linearly dependent columns.
 * @param a  [rows][unknowns] @param b  [rows] @param unknowns  1..HG_LEVELS_MAX
 * @param[out] worst  largest |a x - b| / b of the rows with b > 0, or NULL. HG_INVALID for a bad
 * count */
hg_status hg_non_negative_least_squares(int rows, int unknowns, const double *a, const double *b, double *x,
                                        double *worst);
#endif
