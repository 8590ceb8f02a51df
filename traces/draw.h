/* SPDX-License-Identifier: MIT */
/* Pictures of a trace. */
#ifndef HG_TRACES_DRAW_H
#define HG_TRACES_DRAW_H

#include "chart/canvas.h"
#include "traces/summary.h"

typedef hg_status hg_trace_drawing(hg_canvas *c, const hg_trace *trace, const hg_trace_summary *summary);

/** Gantt chart: a row per worker, time to the right, tasks in their kind's colour, what is not a task below them.
 * Neighbouring tasks of a kind that are too narrow to be seen are drawn as one. HG_MEMORY. */
hg_trace_drawing hg_trace_draw_gantt;

/** Map of the tiles: each in the colours of the workers that wrote it, in proportion to their time. Only the lowest
 * layer of a 3-D grid. HG_MEMORY; HG_INVALID if no task wrote to a tile with coordinates. */
hg_trace_drawing hg_trace_draw_map;

/** Draws one of them to a file, in the format that its ending tells. HG_IO, and what the drawing returns. */
hg_status hg_trace_draw(const char *path, hg_trace_drawing *drawing, const hg_trace *trace,
                        const hg_trace_summary *summary);
#endif
