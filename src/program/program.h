/* SPDX-License-Identifier: MIT */
/* Runs a program, as described in program/run_context.h. */
#ifndef HG_PROGRAM_PROGRAM_H
#define HG_PROGRAM_PROGRAM_H

#include "graph/graph.h"
#include "program/run_context.h"

/** Runs it. @return its exit status */
int hg_program_run(hg_run_context *context);

/** Prints or writes the phases of the last run's workers, if the options ask for them. Collective. HG_IO
 * @param times  [workers of this rank]; NULL: all time that StarPU counted is computing
 * @param dynamic  s spent between steps */
hg_status hg_context_phases(const hg_run_context *context, const hg_worker_times *times, double dynamic);

/** The same for a graph's workers. */
hg_status hg_context_phases_of_graph(const hg_run_context *context, const hg_graph *graph, double dynamic);
#endif
