/* SPDX-License-Identifier: MIT */
/* Steps of an adr graph by one Krylov method over all blocks of all ranks: Newton's method, with BiCGSTAB for its
 * linear systems, preconditioned by the point blocks. Blocks do not overlap. Each half iteration exchanges faces one
 * plane deep, and dot products are summed over all blocks in the order of their numbers, so the values depend only on
 * the regions.
 *
 * Nothing is submitted in advance: each half iteration has to wait for its sums. One block takes the same iterations
 * as its own inner solver, bit for bit; more blocks take as many, up to rounding. Internal to adr/. */
#ifndef HG_ADR_GLOBAL_H
#define HG_ADR_GLOBAL_H

#include "adr/tiles.h"

/** The sweeps of a step that all blocks have begun. Collective; returns the status of hg_adr_check_sweep. */
hg_status hg_adr_global_step(hg_adr_graph *g, hg_adr_task *task, int64_t number);
#endif
