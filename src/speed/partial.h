/* SPDX-License-Identifier: MIT */
/* Partial speed functions: what is known of a processor's speed from the few amounts of work that
 * it has done so far. DFPA, rebalancing between ranks and the scheduling policy learn with them
 * while the program runs. */
#ifndef HG_SPEED_PARTIAL_H
#define HG_SPEED_PARTIAL_H

#include "base/status.h"

enum {
  HG_PARTIAL_POINTS = 24, /**< points kept at most */
  HG_PARTIAL_SAMPLES = 8  /**< samples that a point's mean counts at most: later ones weigh 1/8 */
};

/** Mean of the samples near one amount of work. */
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

/** Learns that w cells took so many seconds. Within 1 % of the w of a point the sample joins that
 * point's running mean, unless its speed differs by more than a quarter: then the processor has
 * changed, the sample replaces the point, and all others are scaled alike. Where more work than
 * before took less time, the sample is believed and the older points give way. A full function
 * joins its two nearest points.
 * @param w        cells, > 0
 * @param seconds  s, > 0
 * HG_INVALID for anything else; nothing is learnt then. O(HG_PARTIAL_POINTS). */
hg_status hg_partial_learn(hg_partial_speed *partial, double w, double seconds);

/** Speed at w > 0 cells in cells/s; 0 if nothing is known. */
double hg_partial_speed_at(const hg_partial_speed *partial, double w);

/** Time of w cells in s, which does not fall with w; 0 for w <= 0, infinite if nothing is known. */
double hg_partial_time(const hg_partial_speed *partial, double w);
#endif
