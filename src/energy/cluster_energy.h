/* SPDX-License-Identifier: MIT */
/* Formulas for the energy of runs: S. Vialle, S. Contassot-Vivier, T. Jost, "Optimizing computing and energy
 * performances in heterogeneous clusters of CPUs and GPUs" (its equations 1.1 to 1.50).
 *
 * Clusters whose runs scale: T = T1 N^-sigma, so E = E1 N^(1-sigma), and of two clusters one is better up to some
 * number of nodes. A run that is faster by a factor alpha uses less energy if alpha exceeds the ratio of mean powers.
 *
 * Example: 228 W with a GPU, 167 W without: the GPU saves energy if alpha exceeds 228 / 167 = 1.365.
 *
 * All functions reject arguments outside a formula's domain (HG_INVALID naming value and bound). SI units. */
#ifndef HG_ENERGY_CLUSTER_ENERGY_H
#define HG_ENERGY_CLUSTER_ENERGY_H

#include <stdbool.h>

#include "base/status.h"

/* --- runs that scale (1.1 to 1.14) --- */

/** Whether a run scales as the model assumes: 0 <= sigma <= 1. Outside, results are extrapolations; nothing is
 * clamped. */
bool hg_is_scalable(double sigma);

/** Number of nodes from which A no longer gains over B, with gain(N) = gain1 N^(sigma_a - sigma_b) (1.11, 1.12); NAN
 * if there is none (equal sigmas, or it would be less than 1), infinite if it exceeds the largest number. gain1 > 0. */
hg_status hg_threshold(double gain1, double sigma_a, double sigma_b, double *nodes);

/** 1: A is faster and uses less energy, 2: only one of both, limits included, 3: B is faster and uses less energy
 * (1.13, 1.14).
 * @param speedup, gain  of A over B, in time and energy */
int hg_configuration(double speedup, double gain);

/** Least-squares line through ln T over ln N. */
typedef struct hg_scaling {
  double t1, sigma;
  double max_rel;      /**< largest |T / fit - 1| of the points */
  double sigma_error;  /**< standard error of sigma; 0 with two points */
  double centre;       /**< mean of ln N */
  double centre_error; /**< standard error of ln T there */
} hg_scaling;

/** Relative standard error of the fit at `nodes`. */
double hg_scaling_error(const hg_scaling *fit, double nodes);

/** @param nodes, value  [count] N >= 1, at least two different; T or E > 0 */
hg_status hg_scaling_fit(int count, const double *nodes, const double *value, hg_scaling *out);

/* --- powers (1.15 to 1.50) --- */

/** (beta_m + 1) / 2: a measured utilisation, corrected for the slow decay of power after work ends (1.48). In (0,
 * 1]. */
hg_status hg_decay_correction(double measured, double *share);

/** How runs are compared. */
typedef enum hg_criterion { HG_BY_TIME, HG_BY_ENERGY, HG_BY_EDP, HG_BY_ED2P } hg_criterion;
extern const char *const hg_criterion_names[]; /**< ended by NULL */

/** T, E, E T or E T^2. */
double hg_criterion_value(hg_criterion by, double seconds, double joules);

/** -1: the first value is better, 1: the second, 0: equal (1.49, 1.50). */
int hg_compare(double first, double second);

/** Whether the first of two numbers >= 0 is less, by more than a rounding. */
bool hg_is_less(double first, double second);

/* --- readings --- */

/** Power at a time. */
typedef struct hg_sample {
  double time, watts; /**< s; >= 0 */
} hg_sample;

/** Sorts samples by time; those of equal time, which form a step, keep their order. HG_MEMORY */
hg_status hg_samples_sort(int count, hg_sample *sample);

/** Joules from `begin` to `end` by the trapezoidal rule, interpolating at the ends; samples must be sorted. HG_INVALID
 * naming both ranges if the samples do not cover begin to end, or for a negative power. */
hg_status hg_trapezoid(int count, const hg_sample *sample, double begin, double end, double *joules);
#endif
