/* SPDX-License-Identifier: MIT */
/* Shares that are learnt: how many items of a divisible job each of several different devices gets,
 * when the job is done again and again and the passes are the only measurements (dynamic functional
 * partitioning, as hg_dfpa, but driven by whoever runs the passes).
 *
 * Even shares first, or by what is guessed; each pass' times grow a partial speed function a device (speed/partial.h),
 * and the shares of the next pass are the best by those (hg_fpm). It is over when the times agree, when a division
 * comes again, or when the models promise less than 1 %; the shortest pass' shares are kept. Two passes in a row that
 * are out of balance again, as when a device has slowed down, start it anew; what is recent counts.
 *
 * A device may have a cold start: seconds before its first work, as code is loaded. It gets work where the pass is
 * shorter with it, or one item where later passes gain more than this one loses. Such a pass is no measurement of the
 * device. */
#ifndef HG_DIVISIBLE_SHARES_H
#define HG_DIVISIBLE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "speed/partial.h"

typedef enum hg_shares_state {
  HG_SHARES_LEARNING,
  HG_SHARES_BALANCED, /**< the times agree */
  HG_SHARES_REPEATED, /**< whole items, or noise, allow no better division */
  HG_SHARES_SETTLED   /**< the models promise less than hg_shares.gain */
} hg_shares_state;

/** Makes the model of a part out of what a pass told: w > 0 items took so many seconds, with its cold start if
 * hg_shares.start has one. */
typedef hg_status hg_shares_model(void *arg, int part, int64_t w, double seconds, hg_partial_speed *speed);

typedef struct hg_shares {
  int parts;
  int64_t items;
  double epsilon;          /**< (largest - smallest) / largest time of those with work; 0 < epsilon < 1 */
  double gain;             /**< less is not worth another division; default .01 */
  hg_partial_speed *speed; /**< [parts] */
  double *rate;            /**< [parts] > 0: how many times faster than each other they are guessed to be, where nothing
                              is known; 1 until it is set (then hg_shares_renew) */
  double *start;           /**< [parts] s before a part's first work; 0: it has done some, or has no cold start */
  int left;                /**< passes to come, 0: many */
  int64_t *w;              /**< [parts] shares of the next pass, sum `items` */
  hg_shares_state state;
  int passes;       /**< learnt from */
  double imbalance; /**< of the last pass */
  double promised;  /**< s of the next pass by the models, which learn from every pass; 0 before the first */
  int64_t *best;    /**< [parts] */
  double shortest;  /**< s, of `best` */
  int64_t *done;    /**< [tried][parts] divisions measured since it began */
  int tried, out_of_balance;
  hg_shares_model *model; /**< instead of hg_partial_learn for all parts; or NULL */
  void *arg;              /**< of `model` */
} hg_shares;

/** Begins with even shares (the remainder to the first), or by what `speed` tells of all parts.
 * @param speed  [parts] of an earlier run, or NULL
 * HG_INVALID unless parts >= 1, items >= 0 and 0 < epsilon < 1; HG_MEMORY. */
hg_status hg_shares_begin(int parts, int64_t items, double epsilon, const hg_partial_speed *speed, hg_shares *out);
void hg_shares_end(hg_shares *shares);

/** Learns from a pass with the shares w: seconds[parts], > 0 where w > 0, and decides the next
 * shares. HG_INVALID for a time that is not > 0; HG_MEMORY. */
hg_status hg_shares_learn(hg_shares *shares, const double *seconds);

/** Another number of items, as where ranks divide among each other first. Shares by what is known.
 * HG_INVALID, HG_MEMORY.
 */
hg_status hg_shares_set_items(hg_shares *shares, int64_t items);

/** Shares by what has been put into `speed` since. HG_MEMORY. */
hg_status hg_shares_renew(hg_shares *shares);

/** Whether a part that has a cold start gets its first work by the shares. */
bool hg_shares_start_cold(const hg_shares *shares);

/** "learning", "balanced", "repeated", "settled". */
const char *hg_shares_state_name(hg_shares_state state);

/** (largest - smallest) / largest time of those with work; 0 if fewer than two have any. */
double hg_shares_imbalance(int parts, const int64_t *w, const double *seconds);
#endif
