/* SPDX-License-Identifier: MIT */
/* Options: what they pay, what they are worth in closed form, and their paths for Monte-Carlo.
 *
 * The price follows a geometric Brownian motion with the interest rate r less the dividend yield q
 * as drift. A European option pays max(w (S_T - K), 0) at T, w = 1 for a call, -1 for a put (Black
 * and Scholes, The pricing of options and corporate liabilities, J. Political Economy 81, 1973;
 * Merton's yield). An Asian one pays on the arithmetic mean of M fixings at j T / M, for which
 * there is no closed form; on the geometric mean there is (Kemna and Vorst, A pricing method for
 * options based on average asset values, J. Banking and Finance 14, 1990), which makes it a control
 * variate. */
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
  int64_t fixings;     /**< M, 1 of a European option */
} hg_contract;

/** Bounds of what a contract and its paths may be. */
enum { HG_FIXINGS_MAX = 1 << 20 };
#define HG_PATHS_MAX (INT64_C(1) << 48)

static inline bool hg_contract_is_asian(const hg_contract *c)
{
  return c->kind >= HG_ASIAN_CALL;
}

/** Whether nothing is left to chance: sigma or T is 0. */
static inline bool hg_contract_is_certain(const hg_contract *c)
{
  return c->sigma == 0 || c->time == 0;
}

/** HG_INVALID naming the value and its bound. */
hg_status hg_contract_check(const hg_contract *contract);

/** HG_INVALID if single precision cannot hold its prices. @param contract  checked */
hg_status hg_contract_check_float(const hg_contract *contract);

/** HG_INVALID if `paths` are none, too many, or need more random numbers than a stream counts
 * (2^62). */
hg_status hg_contract_check_paths(const hg_contract *contract, int64_t paths);

/** Black-Scholes price of a European option; the discounted intrinsic value of any that is certain;
 * else NaN. */
double hg_contract_closed(const hg_contract *contract);

/** Price of the option on the geometric mean of the fixings; a European one is its own. */
double hg_contract_geometric(const hg_contract *contract);

/** Standard deviation of the discounted payoff of a European option; NaN of others. */
double hg_contract_deviation(const hg_contract *contract);

/** Paths from which on a mean of payoffs is spread normally enough for its standard error to say how sure it is, at
 * least: two hundred that pay, and as the skewness of the price grows with its volatility, so many more; 0 of what is
 * certain. By the geometric twin where the option is Asian. */
double hg_contract_paths_needed(const hg_contract *contract);

/** What rounding may change a mean of payoffs by, discounted. @param value  of the option */
double hg_contract_rounding(const hg_contract *contract, double value, bool is_float);

/** Derivatives of the Black-Scholes price; of what is certain their limits for small sigma. */
typedef struct hg_greeks {
  double delta; /**< by S */
  double gamma; /**< twice by S */
  double vega;  /**< by sigma */
  double theta; /**< by -T, per year */
  double rho;   /**< by r */
} hg_greeks;

/** Of a European option; of what is certain only delta and vega; NaN what is not known. */
hg_greeks hg_contract_greeks(const hg_contract *contract);

/** The contract as kernels see it. */
hg_paths hg_contract_paths(const hg_contract *contract, hg_payoff payoff, int64_t paths, uint64_t seed,
                           uint32_t stream);

/** What the mean over paths is to be multiplied by: the discount, and 1 / S for delta. */
double hg_contract_scale(const hg_contract *contract, hg_payoff payoff);
#endif
