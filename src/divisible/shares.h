/* SPDX-License-Identifier: MIT */
/* Learns shares: how many items of a divisible job each of several different devices gets, if the job is done
 * repeatedly and the passes are the only measurements (dynamic functional partitioning, like hg_dfpa, but driven by
 * the caller that runs the passes).
 *
 * The first shares are equal, or follow guesses. The times of each pass extend a partial speed function per device
 * (speed/partial.h), and the shares of the next pass are the best by these (hg_fpm). Learning ends when the times
 * agree, when a division repeats, or when the models promise a gain of less than 1 %; the shares of the shortest pass
 * are kept. If two passes in a row are out of balance again, as when a device has slowed down, learning restarts, and
 * only recent measurements count.
 *
 * A device may have a cold start: seconds before its first work, as code is loaded. It gets work if the pass is
 * shorter with it, or one item if later passes gain more than this one loses. Such a pass is not used as a measurement
 * of the device. */
#ifndef HG_DIVISIBLE_SHARES_H
#define HG_DIVISIBLE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "speed/partial.h"

typedef enum hg_shares_state {
  HG_SHARES_LEARNING,
  HG_SHARES_BALANCED, /**< the times agree */
  HG_SHARES_REPEATED, /**< integer numbers of items, or noise, allow no better division */
  HG_SHARES_SETTLED   /**< the models promise less than hg_shares.gain */
} hg_shares_state;

/** Updates the model of a part after a pass: w > 0 items took `seconds`, including its cold start if hg_shares.start
 * has one. */
typedef hg_status hg_shares_model(void *arg, int part, int64_t w, double seconds, hg_partial_speed *speed);

typedef struct hg_shares {
  int parts;
  int64_t items;
  double epsilon;          /**< bound on (largest - smallest) / largest time of those with work; 0 < epsilon < 1 */
  double gain;             /**< a smaller gain does not justify another division; default 0.01 */
  hg_partial_speed *speed; /**< [parts] */
  double *rate;            /**< [parts] > 0: guessed relative speeds of unknown parts; 1 until set (then
                            * hg_shares_renew) */
  double *start;           /**< [parts] s before a part's first work; 0: it has done some, or has no cold start */
  int left;                /**< passes to come; 0: many */
  int64_t *w;              /**< [parts] shares of the next pass, sum `items` */
  hg_shares_state state;
  int passes;       /**< number of passes learnt from */
  double imbalance; /**< of the last pass */
  double promised;  /**< s of the next pass predicted by the models, which learn from every pass; 0 before the first */
  int64_t *best;    /**< [parts] */
  double shortest;  /**< s, of `best` */
  int64_t *done;    /**< [tried][parts] divisions measured since learning (re)started */
  int tried, out_of_balance;
  hg_shares_model *model; /**< used instead of hg_partial_learn for all parts; or NULL */
  void *arg;              /**< of `model` */
} hg_shares;

/** Begins with equal shares (the remainder goes to the first parts), or by `speed` if it has models of all parts.
 * @param speed  [parts] of an earlier run, or NULL
 * HG_INVALID unless parts >= 1, items >= 0 and 0 < epsilon < 1; HG_MEMORY. */
hg_status hg_shares_begin(int parts, int64_t items, double epsilon, const hg_partial_speed *speed, hg_shares *out);
void hg_shares_end(hg_shares *shares);

/** Learns from a pass with the shares w: seconds[parts], > 0 where w > 0; computes the next shares. HG_INVALID for a
 * time that is not > 0; HG_MEMORY. */
hg_status hg_shares_learn(hg_shares *shares, const double *seconds);

/** Changes the number of items, as when ranks divide items among each other first. Recomputes the shares. HG_INVALID,
 * HG_MEMORY. */
hg_status hg_shares_set_items(hg_shares *shares, int64_t items);

/** Recomputes the shares after changes in `speed`. HG_MEMORY. */
hg_status hg_shares_renew(hg_shares *shares);

/** Whether the shares give a part with a cold start its first work. */
bool hg_shares_start_cold(const hg_shares *shares);

/** "learning", "balanced", "repeated", "settled". */
const char *hg_shares_state_name(hg_shares_state state);

/** (largest - smallest) / largest time of those with work; 0 if fewer than two have any. */
double hg_shares_imbalance(int parts, const int64_t *w, const double *seconds);
#endif
