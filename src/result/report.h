/* SPDX-License-Identifier: MIT */
/* What a heat run prints. */
#ifndef HG_RESULT_REPORT_H
#define HG_RESULT_REPORT_H

#include "graph/session.h"
#include "graph/heat.h"
#include "placement/tiling.h"

/** One timed run. */
typedef struct hg_heat_run {
  const hg_heat_problem *problem;
  const hg_session *session;
  const hg_tiling *tiling;
  const char *partition, *kernel;
  int repeat;    /**< number of the run, from 0 */
  int64_t steps; /**< steps done in this run */
  double change; /**< largest change of the last step, < 0 if not measured */
  double seconds;
  double halo_bytes; /**< exchanged between regions, all ranks, the whole run */
  double imbalance;  /**< largest / mean busy time of all workers */
  double phase[3];   /**< s, mean over all workers: communicate, compute, idle */
} hg_heat_run;

/** Fills the measured parts of *run from the stencil's counters. Collective. */
hg_status hg_report_measure(hg_heat_run *run, hg_stencil *stencil);

void hg_report_csv_header(void);
void hg_report_csv(const hg_heat_run *run, const char *status);

/** A few lines for people. */
void hg_report_text(const hg_heat_run *run);

/** What a run's workers did, over all ranks. */
typedef struct hg_busy {
  double imbalance;            /**< largest / mean busy time */
  double communicate, compute; /**< s, mean */
} hg_busy;
hg_busy hg_report_busy(const hg_session *session, const hg_worker_times *times);

/** What a rank does outside its tasks, in seconds. */
typedef struct hg_own_phases {
  double initialise;
  double dynamic; /**< neighbours and values that change between steps; workers wait meanwhile */
  double finalise;
} hg_own_phases;

/** Table of the phases per worker of all ranks (`--phases`; figures 6-6 of the thesis). Collective. */
void hg_report_phases(const hg_session *session, const hg_worker_times *times, double seconds,
                      const hg_own_phases *own);

/** Table of the regions (`--plan-only`). */
hg_status hg_report_plan(const hg_heat_problem *problem, const hg_session *session, const hg_tiling *tiling);
#endif
