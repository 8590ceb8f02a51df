/* SPDX-License-Identifier: MIT */
#ifndef HG_PARTITION_GROUPS_H
#define HG_PARTITION_GROUPS_H

#include "partition/partition.h"

/** The ratio of the sides up to which a mesh of two factors beats a square split for p equal processors (thesis,
 * equation 3-7, corrected). p >= 2. Infinite for p = k(k+1). */
double hg_asgp_mu(int p);
#endif
