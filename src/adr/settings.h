/* SPDX-License-Identifier: MIT */
/* How a problem is solved. */
#ifndef HG_ADR_SETTINGS_H
#define HG_ADR_SETTINGS_H

#include "adr/problem.h"
#include "async/termination.h"

enum { HG_ADR_INNER_LIMIT = 1000 }; /* of an inner solve */

typedef struct hg_adr_settings {
  double time;            /**< at the end, s, > 0 */
  int64_t steps;          /**< number of equal steps, >= 0 */
  bool bdf2;              /**< second order; implicit Euler otherwise, and in the first step */
  double tolerance;       /**< largest |F| / (|u_old| + 1) of a step, > 0 */
  double inner;           /**< factor by which an inner solver reduces its residual, 0 < inner < 1 */
  bool bicg;              /**< BiCG in place of BiCGSTAB */
  bool global;            /**< BiCGSTAB over all blocks instead of one in each block; without overlap, and not async */
  bool in_double;         /**< inner solver in double precision; otherwise in single */
  bool once;              /**< the Jacobian is computed once, at the beginning of a step */
  int overlap;            /**< planes, >= 0 */
  int64_t sweeps;         /**< most sweeps of a step, >= 1 */
  bool async;             /**< blocks do not wait for each other within a step, */
  bool eager;             /**< continue to sweep when nothing new has arrived, */
  bool forced;            /**< and do so even if nothing proves convergence; */
  hg_detection detection; /**< how the end is detected */
} hg_adr_settings;

/** Counts of the steps since the load. */
typedef struct hg_adr_stats {
  int64_t steps;
  int64_t sweeps;               /**< total; asynchronous: on the rank with the most */
  int64_t fewest, most;         /**< of a step, and of a block */
  int64_t snapshots, fallbacks; /**< frozen vectors measured; asynchronous steps that were repeated synchronously */
  int64_t uncertain;            /**< those of them for which convergence was not proved */
  int64_t staleness;            /**< most sweeps in a row without news from a neighbour */
  double iterations;            /**< of the inner solver, largest over all blocks */
  double residual;              /**< at the end of the last step */
} hg_adr_stats;

#define HG_ADR_SETTINGS_DEFAULTS                                                                                       \
  {                                                                                                                    \
    .time = .1, .steps = 10, .tolerance = 1e-8, .inner = .1, .overlap = 2, .sweeps = 200                               \
  }

/** HG_INVALID naming value and bound. */
hg_status hg_adr_settings_check(const hg_adr_settings *settings);

/** Whether the neighbours' weights in a step are within what solvers can handle. HG_INVALID naming value and bound. */
hg_status hg_adr_step_check(const hg_adr_problem *problem, const hg_adr_settings *settings);

/** Counts a step. */
void hg_adr_count(hg_adr_stats *stats, int64_t fewest, int64_t most);

/** The arguments of a step's tasks. @param number  of the step, from 1 */
hg_adr_step hg_adr_step_make(const hg_adr_problem *problem, const hg_adr_settings *settings, int64_t number);

/** The time at which a step ends, s. */
double hg_adr_time(const hg_adr_settings *settings, int64_t number);

/** Whether a step uses BDF2. */
bool hg_adr_is_bdf2(const hg_adr_settings *settings, int64_t number);

/** To be called after a sweep: HG_OK, or HG_RUNTIME naming the step if values overflowed, the residual grew without
 * bound, the inner solver broke down, or there were too many sweeps. @param sweep  from 0 @param first residual before
 * sweep 0 */
hg_status hg_adr_check_sweep(const hg_adr_settings *settings, int64_t number, int64_t sweep, double residual,
                             double first, double failed);
#endif
