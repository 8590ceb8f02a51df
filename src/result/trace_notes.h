/* SPDX-License-Identifier: MIT */
/* Notes on a run beside its trace: what ran, where the tiles are, and the planned communication. */
#ifndef HG_RESULT_TRACE_NOTES_H
#define HG_RESULT_TRACE_NOTES_H

#include "graph/graph.h"

/** Writes the notes of a run on tiles. Collective; rank 0 writes. HG_IO, HG_MEMORY. */
hg_status hg_grid_trace_notes(const char *folder, const char *title, const hg_graph *graph);
#endif
