/* SPDX-License-Identifier: MIT */
/* Those of the paper's equations 1.1 to 1.50 that only its known results need; programs use energy/cluster_energy.h. */
#ifndef HG_TESTS_PAPER_ENERGY_H
#define HG_TESTS_PAPER_ENERGY_H

#include <math.h>
#include <stdbool.h>

#include "base/status.h"

/** A cluster that runs an application. */
typedef struct cluster {
  double t1;           /**< s on one node, > 0 */
  double sigma;        /**< T = t1 N^-sigma; in 0..1 runs are within the scalability area */
  double watts;        /**< of a node that computes, > 0 */
  double switch_watts; /**< W of the network, >= 0, shared by all existing nodes (1.6) */
  double nodes_max;    /**< existing nodes, >= 1 */
} cluster;

/** A run on N nodes. */
typedef struct scaled {
  double e1;      /**< J on one node (1.5) */
  double seconds; /**< (1.1) */
  double joules;  /**< (1.6), (1.7) */
  double speedup; /**< over one node (1.3) */
  double gain;    /**< of energy over one node (1.4) */
} scaled;

/** An activity of a cluster's nodes for a share of the time. */
typedef struct activity {
  double share;        /**< in 0..1 */
  const double *watts; /**< [nodes] power of each node meanwhile, > 0 */
} activity;

/** Nodes that all have the same activities in turn, and wait for the rest of the time. */
typedef struct activities {
  int nodes, count;
  const activity *activity; /**< [count] */
  const double *wait;       /**< [nodes] W > 0 while waiting, at most those of any activity; NULL: they
                               never wait */
  double switch_watts;      /**< of the network, >= 0 */
  bool as_printed;          /**< shares may exceed 1 in sum, as in the paper's 1.8.4 */
} activities;

static inline hg_status need(bool good, const char *what, double value, const char *bound)
{
  return good ? HG_OK : hg_fail(HG_INVALID, "%s is %.9g, must be %s", what, value, bound);
}

static inline hg_status positive(const char *what, double value)
{
  return need(value > 0 && isfinite(value), what, value, "> 0");
}

static inline hg_status not_negative(const char *what, double value)
{
  return need(value >= 0 && isfinite(value), what, value, ">= 0");
}

static inline hg_status check_share(const char *what, double value)
{
  return need(value >= 0 && value <= 1, what, value, "in 0..1");
}

/** The run on `nodes` nodes, 1 <= nodes <= nodes_max. */
static inline hg_status cluster_run(const cluster *c, double nodes, scaled *out)
{
  HG_TRY(positive("T1", c->t1));
  HG_TRY(positive("the power of a node", c->watts));
  HG_TRY(not_negative("the power of the switch", c->switch_watts));
  HG_TRY(need(isfinite(c->sigma), "sigma", c->sigma, "finite"));
  HG_TRY(need(c->nodes_max >= 1 && isfinite(c->nodes_max), "N_max", c->nodes_max, ">= 1"));
  if (!(nodes >= 1 && nodes <= c->nodes_max))
    return hg_fail(HG_INVALID, "N is %.9g, must be in 1..%.9g", nodes, c->nodes_max);
  *out = (scaled){.e1 = (c->watts + c->switch_watts / c->nodes_max) * c->t1,
                  .speedup = pow(nodes, c->sigma),
                  .gain = pow(nodes, c->sigma - 1)};
  out->seconds = c->t1 / out->speedup;
  out->joules = out->e1 / out->gain;
  return HG_OK;
}

/** E = T (P_I + sum beta_i P_i) (1.16). @param share  [units] beta_i in 0..1 @param watts  [units]
 * P_i >= 0 in addition to `base` >= 0 @param seconds  >= 0 */
static inline hg_status node_energy(double seconds, double base, int units, const double *beta, const double *watts,
                                    double *joules)
{
  HG_TRY(not_negative("T", seconds));
  HG_TRY(not_negative("P_I", base));
  double power = base;
  for (int i = 0; i < units; i++) {
    HG_TRY(check_share("beta of a unit", beta[i]));
    HG_TRY(not_negative("the power of a unit", watts[i]));
    power += beta[i] * watts[i];
  }
  *joules = seconds * power;
  return HG_OK;
}

static inline hg_status sum_powers(const activities *run, const double *watts, double *sum)
{
  *sum = 0;
  for (int i = 0; i < run->nodes; i++) {
    HG_TRY(positive("the power of a node", watts[i]));
    if (run->wait && watts[i] < run->wait[i])
      return hg_fail(HG_INVALID, "node %d draws %.9g W computing, must be >= %.9g waiting", i, watts[i], run->wait[i]);
    *sum += watts[i];
  }
  return HG_OK;
}

/** Mean power: sum of share_k P_k + (1 - sum share_k) P_wait, over the nodes, + switch. One
 * activity of share 1 is an asynchronous run (1.26), one of share beta a synchronous one (1.34),
 * two are section 1.8.4. */
static inline hg_status mean_power(const activities *run, double *watts)
{
  double rest = 1, sum;
  HG_TRY(need(run->nodes >= 1, "the number of nodes", run->nodes, ">= 1"));
  HG_TRY(not_negative("the power of the switch", run->switch_watts));
  *watts = run->switch_watts;
  for (int k = 0; k < run->count; k++) {
    HG_TRY(check_share("beta", run->activity[k].share));
    HG_TRY(sum_powers(run, run->activity[k].watts, &sum));
    *watts += run->activity[k].share * sum;
    rest -= run->activity[k].share;
  }
  if (rest < -1e-12 && !run->as_printed)
    return hg_fail(HG_INVALID, "the shares of time sum up to %.9g, must be <= 1", 1 - rest);
  if (!run->wait) return need(rest < 1e-12, "the share of time without power", rest, "0");
  HG_TRY(sum_powers(run, run->wait, &sum));
  *watts += rest * sum;
  return HG_OK;
}

/** Speedup over B above which A uses less energy: P_A / P_B, both > 0 (1.24, 1.28, 1.36, 1.49). */
static inline hg_status alpha_limit(double watts_a, double watts_b, double *alpha)
{
  HG_TRY(positive("the power of A", watts_a));
  HG_TRY(positive("the power of B", watts_b));
  *alpha = watts_a / watts_b;
  return HG_OK;
}
#endif
