/* SPDX-License-Identifier: MIT */
/* Reports common to all runs on tiles: regions and phases. */
#ifndef HG_RESULT_REPORT_H
#define HG_RESULT_REPORT_H

#include <stdbool.h>

#include "graph/graph.h"

/** Prints the resources of a run, a line that the caller continues: " ran on 2 CPU and 0 CUDA workers of 1 rank". */
void hg_report_machine(const hg_session *session);

/** Activity of a run's workers, over all ranks. */
typedef struct hg_busy {
  double imbalance;            /**< largest / mean busy time */
  double communicate, compute; /**< s, mean */
} hg_busy;
hg_busy hg_report_busy(const hg_session *session, const hg_worker_times *times);

/** Time of a rank outside its tasks, s. */
typedef struct hg_own_phases {
  double initialise;
  double dynamic; /**< changes of neighbours and values between steps, while workers wait */
  double finalise;
} hg_own_phases;

/** Energy of a worker's run by the powers of its processor: s and J. */
typedef struct hg_worker_energy {
  double busy, wait, idle, joules;
} hg_worker_energy;

/** Writes a table of the phases per worker of all ranks (`--phases`; figures 6-6 of the thesis). Collective.
 * @param energy  [workers of this rank], on all ranks or none (NULL)
 * @param path  CSV file to write; NULL: a table for people on standard output. HG_IO */
hg_status hg_report_phases(const hg_session *session, const hg_worker_times *times, double seconds,
                           const hg_own_phases *own, const hg_worker_energy *energy, const char *path);

/** Prints a table of the regions (`--plan-only`). HG_MEMORY. */
hg_status hg_report_plan(const hg_session *session, const hg_tiling *tiling, int64_t value_bytes, bool csv);
#endif
