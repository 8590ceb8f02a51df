/* SPDX-License-Identifier: MIT */
/* Divisible jobs as StarPU tasks. A pass divides the items among ranks and workers by what has been learnt
 * (divisible/shares.h) and a GPU's share into streams (divisible/streams.h). Each chunk is a task bound to its worker,
 * with its own handles that exist as long as the pass, so that results are in main memory afterwards. Graphs of tiles
 * (graph/graph.h), in contrast, keep values where they are computed and divide regions of a grid. Here arrays belong
 * to the user; they are on rank 0 and return there after each pass, or are divided among all ranks by their shares of
 * the items. */
#ifndef HG_DIVISIBLE_PASSES_H
#define HG_DIVISIBLE_PASSES_H

#include "codelets/divisible/items.h"
#include "runtime/session.h"
#include "divisible/pass_log.h"

/** Checks a job (HG_INVALID naming the field), reads models, pins arrays. Collective. Returns the statuses of
 * hg_divisible_open.
 * @param session  open; kept by reference */
hg_status hg_divisible_make(const hg_session *session, const hg_divisible *job, hg_divisible_run **out);

/** Divides the items of the next pass and prepares workers for them. hg_divisible_begin does so if it has not been
 * done; call it before to keep it out of the time of a pass. Collective. Returns any status of `prepare`, HG_MEMORY. */
hg_status hg_divisible_plan(hg_divisible_run *run);

/** Begins a pass: sends inputs and submits tasks. Collective. */
hg_status hg_divisible_begin(hg_divisible_run *run);

/** Waits for its end, and learns from it. Collective. */
hg_status hg_divisible_end(hg_divisible_run *run);

/** The last pass. */
const hg_divisible_report *hg_divisible_last(const hg_divisible_run *run);

/** Items of a pass, on all ranks. */
int64_t hg_divisible_jobs(const hg_divisible_run *run);

/** Adds the last pass, with the workers of all ranks, to the record; `passes` is all 0 before the first. Collective.
 * HG_MEMORY; call hg_passes_end in any case. */
hg_status hg_divisible_record(const hg_divisible_run *run, hg_passes *passes);

/** Implement hg_divisible_part, _scatter, _gather and _hand_over (divisible/divisible.h). */
hg_status hg_item_part_find(hg_divisible_run *run, int array, hg_item_part *out);
hg_status hg_item_part_scatter(hg_divisible_run *run, int array, const void *all);
hg_status hg_item_part_gather(hg_divisible_run *run, int array, void *all);
hg_status hg_item_part_hand_over(hg_divisible_run *from, int array, hg_divisible_run *to, int target);

/** Writes what was learnt to the folder of models, if there is one. Collective. HG_IO. */
hg_status hg_divisible_save(const hg_divisible_run *run);

/** Frees everything except the structure, whose codelet StarPU refers to until it ends. */
void hg_divisible_release(hg_divisible_run *run);
#endif
