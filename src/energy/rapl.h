/* SPDX-License-Identifier: MIT */
/* The two ways to RAPL's counters. Internal to energy/. */
#ifndef HG_ENERGY_RAPL_H
#define HG_ENERGY_RAPL_H

#include "energy/source.h"

/** By perf events of the unit `power`: a counter of 64 bits for each package. HG_UNSUPPORTED, HG_IO
 */
hg_status hg_rapl_perf_open(hg_energy_source **out);

/** By powercap's files, which wrap at max_energy_range_uj and are read every 5 s therefore; since
 * Linux 5.10 by root alone. HG_UNSUPPORTED, HG_IO */
hg_status hg_rapl_powercap_open(hg_energy_source **out);

/** What both cover. */
#define HG_RAPL_COVERAGE(dram) ((dram) ? "package+dram" : "package")

/** s: counters are updated every millisecond, so that shorter windows are off by 1 % and more. */
#define HG_RAPL_SHORTEST .1
#endif
