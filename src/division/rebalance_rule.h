/* SPDX-License-Identifier: MIT */
/* Whether to divide anew while a program runs: what workers do is monitored, what they could do is learnt, and a move
 * is worth it when what another division would have saved pays for it. No runtime in here.
 *
 * A check l gives what each worker has done since the last one: c_il cells in b_il seconds, in k_l steps. Shares of n_i
 * cells took T_l(n) = k_l max n_i b_il / c_il. For the last 2, 4, 8, .. checks, up to all since the last move, the
 * division m that follows the workers' mean speeds there, sum_l c_il / sum_l b_il, would have saved
 * G = sum_l T_l(n) - T_l(m). It is worth a move if G is larger than the tolerance allows, if G without its best check
 * is more than a move costs, and if the steps that are left will gain more than that too. So what scatters about its
 * mean moves nothing however large it is, what lasts costs about one move more than it had to, and no single
 * disturbance decides (the rule of those who rent skis, for the best division in hindsight).
 *
 * But for the first check of all: nothing is known of the workers yet, and they are rather unlike than disturbed if a
 * step lasts a quarter longer than it had to. It decides alone if the steps that are left would gain ten moves.
 *
 * Speeds are learnt as partial functions of work, as in DFPA (speed/partial.h); of a worker that contradicts what is
 * known by more than a quarter the rest is forgotten.
 *
 * Example: two workers with 500 of 1000 cells each, at 100 and 50 cells/s: a step lasts 10 s, and in balance 1000 / 150
 * = 6.7 s. With a cost of 15 s three checks of 3 steps (two of them lost 20 s) suffice, if more than 4 steps are left.
 */
#ifndef HG_DIVISION_REBALANCE_RULE_H
#define HG_DIVISION_REBALANCE_RULE_H

#include <stdbool.h>

#include "speed/speed.h"

enum { HG_MONITOR_CHECKS = 32 }; /* kept at most */

/** What a worker has done since the last check. */
typedef struct hg_monitor_sample {
  double cells; /**< times steps */
  double busy;  /**< s */
  double share; /**< cells of the grid that are its to do; 0: none */
} hg_monitor_sample;

/** What was seen in a check. */
typedef struct hg_monitor_past {
  double steps;  /**< done in it */
  double took;   /**< s, of the worker that took longest for its share */
  double *cells; /**< [workers] times steps */
  double *busy;  /**< [workers] s; 0 of those that did nothing */
} hg_monitor_past;

typedef struct hg_monitor {
  int workers;
  double grid;                             /**< cells */
  hg_partial_speed *speed;                 /**< [workers] */
  int checks;                              /**< since the last move */
  hg_monitor_past past[HG_MONITOR_CHECKS]; /**< the oldest first */
  double *share, *divided;                 /**< [workers] cells, now and in a division that is considered */
  double *numbers;                         /**< all of these */
  double step;                             /**< s that a step lasted in the last check; 0: none yet */
  bool checked;                            /**< once at least */
  int hysteresis;                          /**< checks that a move wants; more after one that changed nothing */
} hg_monitor;

/** When a move is worth it. */
typedef struct hg_monitor_rule {
  double tolerance;  /**< least share of a step's time in balance that must be gained, > 0 */
  double cost;       /**< s that a move is expected to take; 0: it does not matter */
  double steps_left; /**< >= 0 */
  double least;      /**< s that each worker must have worked for a check to say enough: what passes in less is noise */
} hg_monitor_rule;

/** HG_MEMORY. Free with hg_monitor_close. */
hg_status hg_monitor_open(int workers, double grid, hg_monitor *out);
void hg_monitor_close(hg_monitor *monitor);

/** Whether a check says enough: every worker with a share has finished something, and has worked for long enough; or
 * another has for much longer, so that the share of one whose speed is known was given to others meanwhile. */
bool hg_monitor_complete(const hg_monitor *monitor, const hg_monitor_sample *sample, const hg_monitor_rule *rule);

/** Takes a complete check into account; whether to divide anew now. O(workers HG_MONITOR_CHECKS).
 * @param sample  [workers] */
bool hg_monitor_check(hg_monitor *monitor, const hg_monitor_sample *sample, const hg_monitor_rule *rule);

/** The grid was divided anew; or could not be divided any better, if nothing has changed. */
void hg_monitor_moved(hg_monitor *monitor, bool changed);

/** What is known of the workers, for the division. A worker that has done nothing gets the mean speed of those of its
 * kind that have, to be tried; without any it gets no part: a speed of 0.
 * @param kind  [workers] @param[out] speed  [workers] cells/s, constant: for workers of which nothing is known
 * @param[out] model  [workers] refer to the monitor; those of speed 0 are not set */
void hg_monitor_models(const hg_monitor *monitor, const int *kind, double *speed, hg_speed_model *model);
#endif
