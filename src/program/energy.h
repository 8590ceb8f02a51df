/* SPDX-License-Identifier: MIT */
/* Joules beside seconds in every program (`--energy`): counters are read right before and behind a
 * timed run, once on each machine; what they cannot read is modelled from the times that workers
 * computed and the powers of a platform file. Every joule has a source, and a coverage. */
#ifndef HG_PROGRAM_ENERGY_H
#define HG_PROGRAM_ENERGY_H

#include "program/observer.h"
#include "result/report.h"

extern const hg_observer hg_energy_observer;

/** What the last run cost on each worker of this rank, modelled; NULL if nothing is. */
const hg_worker_energy *hg_energy_of_workers(void);
#endif
