/* SPDX-License-Identifier: MIT */
/* Whether sweeps must converge, whatever the division: the Jacobian is an H-matrix if there are
 * weights w > 0 with sum_j!=i |J_ij| w_j < |J_ii| w_i for all rows i (Frommer, Szyld, "On
 * asynchronous iterations", 2000). */
#ifndef HG_ADR_CERTIFICATE_H
#define HG_ADR_CERTIFICATE_H

#include "adr/settings.h"

/** Looks for such weights at the initial values, from w = 1 by at most 50 times w = |D^-1 B| w.
 * Returns the smallest ratio found, largest over the rows, < 1: sweeps converge; NaN without
 * memory. Cost: 50 sweeps of the grid at most. */
double hg_adr_certificate(const hg_adr_problem *problem, const hg_adr_settings *settings);
#endif
