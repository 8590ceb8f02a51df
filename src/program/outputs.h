/* SPDX-License-Identifier: MIT */
/* The files of --output, of programs whose results rank 0 has in one piece. */
#ifndef HG_PROGRAM_OUTPUTS_H
#define HG_PROGRAM_OUTPUTS_H

#include "options/arguments.h"
#include "options/grid_options.h"
#include "result/field.h"

/** Whether all can be written, as far as names and places tell; on the rank that will write, before MPI is started.
 * What hg_output_check returns. */
hg_status hg_outputs_check(const hg_run_options *options);

/** Whether another file that a program will write, or none, is one of them, or lies in the trace's folder: the later
 * one would replace the earlier one. @param option  that names it. HG_INVALID naming both. */
hg_status hg_outputs_apart(const hg_run_options *options, const char *option, const char *file);

/** Whether the files of a job on a grid differ: its results, its checkpoint and the one before, and its phases.
 * HG_INVALID naming two. */
hg_status hg_outputs_of_grid(const hg_run_options *options, const hg_grid_options *grid);

/** Whether no result, checkpoint (or NULL) or file of phases replaces a snapshot of a series, SERIES.STEP.ENDING, or
 * its index, SERIES.xmf. HG_INVALID naming it. */
hg_status hg_outputs_beside_series(const hg_run_options *options, const char *checkpoint, const char *series);

/** Whether there will be what is to be written. HG_INVALID for files of a plan. */
hg_status hg_outputs_planned(const hg_run_options *options, const hg_grid_options *grid);

/** Whether results of `dims` dimensions and so many bytes fit. On one rank. What hg_output_fits returns. */
hg_status hg_outputs_fit(const hg_run_options *options, int dims, double bytes);

/** Writes a field to all of them, and tells. On one rank. What hg_output_write returns. */
hg_status hg_outputs_write(const hg_run_options *options, const hg_field *field);

/** Says that file `i` is written, unless nothing but errors or CSV is wanted. */
void hg_outputs_print(const hg_run_options *options, int i);
#endif
