/* SPDX-License-Identifier: MIT */
/* The two ways to read RAPL's counters. Internal to energy/. */
#ifndef HG_ENERGY_RAPL_H
#define HG_ENERGY_RAPL_H

#include "energy/source.h"

/** By perf events of the PMU `power`: a 64-bit counter per package. HG_UNSUPPORTED, HG_IO */
hg_status hg_rapl_perf_open(hg_energy_source **out);

/** By powercap's files. They wrap at max_energy_range_uj and are therefore read every 5 s; since Linux 5.10 only root
 * may read them. HG_UNSUPPORTED, HG_IO */
hg_status hg_rapl_powercap_open(hg_energy_source **out);

/** The coverage of both. */
#define HG_RAPL_COVERAGE(dram) ((dram) ? "package+dram" : "package")

/** s: counters are updated every millisecond, so shorter windows have errors of 1 % and more. */
#define HG_RAPL_SHORTEST .1
#endif
