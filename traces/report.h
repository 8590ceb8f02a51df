/* SPDX-License-Identifier: MIT */
/* Files made of a trace. */
#ifndef HG_TRACES_REPORT_H
#define HG_TRACES_REPORT_H

#include "traces/summary.h"

/** What fills such a file. */
typedef hg_status hg_trace_writer(FILE *out, const hg_trace *trace, const hg_trace_summary *summary);

/** Writes a file that appears whole or not at all. HG_IO, and what `write` returns. */
hg_status hg_trace_write(const char *path, hg_trace_writer *write, const hg_trace *trace,
                         const hg_trace_summary *summary);

/** Reads a converted trace and writes summary.txt, summary.csv, gantt.svg and, if tiles have coordinates, map.svg
 * beside it, and paje.trace where StarPU has written none; warns, and writes none, if no task ran. HG_IO, HG_FORMAT,
 * HG_MEMORY. */
hg_status hg_trace_report(const char *folder);
#endif
