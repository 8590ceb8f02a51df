/* SPDX-License-Identifier: MIT */
/* Powers of a machine's parts from what all of them draw together. */
#ifndef HG_ENERGY_NNLS_H
#define HG_ENERGY_NNLS_H

#include "base/status.h"

enum { HG_LEVELS_MAX = 8 };

/** Non-negative x[unknowns] for which the sum of (a x - b)^2 is least; exact, by trying all sets of
 * positive ones, of which those with linearly dependent columns are passed over.
 * @param a  [rows][unknowns] @param b  [rows] @param unknowns  1..HG_LEVELS_MAX
 * @param[out] worst  largest |a x - b| / b of the rows with b > 0, or NULL. HG_INVALID for a bad
 * count */
hg_status hg_non_negative_least_squares(int rows, int unknowns, const double *a, const double *b, double *x,
                                        double *worst);
#endif
