/* SPDX-License-Identifier: MIT */
/* Contexts of use: a cluster, kernels and an operating mode, in which an application was run on a few numbers of
 * nodes. Its time and energy on other numbers of nodes follow from the fits and powers of energy/cluster_energy.h.
 *
 * Joules: measured ones are fitted like times (E = E1 N^e). Otherwise they are time times mean power: of N nodes that
 * compute for a share beta of the time (always, in an asynchronous run) and wait for the rest, and of the switch
 * (1.26, 1.34).
 *
 * If the points of three or more N deviate from the straight line by more than their error, estimates follow the
 * points instead (energy/scaling_curve.h); T1, s and the crossings remain those of the line, as in the paper. */
#ifndef HG_ENERGY_USE_CONTEXT_H
#define HG_ENERGY_USE_CONTEXT_H

#include "energy/scaling_curve.h"
#include "energy/cluster_energy.h"

enum { HG_CONTEXT_NAME = 48, HG_CONTEXT_POINTS = HG_CURVE_POINTS, HG_CONTEXT_UNITS = 16 };

/** Identical processors of a node: powers in addition to the node's own. */
typedef struct hg_use_context_unit {
  double count;            /**< > 0 */
  double full, wait, idle; /**< W, full >= wait >= idle >= 0, full > 0 */
} hg_use_context_unit;

typedef struct hg_use_context {
  char name[HG_CONTEXT_NAME];
  bool synchronous;
  double beta;         /**< share of the time that nodes compute, 0..1; 1 for an asynchronous run */
  double base;         /**< W of a node that is on, > 0 if there are units */
  double switch_watts; /**< >= 0 */
  double nodes_min;    /**< the fewest to consider; 0: 1 */
  double nodes_max;    /**< >= 1 */
  bool timed;          /**< joules are not needed: those of a run are 0 unless points have them */
  double sigma;        /**< to be used if there is only one N; NAN: fitted */
  double error;        /**< relative, of joules and powers */
  int units, points;
  hg_use_context_unit unit[HG_CONTEXT_UNITS];
  double nodes[HG_CONTEXT_POINTS], seconds[HG_CONTEXT_POINTS];
  double joules[HG_CONTEXT_POINTS]; /**< NAN where not measured */
  /* set by hg_use_context_fit */
  bool measured;                 /**< joules are fitted */
  double largest;                /**< largest N of the points */
  hg_scaling time, energy;       /**< energy: sigma is -e */
  bool bent;                     /**< the points deviate from `time` */
  hg_scaling_curve curve, watts; /**< if bent: the points; their mean powers, if joules are fitted */
} hg_use_context;

/** Checks domains and computes the fits. HG_INVALID naming context, value and bound. */
hg_status hg_use_context_fit(hg_use_context *context);

/** Limits and rules of estimates. */
typedef struct hg_estimate_rules {
  bool extrapolate;  /**< allow more than 4 times the largest N measured */
  bool share_switch; /**< the switch counts with N / N_max (1.6), not in full (1.26, 1.34) */
} hg_estimate_rules;

/** Estimate of a run, with relative standard errors. */
typedef struct hg_run_estimate {
  double seconds, joules, seconds_error, joules_error;
} hg_run_estimate;

/** The most nodes that its points support: N_max, at most 4 times the largest N measured. */
double hg_use_context_reach(const hg_use_context *context);

/** Whether there are that many nodes, but the points do not support them and the rules do not allow extrapolation. */
bool hg_use_context_unknown(const hg_use_context *context, double nodes, const hg_estimate_rules *rules);

/** The run on `nodes` nodes. HG_INVALID above N_max, or too far beyond what was measured. */
hg_status hg_use_context_at(const hg_use_context *context, double nodes, const hg_estimate_rules *rules,
                            hg_run_estimate *out);

/** The criterion's value, and its relative standard error. */
double hg_run_estimate_value(const hg_run_estimate *estimate, hg_criterion by, double *error);

/** Number of nodes at which `a` ceases to be (or begins to be) better than `b` (1.11, 1.12), by time or energy; NAN if
 * there is none from 1 on, or none below 1e9 where the switch bends the lines. */
double hg_use_context_crossing(const hg_use_context *a, const hg_use_context *b, hg_criterion by,
                               const hg_estimate_rules *rules);

/** Two clusters used as one: speeds of computing add up, communication is that of the slower one; each draws power
 * according to its own share of computing, and for its switch. 0 nodes of one: the other alone. */
hg_status hg_use_context_hybrid(const hg_use_context *a, double nodes_a, const hg_use_context *b, double nodes_b,
                                const hg_estimate_rules *rules, hg_run_estimate *out);
#endif
