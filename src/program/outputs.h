/* SPDX-License-Identifier: MIT */
/* The files of --output, for programs whose results are gathered on rank 0. */
#ifndef HG_PROGRAM_OUTPUTS_H
#define HG_PROGRAM_OUTPUTS_H

#include "options/arguments.h"
#include "options/grid_options.h"
#include "result/field.h"

/** Checks, as far as names and folders tell, that all can be written; on the rank that will write, before MPI starts.
 * Returns what hg_output_check does. */
hg_status hg_outputs_check(const hg_run_options *options);

/** Checks that another file that a program will write (or NULL) is none of them and not in the trace's folder: the
 * later one would replace the earlier one; and that it can be written. @param option  that names the file. HG_INVALID
 * naming both, and what hg_file_try returns. */
hg_status hg_outputs_apart(const hg_run_options *options, const char *option, const char *file);

/** Checks that another file (or NULL) is neither the checkpoint nor its previous generation. HG_INVALID naming both. */
hg_status hg_outputs_beside_checkpoint(const char *option, const char *file, const hg_grid_options *grid);

/** Checks that the files of a job on a grid differ: results, checkpoint and its previous generation, and phases.
 * HG_INVALID naming two. */
hg_status hg_outputs_of_grid(const hg_run_options *options, const hg_grid_options *grid);

/** Checks that no result, checkpoint (or NULL) or file of phases replaces a snapshot of a series, SERIES.STEP.ENDING,
 * or its index, SERIES.xmf. HG_INVALID naming it. */
hg_status hg_outputs_beside_series(const hg_run_options *options, const char *checkpoint, const char *series);

/** Checks that there will be something to write. HG_INVALID for output files with --plan-only. */
hg_status hg_outputs_planned(const hg_run_options *options, const hg_grid_options *grid);

/** Checks that results of `dims` dimensions and so many bytes fit. On one rank. Returns what hg_output_fits does. */
hg_status hg_outputs_fit(const hg_run_options *options, int dims, double bytes);

/** Writes a field to all of them, and prints their names. On one rank. Returns what hg_output_write does. */
hg_status hg_outputs_write(const hg_run_options *options, const hg_field *field);

/** Prints that file `i` is written, except in quiet or CSV mode. */
void hg_outputs_print(const hg_run_options *options, int i);
#endif
