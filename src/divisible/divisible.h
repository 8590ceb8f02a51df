/* SPDX-License-Identifier: MIT */
/* Divisible jobs: N independent items of work (transforms, images, samples) on CPU cores and GPUs together, whose
 * speeds are not known in advance. The job is done in passes. Each pass processes every item once and is the
 * measurement for the next: how many items each worker gets, and in which portions a GPU takes them so that transfers
 * are hidden behind kernels (divisible/shares.h, divisible/streams.h). After Ilic and Sousa, "Collaborative Execution
 * Environment for Heterogeneous Parallel Systems" (2010): their primitive job is an item here, their divisible task an
 * hg_divisible, and an agglomerative one sets `agglomerative`.
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

/** Starts StarPU (and MPI, like hg_start) unless another run has; reads models, pins arrays. Collective. Several runs
 * may be open at once, on the same ranks and with the policy and the workers of the first; submitted passes of
 * different runs overlap. HG_INVALID naming the error; HG_UNSUPPORTED if the ranks differ from those of open runs, and,
 * as all functions, while another thread is in one of them, or in a process that was forked during a run; HG_MEMORY,
 * HG_NO_WORKER, HG_RUNTIME. */
hg_status hg_divisible_open(const hg_divisible *job, hg_divisible_run **out);

/** Runs a pass to its end. The arrays may be read and changed between passes. Collective.
 * A function's failure ends the pass, with a message that names items and device. */
hg_status hg_divisible_pass(hg_divisible_run *run);

/** The same in two halves. In between, the data of the pass must not be touched. On one rank only.
 * @param after  a run whose submitted pass must end first, or NULL */
hg_status hg_divisible_submit(hg_divisible_run *run, hg_divisible_run *after);
hg_status hg_divisible_wait(hg_divisible_run *run);

/** The report of the last pass; never fails. */
const hg_divisible_report *hg_divisible_report_of(const hg_divisible_run *run);

/** This rank's part of a divided array. Before the first pass and after hg_divisible_scatter it follows the shares of
 * the next pass; after a pass, the shares of that pass. Arrays that items read are redistributed when the next pass
 * begins. The values may be read and changed between passes. HG_INVALID if the array is not divided, or during a pass;
 * HG_MEMORY. */
hg_status hg_divisible_part(hg_divisible_run *run, int array, hg_item_part *out);

/** Copies rank 0's values to a divided array, and the reverse: the whole array, with the items of each row contiguous.
 * Collective. HG_INVALID as above, HG_MEMORY. @param all  on rank 0; not used on the others */
hg_status hg_divisible_scatter(hg_divisible_run *run, int array, const void *all);
hg_status hg_divisible_gather(hg_divisible_run *run, int array, void *all);

/** Copies the values of a run's divided array to another array, of any run, in the division of its next pass: each rank
 * sends every other rank what that lacks. The arrays have the same numbers of items and pieces; or the items of one
 * are the rows of the other, which is a transposition: planes, then columns through all of them. Collective.
 * HG_INVALID naming both if neither holds, HG_MEMORY. */
hg_status hg_divisible_hand_over(hg_divisible_run *from, int array, hg_divisible_run *to, int target);

/** Writes models and ends the run; the last run also ends StarPU. NULL does nothing. Collective. */
hg_status hg_divisible_close(hg_divisible_run *run);

/** Checks the results after all passes. @param arg  the job's */
typedef hg_status (*hg_divisible_validate)(void *arg);

/** Runs a whole program: reads the command line (`--help` lists the options, which override the job's fields), runs
 * passes and prints a line or CSV row for each. Returns the exit status, like hg_main.
 * @param check  called on rank 0 after the last pass, or NULL */
int hg_divisible_main(int argc, char **argv, const hg_divisible *job, hg_divisible_validate check);

#ifdef __cplusplus
}
#endif
#endif
