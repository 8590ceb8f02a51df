/* SPDX-License-Identifier: MIT */
/* Which workers a grid is divided among for `--objective`, such as energy. */
#ifndef HG_DIVISION_OBJECTIVE_H
#define HG_DIVISION_OBJECTIVE_H

#include "runtime/session.h"
#include "energy/cluster_energy.h"

/** Chooses by the powers in a platform file; NULL or "": that of this machine (hetgrid-energy --measure).
 * @param kernels  kernels whose powers count (hg_power_of_kernels), or NULL
 * @param speed  [all_workers] in any unit
 * @param[out] use  [all_workers] whether a worker gets work; for the objective time, all with a speed
 * HG_INVALID, HG_IO: no powers */
hg_status hg_objective_use(const hg_session *session, hg_criterion objective, const char *powers, const char *kernels,
                           const double *speed, bool *use);
#endif
