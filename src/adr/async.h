/* SPDX-License-Identifier: MIT */
/* Steps of an adr graph without waiting: blocks sweep with the newest margins that have arrived (async/blocks.h), and
 * the values of the step are the frozen ones whose residual was measured. The next step begins on all blocks with the
 * margins of that vector. Where sweeps are not certain to converge (certified.h), or did not, a step is made
 * synchronously. Internal to adr/. */
#ifndef HG_ADR_ASYNC_H
#define HG_ADR_ASYNC_H

#include "adr/tiles.h"
#include "traces/ages.h"

typedef struct hg_adr_async hg_adr_async;

/** For the blocks of a graph. Collective. HG_MEMORY, HG_INVALID. */
hg_status hg_adr_async_make(hg_adr_graph *g, hg_adr_async **out);

/** The sweeps of a step that all blocks have begun. Collective. @param[out] done  false: they did not converge, and
 * the values are those of the previous step, for a synchronous step */
hg_status hg_adr_async_step(hg_adr_async *a, const hg_adr_task *task, bool *done);

/** The first restarts the count of ages of the data that blocks read, the second returns it. @param[out] block  as
 * hg_graph_operations.ages */
void hg_adr_async_forget(hg_adr_async *a);
void hg_adr_async_ages(const hg_adr_async *a, hg_block_ages *block);

/** Collective; may be NULL. */
void hg_adr_async_free(hg_adr_async *a);
#endif
