/* SPDX-License-Identifier: MIT */
/* Decides whether to divide the grid again while a program runs. It monitors the workers and learns their speeds; a
 * move is worth it when what another division would have saved pays for it. Independent of the runtime.
 *
 * Check l gives the work of each worker since the last one: c_il cells in b_il seconds, in k_l steps. With shares of
 * n_i cells its steps take T_l(n) = k_l max n_i b_il / c_il. For the last 2, 4, 8, .. checks, up to all since the last
 * move, the division m that follows the workers' mean speeds there, sum_l c_il / sum_l b_il, would have saved G =
 * sum_l T_l(n) - T_l(m). It is worth a move if G is larger than the tolerance allows, if G without its best check is
 * more than a move costs, and if the remaining steps will gain more than that too. So random fluctuations never cause
 * a move, however large they are; a lasting imbalance costs about one move more than necessary; and no single
 * disturbance decides (the ski-rental rule, for the best division in hindsight).
 *
 * The very first check is an exception: nothing is known of the workers yet, and if a step lasts a quarter longer than
 * necessary, they more likely differ in speed than are disturbed. It decides alone if the remaining steps would gain
 * the cost of ten moves.
 *
 * Speeds are learnt as partial functions of work, as in DFPA (speed/partial.h); if a measurement differs from a
 * worker's model by more than a quarter, the rest of the model is discarded.
 *
 * Example: two workers with 500 of 1000 cells each, at 100 and 50 cells/s: a step lasts 10 s, and in balance 1000 / 150
 * = 6.7 s. With a cost of 15 s three checks of 3 steps (two of them lost 20 s) suffice, if more than 4 steps are left.
 */
#ifndef HG_DIVISION_REBALANCE_RULE_H
#define HG_DIVISION_REBALANCE_RULE_H

#include <stdbool.h>

#include "speed/speed.h"

enum { HG_MONITOR_CHECKS = 32 }; /* most checks kept */

/** Work of a worker since the last check. */
typedef struct hg_monitor_sample {
  double cells; /**< times steps */
  double busy;  /**< s */
  double share; /**< its cells of the grid; 0: none */
} hg_monitor_sample;

/** Record of a check. */
typedef struct hg_monitor_past {
  double steps;  /**< steps done in it */
  double took;   /**< s of the slowest worker for its share */
  double *cells; /**< [workers] times steps */
  double *busy;  /**< [workers] s; 0 for those that did nothing */
} hg_monitor_past;

typedef struct hg_monitor {
  int workers;
  double grid;                             /**< cells */
  hg_partial_speed *speed;                 /**< [workers] */
  int checks;                              /**< since the last move */
  hg_monitor_past past[HG_MONITOR_CHECKS]; /**< the oldest first */
  double *share, *divided;                 /**< [workers] cells, at present and in a division under consideration */
  double *numbers;                         /**< memory of all arrays */
  double step;                             /**< s per step in the last check; 0: none yet */
  bool checked;                            /**< checked at least once */
  int hysteresis;                          /**< checks required for a move; more after one that changed nothing */
} hg_monitor;

/** When a move is worth it. */
typedef struct hg_monitor_rule {
  double tolerance;  /**< least gain, as a share of a balanced step's time, > 0 */
  double cost;       /**< expected time of a move, s; 0: it does not matter */
  double steps_left; /**< >= 0 */
  double least;      /**< s that each worker must have worked for a check to count; shorter times are noise */
} hg_monitor_rule;

/** HG_MEMORY. Free with hg_monitor_close. */
hg_status hg_monitor_open(int workers, double grid, hg_monitor *out);
void hg_monitor_close(hg_monitor *monitor);

/** Whether a check is complete: every worker with a share has finished something and worked for long enough; or
 * another has for much longer, so that the share of a worker of known speed was given to others meanwhile. */
bool hg_monitor_complete(const hg_monitor *monitor, const hg_monitor_sample *sample, const hg_monitor_rule *rule);

/** Takes a complete check into account; returns whether to divide again now. O(workers HG_MONITOR_CHECKS).
 * @param sample  [workers] */
bool hg_monitor_check(hg_monitor *monitor, const hg_monitor_sample *sample, const hg_monitor_rule *rule);

/** Tells that the grid was divided again, or (`changed` false) that it could not be divided any better. */
void hg_monitor_moved(hg_monitor *monitor, bool changed);

/** Models of the workers, for the division. A worker that has done nothing is tried with the mean speed of those of
 * its kind that have; if there are none, it gets speed 0 and no part.
 * @param kind  [workers] @param[out] speed  [workers] cells/s, constant, for workers without measurements
 * @param[out] model  [workers] refer to the monitor; those with speed 0 are not set */
void hg_monitor_models(const hg_monitor *monitor, const int *kind, double *speed, hg_speed_model *model);
#endif
