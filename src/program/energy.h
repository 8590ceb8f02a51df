/* SPDX-License-Identifier: MIT */
/* Energy of timed runs in every program (`--energy`): counters are read directly before and after a run, once per
 * machine. What they do not cover is modelled from the workers' computing times and the powers in a platform file.
 * Every joule has a source, and a coverage. */
#ifndef HG_PROGRAM_ENERGY_H
#define HG_PROGRAM_ENERGY_H

#include "program/observer.h"
#include "result/report.h"

extern const hg_observer hg_energy_observer;

/** Modelled energy of the last run for each worker of this rank; NULL if nothing is modelled. */
const hg_worker_energy *hg_energy_of_workers(void);
#endif
