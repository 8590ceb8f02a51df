/* SPDX-License-Identifier: MIT */
/* Measures speed tables on machines with other load. */
#ifndef HG_SPEED_MEASURE_H
#define HG_SPEED_MEASURE_H

#include <stdbool.h>

#include "speed/speed.h"

/** The time of an amount of work, from several runs. */
typedef struct hg_timing {
  double seconds;   /**< s, > 0 */
  double low, high; /**< s, the shortest interval with more than half of the runs */
  bool agreed;      /**< the interval is narrow: high - low <= 4 % of seconds */
} hg_timing;

/** The same with all times multiplied, factor > 0. */
hg_timing hg_timing_scale(hg_timing measured, double factor);

/** One run. @param[out] seconds  s, > 0. May fail. */
typedef hg_status hg_run_fn(void *arg, double *seconds);

/** Runs until more than half of at least 5 runs agree within 4 % (of at least 3, once they took 0.3 s together), at
 * most 15 times and, from the fifth on, for at most 1 s. The time is the median of the agreeing runs ("shorth": the
 * shortest half; Rousseeuw and Leroy, Robust Regression and Outlier Detection, 1987, chapter 4). Disturbances only
 * lengthen runs, so medians of all runs are too long; the agreeing ones are undisturbed. Without agreement: the median
 * of the shortest half, with `agreed` false. Returns a failure of `run`; HG_RUNTIME if a time is not > 0. */
hg_status hg_measure_runs(hg_run_fn *run, void *arg, hg_timing *out);

/** The time of x cells. @param visit  how often these x cells were measured before; if > 0, a new measurement is
 * required, not a stored one. May fail. */
typedef hg_status hg_measure_fn(void *arg, double x, int visit, hg_timing *out);

/** Whether the time for measuring is used up. */
typedef bool hg_measure_enough_fn(void *arg);

/** What is measured. */
typedef struct hg_measure_plan {
  double x0, xmax;              /**< smallest and largest work in cells, 0 < x0 < xmax */
  double d;                     /**< step of the first points in cells, > 0 */
  double error;                 /**< wanted relative error of speeds between the points, > 0 */
  int most;                     /**< most points, >= 2 */
  hg_measure_enough_fn *enough; /**< called once the first points are measured, to stop; or NULL */
} hg_measure_plan;

/** Report of a measurement. */
typedef struct hg_measure_report {
  int points, repeated; /**< points; measurements repeated because they looked disturbed */
  int disagreed;        /**< points whose runs never agreed */
  bool stopped;         /**< stopped by `enough` before the error was reached */
  int pooled;           /**< points with less time than for less work, which now share a mean */
  double error;  /**< reached: largest relative error in the middle of an interval that was not divided further; if not
                    measured there, the difference of the adjacent lines */
  double spread; /**< median over the points of (high - low) / seconds */
} hg_measure_report;

/** Measures T(w) where it is needed: first x0, x0+d, .. xmax and, below x0+d, x0 times powers of 4. Then the interval
 * with the largest error times relative width is halved, until all lines are within the error or the points are used
 * up. Across a jump an interval is halved until it is narrower than error / 2 of its work. Points that look disturbed
 * (runs that disagree; more time than for more work; cells suddenly much slower) are measured again later, after other
 * points, at most eight times each and twice per point on average; the shortest time counts. Times that still decrease
 * are pooled (isotonic regression by adjacent violators, weighted by 1/spread^2). Times without spread (high = low)
 * are taken as exact and never repeated. (Thesis 7.3.2, figure 7-1, which goes from left to right and as printed
 * repeats points.)
 * @param[out] out  table with c = 0
 * HG_INVALID for a bad plan, HG_MEMORY, HG_RUNTIME if a time is not > 0, or what `measure` returns. */
hg_status hg_speed_table_measure(hg_measure_fn *measure, void *arg, const hg_measure_plan *plan, hg_speed_table *out,
                                 hg_measure_report *report);

/** Isotonic regression: the rising times nearest to time[n] by least squares with weight[n] > 0
 * (pool adjacent violators; Ayer et al., Annals of Mathematical Statistics 26, 1955), in place.
 * Returns the number of changed points. O(n). */
int hg_pool_adjacent_violators(int n, const double *weight, double *time);
#endif
