/* SPDX-License-Identifier: MIT */
/* Pictures of a trace, as SVG. */
#ifndef HG_TRACES_DRAW_H
#define HG_TRACES_DRAW_H

#include <stdio.h>

#include "traces/summary.h"

/** Gantt chart: a row per worker, time to the right, tasks in their kind's colour, what is not a task below them.
 * Neighbouring tasks of a kind that are too narrow to be seen are drawn as one. HG_IO, HG_MEMORY. */
hg_status hg_trace_draw_gantt(FILE *out, const hg_trace *trace, const hg_trace_summary *summary);

/** Map of the tiles: each in the colours of the workers that wrote it, in proportion to their time. Only the lowest
 * layer of a 3-D grid. HG_IO, HG_MEMORY; HG_INVALID if no task wrote to a tile with coordinates. */
hg_status hg_trace_draw_map(FILE *out, const hg_trace *trace, const hg_trace_summary *summary);
#endif
