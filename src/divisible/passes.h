/* SPDX-License-Identifier: MIT */
/* Divisible jobs as StarPU tasks. A pass divides the items among ranks and workers by what is learnt
 * (divisible/shares.h) and a GPU's share into streams (divisible/streams.h); each chunk is a task bound to
 * its worker, on handles of its own that live as long as the pass, so that results are in main
 * memory behind it. Graphs of tiles (graph/graph.h) keep values where they are computed and divide
 * regions of a grid; here arrays are the user's, lie on rank 0, and come back after each pass, or lie on all ranks by
 * their shares of the items. */
#ifndef HG_DIVISIBLE_PASSES_H
#define HG_DIVISIBLE_PASSES_H

#include "codelets/divisible/items.h"
#include "runtime/session.h"
#include "divisible/pass_log.h"

/** Checks a job (HG_INVALID naming the field), reads models, pins arrays. Collective. What
 * hg_divisible_open returns.
 * @param session  open; kept by reference */
hg_status hg_divisible_make(const hg_session *session, const hg_divisible *job, hg_divisible_run **out);

/** Divides the items of the next pass and prepares workers for them: hg_divisible_begin does so unless it has been
 * done, which is the place for whoever counts the time of passes. Collective. What `prepare` returns, HG_MEMORY. */
hg_status hg_divisible_plan(hg_divisible_run *run);

/** Begins a pass: inputs travel, tasks are submitted. Collective. */
hg_status hg_divisible_begin(hg_divisible_run *run);

/** Waits for it, and learns. Collective. */
hg_status hg_divisible_end(hg_divisible_run *run);

/** The last pass. */
const hg_divisible_report *hg_divisible_last(const hg_divisible_run *run);

/** Items of a pass, on all ranks. */
int64_t hg_divisible_jobs(const hg_divisible_run *run);

/** Adds the last pass to what is known of passes, of the workers of all ranks; `passes` is all 0 before the first.
 * Collective. HG_MEMORY; hg_passes_end in any case. */
hg_status hg_divisible_record(const hg_divisible_run *run, hg_passes *passes);

/** What hg_divisible_part, _scatter, _gather and _hand_over are (divisible/divisible.h). */
hg_status hg_item_part_find(hg_divisible_run *run, int array, hg_item_part *out);
hg_status hg_item_part_scatter(hg_divisible_run *run, int array, const void *all);
hg_status hg_item_part_gather(hg_divisible_run *run, int array, void *all);
hg_status hg_item_part_hand_over(hg_divisible_run *from, int array, hg_divisible_run *to, int target);

/** Writes what was learnt to the folder of models, if there is one. Collective. HG_IO. */
hg_status hg_divisible_save(const hg_divisible_run *run);

/** All of it but the structure, whose codelet StarPU knows until it ends. */
void hg_divisible_release(hg_divisible_run *run);
#endif
