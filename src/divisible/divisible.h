/* SPDX-License-Identifier: MIT */
/* Divisible jobs: N independent items of work (transforms, images, samples) on CPU cores and GPUs
 * together, whose speeds nobody knows beforehand. The job is done in passes; each does every item
 * once and is the measurement for the next: how many items each worker gets, and in which portions
 * a GPU takes them so that transfers hide behind kernels (divisible/shares.h, divisible/streams.h). After
 * Ilic and Sousa, "Collaborative Execution Environment for Heterogeneous Parallel Systems" (2010):
 * a primitive job is an item here, a divisible task an hg_divisible, an agglomerative one sets
 * `agglomerative`.
 *
 *   static hg_status square(const hg_items *items)
 *   {
 *     double *x = items->array[0];
 *     for (int64_t i = 0; i < items->count; i++) x[i] *= x[i];
 *     return HG_OK;
 *   }
 *   hg_divisible job = {.name = "square", .grid = {n}, .cpu = square, .agglomerative = true,
 *                       .arrays = 1, .array = {{x, sizeof *x, .access = HG_ITEM_UPDATE}}};
 *   hg_divisible_run *run;
 *   if (hg_divisible_open(&job, &run) == HG_OK) hg_divisible_pass(run);
 *   hg_divisible_close(run); */
#ifndef HG_DIVISIBLE_DIVISIBLE_H
#define HG_DIVISIBLE_DIVISIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "codelets/divisible/items.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Starts StarPU (and MPI, as hg_start does) unless another run has; reads models, pins arrays.
 * Collective. Several runs may be open at once, of the same ranks and with the policy and the workers of the first;
 * passes that were submitted overlap. HG_INVALID naming what is wrong; HG_UNSUPPORTED for other ranks than those of the
 * runs that are open, HG_MEMORY, HG_NO_WORKER, HG_RUNTIME. */
hg_status hg_divisible_open(const hg_divisible *job, hg_divisible_run **out);

/** Submits a pass, and waits for it. The arrays may be read and changed between passes. Collective.
 * A function's failure ends the pass, with a message that names items and device. */
hg_status hg_divisible_pass(hg_divisible_run *run);

/** The same in two halves. What a pass uses is not to be touched in between. On one rank only.
 * @param after  a run whose submitted pass is waited for first, or NULL */
hg_status hg_divisible_submit(hg_divisible_run *run, hg_divisible_run *after);
hg_status hg_divisible_wait(hg_divisible_run *run);

/** The last pass; never fails. */
const hg_divisible_report *hg_divisible_report_of(const hg_divisible_run *run);

/** This rank's part of a divided array as it lies now: before the first pass and behind hg_divisible_scatter by the
 * shares of the next pass, behind a pass by the shares of that pass; what items read moves when the next one begins.
 * Its values may be read and changed between passes. HG_INVALID if the array is not divided, or in the middle of a
 * pass; HG_MEMORY. */
hg_status hg_divisible_part(hg_divisible_run *run, int array, hg_item_part *out);

/** Rank 0's values become those of a divided array, and the other way round: all of it, item behind item in each row.
 * Collective. HG_INVALID as above, HG_MEMORY. @param all  on rank 0; not touched on the others */
hg_status hg_divisible_scatter(hg_divisible_run *run, int array, const void *all);
hg_status hg_divisible_gather(hg_divisible_run *run, int array, void *all);

/** The values of a divided array of one run become those of another's, where its next pass wants them: each rank sends
 * every other one what it lacks. The arrays have as many items and pieces; or the items of one are the rows of the
 * other, which is a transposition: planes, then columns through all of them. Collective. HG_INVALID naming both if they
 * are neither, HG_MEMORY. */
hg_status hg_divisible_hand_over(hg_divisible_run *from, int array, hg_divisible_run *to, int target);

/** Writes models, ends the run, and StarPU with the last one. NULL does nothing. Collective. */
hg_status hg_divisible_close(hg_divisible_run *run);

/** Looks at the results when all passes are done. @param arg  the job's */
typedef hg_status (*hg_divisible_validate)(void *arg);

/** Runs a whole program: reads the command line (`--help` lists the options; they win over the
 * job's fields), does passes and prints one line or CSV row each. Returns the exit status, as
 * hg_main does.
 * @param check  called on rank 0 after the last pass, or NULL */
int hg_divisible_main(int argc, char **argv, const hg_divisible *job, hg_divisible_validate check);

#ifdef __cplusplus
}
#endif
#endif
