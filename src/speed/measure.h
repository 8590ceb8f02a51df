/* SPDX-License-Identifier: MIT */
/* Measuring speed tables on machines that do other things meanwhile. */
#ifndef HG_SPEED_MEASURE_H
#define HG_SPEED_MEASURE_H

#include <stdbool.h>

#include "speed/speed.h"

/** The time of one amount of work, from several runs. */
typedef struct hg_timing {
  double seconds;   /**< s, > 0 */
  double low, high; /**< s, the shortest interval that holds more than half of the runs */
  bool agreed;      /**< the interval is narrow: high - low <= 4 % of seconds */
} hg_timing;

/** The same with all times multiplied, factor > 0. */
hg_timing hg_timing_scale(hg_timing measured, double factor);

/** One run. @param[out] seconds  s, > 0. May fail. */
typedef hg_status hg_run_fn(void *arg, double *seconds);

/** Runs until more than half of at least 5 runs agree within 4 % (of at least 3, once they have
 * taken .3 s together), at most 15 times and, from the fifth on, for 1 s; the time is the median of
 * the agreeing runs ("shorth": the shortest half; Rousseeuw and Leroy, Robust Regression and
 * Outlier Detection, 1987, chapter 4). Disturbances only ever lengthen runs, so that medians of all
 * runs are too long; those that agree are the undisturbed ones. Without agreement: the median of
 * the shortest half so far, `agreed` false. Whatever `run` returns as failure is returned;
 * HG_RUNTIME if a time is not > 0. */
hg_status hg_measure_runs(hg_run_fn *run, void *arg, hg_timing *out);

/** The time of x cells. @param visit  0, or how often these x cells have been measured before: a
 * new measurement is wanted, not one that is remembered. May fail. */
typedef hg_status hg_measure_fn(void *arg, double x, int visit, hg_timing *out);

/** Whether the time for measuring is spent. */
typedef bool hg_measure_enough_fn(void *arg);

/** What is measured. */
typedef struct hg_measure_plan {
  double x0, xmax;              /**< smallest and largest work in cells, 0 < x0 < xmax */
  double d;                     /**< step of the first points in cells, > 0 */
  double error;                 /**< wanted relative error of speeds between the points, > 0 */
  int most;                     /**< points at most, >= 2 */
  hg_measure_enough_fn *enough; /**< asked when the first points are there: no more of them; or NULL */
} hg_measure_plan;

/** What came of it. */
typedef struct hg_measure_report {
  int points, repeated; /**< points; measurements made again because they looked disturbed */
  int disagreed;        /**< points whose runs never agreed */
  bool stopped;         /**< by `enough`, before it was good enough */
  int pooled;           /**< points whose time was less than for less work, and which share a mean now */
  double error;         /**< reached: largest relative error in the middle of an interval that was not
                           divided further; if that was not measured, by which the lines beside it differ */
  double spread;        /**< median over the points of (high - low) / seconds */
} hg_measure_report;

/** Measures T(w) where it is needed: x0, x0+d, .. xmax and, below x0+d, x0 times powers of 4 first;
 * then the interval that is worst by its error times its relative width is halved, until no line is
 * off by more than the error or the points are used up. Across a jump an interval is halved until
 * it is narrower than error / 2 of its work. Points that look disturbed (runs that do not agree;
 * more time than for more work; cells suddenly much slower) are measured again later, at most eight
 * times in all and twice per point on average, other points between; the shortest time counts. What
 * still falls is pooled (isotonic regression by adjacent violators, weighed by 1/spread^2). Times
 * without any spread (high = low) are taken as exact and never measured again. (Thesis 7.3.2,
 * figure 7-1, which goes from left to right and as printed measures points again.)
 * @param[out] out  table with c = 0
 * HG_INVALID for a bad plan, HG_MEMORY, HG_RUNTIME if a time is not > 0, or what `measure` returns.
 */
hg_status hg_speed_table_measure(hg_measure_fn *measure, void *arg, const hg_measure_plan *plan, hg_speed_table *out,
                                 hg_measure_report *report);

/** Isotonic regression: the rising times nearest to time[n] by least squares with weight[n] > 0
 * (pool adjacent violators; Ayer et al., Annals of Mathematical Statistics 26, 1955), in place.
 * Returns how many points were moved. O(n). */
int hg_pool_adjacent_violators(int n, const double *weight, double *time);
#endif
