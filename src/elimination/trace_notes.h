/* SPDX-License-Identifier: MIT */
/* Notes on an elimination beside its trace. */
#ifndef HG_ELIMINATION_TRACE_NOTES_H
#define HG_ELIMINATION_TRACE_NOTES_H

#include "elimination/report.h"

/** Of an elimination. Rank 0 writes. HG_IO. */
hg_status hg_lu_trace_notes(const char *folder, const hg_lu_run *run);
#endif
