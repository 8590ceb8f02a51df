/* SPDX-License-Identifier: MIT */
/* Lives a program: src/program/life.h says what that is. */
#ifndef HG_PROGRAM_PROGRAM_H
#define HG_PROGRAM_PROGRAM_H

#include "graph/graph.h"
#include "program/life.h"

/** Lives it. @return the exit status */
int hg_live(hg_life *life);

/** Prints or writes the phases of the last run's workers, if the options want them. Collective. HG_IO
 * @param times  [workers of this rank], or NULL: what StarPU counted is computing
 * @param dynamic  s spent between steps */
hg_status hg_life_phases(const hg_life *life, const hg_worker_times *times, double dynamic);

/** The same, of a graph's workers. */
hg_status hg_life_phases_of_graph(const hg_life *life, const hg_graph *graph, double dynamic);
#endif
