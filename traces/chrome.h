/* SPDX-License-Identifier: MIT */
/* A trace in the JSON format that Perfetto and Chrome's tracing page open (Trace Event Format). */
#ifndef HG_TRACES_CHROME_H
#define HG_TRACES_CHROME_H

#include "traces/report.h"

/** Writes it: ranks as processes, workers as threads, tasks as slices with their tile and what else is known, what is
 * not a task in a row of its own, messages between ranks as slices at both ends that an arrow joins, copies within a
 * rank as asynchronous events, dependencies as arrows, ready tasks and bytes in flight as counters. Times are
 * microseconds since the run's start. HG_IO, HG_MEMORY. */
hg_trace_writer hg_trace_write_chrome;
#endif
