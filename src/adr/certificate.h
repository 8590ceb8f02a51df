/* SPDX-License-Identifier: MIT */
/* Whether sweeps must converge, however the grid is divided. The Jacobian is an H-matrix if there are weights w > 0
 * with sum_j!=i |J_ij| w_j < |J_ii| w_i for all rows i (Frommer, Szyld, "On asynchronous iterations", 2000). Searching
 * for weights takes sweeps of the whole grid; checking whether known weights still prove it at other values takes one
 * pass over a block. */
#ifndef HG_ADR_CERTIFICATE_H
#define HG_ADR_CERTIFICATE_H

#include "adr/settings.h"

/** Searches for such weights at the initial values, from w = 1 by at most 50 iterations w = |D^-1 B| w.
 * Returns the smallest ratio found, where the ratio is the largest over the rows; < 1: sweeps converge. NaN without
 * memory, or if values are not finite. Cost: at most 50 sweeps of the grid. */
double hg_adr_certificate(const hg_adr_problem *problem, const hg_adr_settings *settings);

/** The same for a step at given values. @param value  [2 nz ny nx] one species after another
 * @param[out] weight  [nz ny nx][2] the weights with the smallest ratio */
double hg_adr_certificate_find(const hg_adr_problem *problem, const hg_adr_step *step, const double *value,
                               double *weight);

/** The part of the weights that a block needs: 0 beyond sides that are not periodic. @param first  node of its first
 * unknown @param grid  as found @param[out] weight  [2][field] */
void hg_adr_certificate_cut(const hg_adr_problem *problem, const hg_adr_block *block, const int64_t first[3],
                            const double *grid, double *weight);

/** The largest ratio over a block's own rows. @param tables,u  of the block @param weight  cut for the block
 * Returns NaN if values are not finite. Cost: a pass over the block. */
double hg_adr_certificate_check(const hg_adr_block *block, const hg_adr_step *step, const double *tables,
                                const double *u, const double *weight);
#endif
