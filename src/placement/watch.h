/* SPDX-License-Identifier: MIT */
/* Whether to divide anew while a program runs: what workers do is watched, what they could do is learnt, and a move is
 * worth it when what balance would have saved pays for it. No runtime in here.
 *
 * A look gives what each worker has done since the last one, and so its speed s_i. With shares of n_i cells a step
 * lasts max n_i / s_i, and would last n / sum s_i if shares followed the speeds. Two looks in a row must agree that the
 * gain is larger than the tolerance. Where the cost of a move is known, the loss since the last balanced look must have
 * reached half of it too, and the steps that are left must gain more than it takes: so whatever passes quickly moves
 * nothing, and what lasts costs little more than it had to (the rule of those who rent skis). A move that did not help
 * is not repeated soon.
 *
 * Speeds are learnt as partial functions of work, as in DFPA (model/partial.h).
 *
 * Example: two workers with 500 of 1000 cells each, at 100 and 50 cells/s: a step lasts 10 s, and in balance 1000 / 150
 * = 6.7 s. With a cost of 20 s two looks of 3 steps (a loss of 20 s) suffice, if more than 6 steps are left. */
#ifndef HG_PLACEMENT_WATCH_H
#define HG_PLACEMENT_WATCH_H

#include <stdbool.h>

#include "model/speed.h"

/** What a worker has done since the last look. */
typedef struct hg_watch_sample {
  double cells; /**< times steps */
  double busy;  /**< s */
  double share; /**< cells of the grid that are its to do; 0: none */
} hg_watch_sample;

typedef struct hg_watch {
  int workers;
  double grid;             /**< cells */
  hg_partial_speed *speed; /**< [workers] */
  double lost;             /**< s, since shares were last in balance */
  double gain;             /**< s a step, that balance would save: at the last look */
  int out_of_balance;      /**< looks in a row */
  int hold, held;          /**< looks that are let pass after a move; how many of them have */
  double promised;         /**< s a step, that the last move was to save; 0: none */
} hg_watch;

/** When a move is worth it. */
typedef struct hg_watch_rule {
  double tolerance;  /**< least share of a step's time in balance that must be gained, > 0 */
  double cost;       /**< s that a move is expected to take; 0: it does not matter */
  double steps_left; /**< >= 0 */
  double least;      /**< s that each worker must have worked for a look to say enough: what passes in less is noise */
} hg_watch_rule;

/** HG_MEMORY. Free with hg_watch_close. */
hg_status hg_watch_open(int workers, double grid, hg_watch *out);
void hg_watch_close(hg_watch *watch);

/** Whether a look says enough: every worker with a share has finished something, and has worked for long enough. */
bool hg_watch_complete(const hg_watch *watch, const hg_watch_sample *sample, const hg_watch_rule *rule);

/** Takes a complete look into account; whether to divide anew now. @param sample  [workers] */
bool hg_watch_look(hg_watch *watch, const hg_watch_sample *sample, const hg_watch_rule *rule);

/** The grid was divided anew, or could not be divided any better. */
void hg_watch_moved(hg_watch *watch);

/** What is known of the workers, for the division. A worker that has done nothing gets the mean speed of those of its
 * kind that have, to be tried; without any it gets no part: a speed of 0.
 * @param kind  [workers] @param[out] speed  [workers] cells/s, constant: for workers of which nothing is known
 * @param[out] model  [workers] refer to the watch; those of speed 0 are not set */
void hg_watch_models(const hg_watch *watch, const int *kind, double *speed, hg_speed_model *model);
#endif
