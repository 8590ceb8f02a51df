/* SPDX-License-Identifier: MIT */
/* How a problem is solved. */
#ifndef HG_ADR_SETTINGS_H
#define HG_ADR_SETTINGS_H

#include "adr/problem.h"
#include "async/termination.h"

enum { HG_ADR_INNER_LIMIT = 1000 }; /* iterations of an inner solve */

typedef struct hg_adr_settings {
  double time;            /**< at the end, s, > 0 */
  int64_t steps;          /**< equal ones, >= 0 */
  bool bdf2;              /**< second order; implicit Euler otherwise, and in the first step */
  double tolerance;       /**< largest |F| / (|u_old| + 1) of a step, > 0 */
  double inner;           /**< an inner solver reduces its residual by this, 0 < inner < 1 */
  bool bicg;              /**< BiCG in place of BiCGSTAB */
  bool global;            /**< BiCGSTAB over all blocks in place of one in each; without overlap, and not async */
  bool in_double;         /**< inner solver in double precision; otherwise in single */
  bool once;              /**< the Jacobian is that of the beginning of a step */
  int overlap;            /**< planes, >= 0 */
  int64_t sweeps;         /**< of a step at most, >= 1 */
  bool async;             /**< blocks do not wait for each other within a step, */
  bool eager;             /**< and sweep on where there is nothing new, */
  bool forced;            /**< also where nothing proves that they converge; */
  hg_detection detection; /**< how they find the end */
} hg_adr_settings;

/** What the steps since the load took. */
typedef struct hg_adr_stats {
  int64_t steps;
  int64_t sweeps;               /**< all; asynchronous: of the rank that needed most */
  int64_t fewest, most;         /**< of a step, and of a block */
  int64_t snapshots, fallbacks; /**< frozen vectors measured; steps that were made synchronously in place of async */
  int64_t uncertain;            /**< of these, as nothing proved that they would converge */
  int64_t staleness;            /**< sweeps in a row without news from a neighbour, at most */
  double iterations;            /**< of the inner solver, largest of all blocks */
  double residual;              /**< at the end of the last step */
} hg_adr_stats;

#define HG_ADR_SETTINGS_DEFAULTS                                                                                       \
  {                                                                                                                    \
    .time = .1, .steps = 10, .tolerance = 1e-8, .inner = .1, .overlap = 2, .sweeps = 200                               \
  }

/** HG_INVALID naming value and bound. */
hg_status hg_adr_settings_check(const hg_adr_settings *settings);

/** Whether what a neighbour weighs in a step is what solvers can bear. HG_INVALID naming value and bound. */
hg_status hg_adr_step_check(const hg_adr_problem *problem, const hg_adr_settings *settings);

/** Counts a step. */
void hg_adr_count(hg_adr_stats *stats, int64_t fewest, int64_t most);

/** What the tasks of a step need. @param number  of the step, from 1 */
hg_adr_step hg_adr_step_make(const hg_adr_problem *problem, const hg_adr_settings *settings, int64_t number);

/** When a step ends, s. */
double hg_adr_time(const hg_adr_settings *settings, int64_t number);

/** Whether a step is one of BDF2. */
bool hg_adr_is_bdf2(const hg_adr_settings *settings, int64_t number);

/** After a sweep: HG_OK, or HG_RUNTIME that names the step if values overflow, the residual grew without bound, the
 * inner solver broke down, or there were too many sweeps. @param sweep  from 0 @param first
 * residual before sweep 0 */
hg_status hg_adr_check_sweep(const hg_adr_settings *settings, int64_t number, int64_t sweep, double residual,
                             double first, double failed);
#endif
