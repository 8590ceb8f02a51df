/* SPDX-License-Identifier: MIT */
/* Joules of a run from the powers of the machine it ran on: (1.16) of the paper named in energy/cluster_energy.h, with
 * an additional power for waiting, since workers that wait for tasks or messages poll and draw almost as much as when
 * computing:
 *
 *   E = sum over nodes base T + sum over units (full busy + wait waiting + idle unused) + switch T
 *
 * Example: a core with full=10 wait=8 that computes for 3 of 4 s, on a node with base=50: 10 * 3 + 8 * 1 + 50 * 4 =
 * 238 J. */
#ifndef HG_ENERGY_POWER_H
#define HG_ENERGY_POWER_H

#include <stdbool.h>

#include "platform/platform.h"

/** How a unit spent its time, in seconds. */
typedef struct hg_unit_use {
  double busy, wait, idle;
} hg_unit_use;

/** Joules by purpose. */
typedef struct hg_energy_breakdown {
  double base;    /**< of the nodes */
  double network; /**< of the switch */
  double cpu, gpu;
} hg_energy_breakdown;

/** Processors of the first `nodes` nodes, one after another. */
int hg_power_units(const hg_platform *platform, int nodes);

/** Which unit each worker is. Rank r runs on node r, or all ranks run on the only node; workers take its processors of
 * their kind in order.
 * @param rank, cuda  [workers] of each worker, ranks ascending
 * @param[out] unit   [workers]
 * @param[out] nodes  number of nodes used
 * HG_INVALID naming rank and platform if there are not enough nodes or processors, or processors of a used node have
 * no powers. */
hg_status hg_power_match(const hg_platform *platform, int ranks, int workers, const int *rank, const bool *cuda,
                         int *unit, int *nodes);

/** Sets each device's `full` to its power in the given kernels, where that is known.
 * @param kernels  of hg_power_kernels; with others, or NULL, nothing changes */
void hg_power_of_kernels(hg_platform *platform, const char *kernels);

/** J of a unit. */
double hg_power_of_use(const hg_device *device, const hg_unit_use *use);

/** The device of a unit. */
const hg_device *hg_power_device(const hg_platform *platform, int unit);

/** J of a run of `seconds` on the first `nodes` nodes; use[hg_power_units()]. */
hg_energy_breakdown hg_power_joules(const hg_platform *platform, int nodes, double seconds, const hg_unit_use *use);
#endif
