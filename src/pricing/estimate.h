/* SPDX-License-Identifier: MIT */
/* Derives a mean and its standard error from the sums of chunks. Chunk sums are added exactly and rounded once, so
 * that the result does not depend on which worker computed which chunk. */
#ifndef HG_PRICING_ESTIMATE_H
#define HG_PRICING_ESTIMATE_H

#include "base/exact.h"
#include "pricing/contract.h"

/** Sums of the chunks so far; all 0: none. */
typedef struct hg_path_sums {
  hg_exact sum, squares;
  int64_t paths;
} hg_path_sums;

void hg_path_sums_add(hg_path_sums *sums, const hg_chunk_sums *chunk, int64_t paths);

/** A mean over paths. */
typedef struct hg_estimate {
  double value;
  double std_error; /**< sqrt((sum of squares - sum^2 / n) / (n - 1) / n); NaN for a single path */
  int64_t paths;
} hg_estimate;

/** The estimate of a contract that belongs to the payoff: price (also by a control variate), delta or vega. */
hg_estimate hg_path_sums_estimate(const hg_path_sums *sums, const hg_contract *contract, hg_payoff payoff);

/** Whether the standard error of a price is reliable: it has hg_contract_paths_needed paths, and enough of them pay or
 * share in what is paid (for a control variate: pay differently from the twin). If the error is 0, unknown or lost in
 * the rounding of sums, true only for a certain payoff. */
bool hg_estimate_is_sure(const hg_estimate *price, const hg_contract *contract, hg_payoff payoff);

/** (value - known) / std_error; NaN where that is 0 or unknown. */
double hg_estimate_score(const hg_estimate *estimate, double known);
#endif
