/* SPDX-License-Identifier: MIT */
/* Notes on an elimination, stored with its trace. */
#ifndef HG_ELIMINATION_TRACE_NOTES_H
#define HG_ELIMINATION_TRACE_NOTES_H

#include "elimination/report.h"

/** Writes the notes of an elimination, on rank 0. HG_IO. */
hg_status hg_lu_trace_notes(const char *folder, const hg_lu_run *run);
#endif
