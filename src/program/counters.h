/* SPDX-License-Identifier: MIT */
/* Energy counters on all machines of a run: each package, GPU and meter is read once, even if ranks share it. */
#ifndef HG_PROGRAM_COUNTERS_H
#define HG_PROGRAM_COUNTERS_H

#include "energy/choice.h"
#include "energy/source.h"
#include "runtime/session.h"

enum { HG_RAPL, HG_NVML, HG_METER, HG_COUNTERS, HG_COUNTERS_WHY = 300 };

typedef struct hg_counters {
  bool used[HG_COUNTERS];                 /**< on all machines */
  bool named;                             /**< the user named them */
  bool failed;                            /**< reading failed in the last run, so there are no joules */
  char failure[512];                      /**< reason of the failure */
  double joules[HG_COUNTERS];             /**< of the last run, over all machines */
  char why[HG_COUNTERS][HG_COUNTERS_WHY]; /**< why a counter is not used */
  hg_energy_source *source[HG_COUNTERS];  /**< NULL on ranks that do not read it */
} hg_counters;

/** Opens the chosen counters. Collective. Fails if a named one does not exist. */
hg_status hg_counters_open(const hg_session *session, const hg_energy_choice *choice, hg_counters *counters);

/** Reads the counters when a run begins; a failure is kept in `failed`. */
void hg_counters_begin(hg_counters *counters);

/** Reads them again when it ends; warns of a failure unless the counters were named. Collective. */
void hg_counters_end(const hg_session *session, hg_counters *counters);

void hg_counters_close(hg_counters *counters);

/** Whether any is used. */
bool hg_counters_any(const hg_counters *counters);

/** Whether a run of `seconds` is too short for one of them. */
bool hg_counters_are_coarse(const hg_counters *counters, double seconds);

/** "rapl", "nvml-sampled"; "package+dram". */
const char *hg_counters_name(const hg_counters *counters, int kind);
const char *hg_counters_coverage(const hg_counters *counters, int kind);
#endif
