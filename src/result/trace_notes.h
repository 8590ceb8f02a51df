/* SPDX-License-Identifier: MIT */
/* Notes on a run beside its trace: what ran, where the tiles lie, what was meant to travel. */
#ifndef HG_RESULT_TRACE_NOTES_H
#define HG_RESULT_TRACE_NOTES_H

#include "result/report.h"

/** Of any run on tiles. @param stencil  whose exchanges were planned, or NULL. Collective; rank 0 writes. */
hg_status hg_grid_trace_notes(const char *folder, const char *title, const hg_session *session, const hg_tiling *tiling,
                              const hg_stencil *stencil);

/** Of a heat run. Collective; rank 0 writes. HG_IO, HG_MEMORY. */
hg_status hg_heat_trace_notes(const char *folder, const hg_heat_run *run, const hg_stencil *stencil);
#endif
