/* SPDX-License-Identifier: MIT */
/* Steps of an adr graph by one Krylov method over all blocks of all ranks: Newton's method, and BiCGSTAB for its linear
 * systems, preconditioned by the point blocks. Blocks do not overlap. Each half iteration exchanges faces a plane deep,
 * and dot products are summed over all blocks in the order of their numbers, so the values depend on the regions alone.
 *
 * Nothing is submitted in advance: each half iteration waits for its sums, which is inherent. One block takes the
 * iterations of its own inner solver, bit for bit; more blocks as many, but for roundings. Internal to adr/. */
#ifndef HG_ADR_GLOBAL_H
#define HG_ADR_GLOBAL_H

#include "adr/tiles.h"

/** The sweeps of a step that all blocks have begun. Collective; what hg_adr_check_sweep says. */
hg_status hg_adr_global_step(hg_adr_graph *g, hg_adr_task *task, int64_t number);
#endif
