/* SPDX-License-Identifier: MIT */
/* Partial speed functions: a processor's speed as known from the few amounts of work done so far. DFPA, rebalancing
 * between ranks and the scheduling policy use them to learn while the program runs. */
#ifndef HG_SPEED_PARTIAL_H
#define HG_SPEED_PARTIAL_H

#include "base/status.h"

enum {
  HG_PARTIAL_POINTS = 24, /**< most points kept */
  HG_PARTIAL_SAMPLES = 8  /**< most samples that count in a point's mean: later ones have weight 1/8 */
};

/** Mean of the samples near an amount of work. */
typedef struct hg_partial_point {
  double w;     /**< cells, > 0 */
  double speed; /**< cells/s, > 0 */
  int samples;  /**< 1..HG_PARTIAL_SAMPLES */
} hg_partial_point;

/** Speed over work: linear between the points, constant outside. All zero: nothing is known yet. */
typedef struct hg_partial_speed {
  int count;                                 /**< 0..HG_PARTIAL_POINTS */
  hg_partial_point point[HG_PARTIAL_POINTS]; /**< w rising; w / speed not falling */
} hg_partial_speed;

/** Learns that w cells took so many seconds. A sample within 1 % of a point's w joins that point's running mean,
 * unless its speed differs by more than a quarter: then the processor has changed, so the sample replaces the point,
 * and all others are scaled by the same factor. If more work than before took less time, the sample overrides the
 * older points. A full function merges its two nearest points.
 * @param w        cells, > 0
 * @param seconds  s, > 0
 * HG_INVALID otherwise, and nothing is learnt. O(HG_PARTIAL_POINTS). */
hg_status hg_partial_learn(hg_partial_speed *partial, double w, double seconds);

/** Speed at w > 0 cells in cells/s; 0 if nothing is known. */
double hg_partial_speed_at(const hg_partial_speed *partial, double w);

/** Time of w cells in s, non-decreasing in w; 0 for w <= 0, infinite if nothing is known. */
double hg_partial_time(const hg_partial_speed *partial, double w);
#endif
