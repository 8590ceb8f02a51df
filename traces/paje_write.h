/* SPDX-License-Identifier: MIT */
/* A trace as ViTE and pj_dump open it, where StarPU has written none: without FxT, and in virtual time. */
#ifndef HG_TRACES_PAJE_WRITE_H
#define HG_TRACES_PAJE_WRITE_H

#include <stdio.h>

#include "traces/summary.h"

/** Writes it in the format of traces/paje.h: ranks and their workers as containers, tasks as states in the colours of
 * their kinds, waiting in grey, messages between ranks as links. Events are in the order of time, in ms since the run's
 * start. HG_IO, HG_MEMORY. */
hg_status hg_trace_write_paje(FILE *out, const hg_trace *trace, const hg_trace_summary *summary);
#endif
