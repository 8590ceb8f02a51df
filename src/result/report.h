/* SPDX-License-Identifier: MIT */
/* What any run on tiles prints: regions, phases. */
#ifndef HG_RESULT_REPORT_H
#define HG_RESULT_REPORT_H

#include <stdbool.h>

#include "graph/graph.h"

/** The line that says what a run used: "  ran on     2 CPU and 0 CUDA workers of 1 rank", which the caller goes on. */
void hg_report_machine(const hg_session *session);

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

/** What a worker's run cost by the powers of its processor: s and J. */
typedef struct hg_worker_energy {
  double busy, wait, idle, joules;
} hg_worker_energy;

/** Table of the phases per worker of all ranks (`--phases`; figures 6-6 of the thesis). Collective.
 * @param energy  [workers of this rank], on all ranks or none (NULL)
 * @param path  CSV file to write, or NULL: a table for people on standard output. HG_IO */
hg_status hg_report_phases(const hg_session *session, const hg_worker_times *times, double seconds,
                           const hg_own_phases *own, const hg_worker_energy *energy, const char *path);

/** Table of the regions (`--plan-only`). HG_MEMORY. */
hg_status hg_report_plan(const hg_session *session, const hg_tiling *tiling, int64_t value_bytes, bool csv);
#endif
