/* SPDX-License-Identifier: MIT */
/* Capabilities instead of speeds: what --factors, --links and --memories weigh (thesis, equations 3-1 and 3-2). */
#ifndef HG_OPTIONS_FACTORS_H
#define HG_OPTIONS_FACTORS_H

#include <stdbool.h>

#include "base/status.h"

typedef struct hg_factors {
  double factor[3];            /**< of speed, link and memory; all 0: none, speeds alone count */
  const double *link, *memory; /**< [links], [memories] any unit, or NULL */
  int links, memories;
} hg_factors;

/** Whether --factors was given. */
bool hg_factors_given(const hg_factors *factors);

/** Replaces the speeds by the shares that capabilities give, if factors are given. @param[in,out] speed  [parts]
 * HG_INVALID: --links or --memories without --factors, another number of them than of speeds, or as hg_cpm_shares;
 * HG_MEMORY. */
hg_status hg_factors_weigh(const hg_factors *factors, int parts, double *speed);
#endif
