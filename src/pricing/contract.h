/* SPDX-License-Identifier: MIT */
/* Options: their payoffs, their values in closed form, and their paths for Monte-Carlo.
 *
 * The price follows a geometric Brownian motion whose drift is the interest rate r minus the dividend yield q. A
 * European option pays max(w (S_T - K), 0) at T, w = 1 for a call, -1 for a put (Black and Scholes, The pricing of
 * options and corporate liabilities, J. Political Economy 81, 1973; with Merton's yield). An Asian one pays on the
 * arithmetic mean of M fixings at j T / M, for which there is no closed form. For the geometric mean there is one
 * (Kemna and Vorst, A pricing method for options based on average asset values, J. Banking and Finance 14, 1990),
 * which makes it a control variate. */
#ifndef HG_PRICING_CONTRACT_H
#define HG_PRICING_CONTRACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "codelets/pricing/pricing.h"

typedef enum hg_contract_kind { HG_CALL, HG_PUT, HG_ASIAN_CALL, HG_ASIAN_PUT } hg_contract_kind;

/** "call", "put", "asian-call", "asian-put", NULL. */
extern const char *const hg_contract_names[];

typedef struct hg_contract {
  hg_contract_kind kind;
  double spot, strike; /**< S and K, > 0 */
  double time;         /**< T in years, >= 0 */
  double rate, yield;  /**< r and q per year, continuously compounded */
  double sigma;        /**< volatility per square root of a year, >= 0 */
  int64_t fixings;     /**< M; 1 for a European option */
  int64_t line;        /**< in the portfolio's file, from 1; 0 without a file */
} hg_contract;

/** Bounds on contracts and their paths. */
enum { HG_FIXINGS_MAX = 1 << 20 };
#define HG_PATHS_MAX (INT64_C(1) << 48)

static inline bool hg_contract_is_asian(const hg_contract *c)
{
  return c->kind >= HG_ASIAN_CALL;
}

/** Whether the payoff is certain: sigma or T is 0. */
static inline bool hg_contract_is_certain(const hg_contract *c)
{
  return c->sigma == 0 || c->time == 0;
}

/** HG_INVALID naming the value and its bound. */
hg_status hg_contract_check(const hg_contract *contract);

/** HG_INVALID if single precision cannot represent its prices. @param contract  checked */
hg_status hg_contract_check_float(const hg_contract *contract);

/** HG_INVALID if `paths` is 0, too large, or needs more random numbers than a stream has (2^62). */
hg_status hg_contract_check_paths(const hg_contract *contract, int64_t paths);

/** Black-Scholes price of a European option; the discounted intrinsic value of any certain one; else NaN. */
double hg_contract_closed(const hg_contract *contract);

/** Price of the option on the geometric mean of the fixings; for a European option, its own price. */
double hg_contract_geometric(const hg_contract *contract);

/** Standard deviation of the discounted payoff of a European option; NaN for others. */
double hg_contract_deviation(const hg_contract *contract);

/** Fewest paths from which a mean of payoffs is distributed normally enough for its standard error to be reliable: two
 * hundred that pay, and more as the skewness of the price grows with its volatility; 0 if the payoff is certain. For
 * an Asian option, estimated with its geometric twin. */
double hg_contract_paths_needed(const hg_contract *contract);

/** Bound on the rounding error of a mean of payoffs, discounted. @param value  of the option */
double hg_contract_rounding(const hg_contract *contract, double value, bool is_float);

/** Derivatives of the Black-Scholes price; for a certain payoff, their limits for small sigma. */
typedef struct hg_greeks {
  double delta; /**< with respect to S */
  double gamma; /**< second derivative with respect to S */
  double vega;  /**< with respect to sigma */
  double theta; /**< with respect to -T, per year */
  double rho;   /**< with respect to r */
} hg_greeks;

/** Greeks of a European option; for a certain payoff only delta and vega; NaN where unknown. */
hg_greeks hg_contract_greeks(const hg_contract *contract);

/** The contract in the form that kernels use. */
hg_paths hg_contract_paths(const hg_contract *contract, hg_payoff payoff, int64_t paths, uint64_t seed,
                           uint32_t stream);

/** Factor for the mean over paths: the discount, and 1 / S for delta. */
double hg_contract_scale(const hg_contract *contract, hg_payoff payoff);
#endif
