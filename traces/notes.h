/* SPDX-License-Identifier: MIT */
/* What a program knows of its run and StarPU's trace does not. */
#ifndef HG_TRACES_NOTES_H
#define HG_TRACES_NOTES_H

#include <stdint.h>

#include "base/box.h"
#include "base/status.h"
#include "traces/ages.h"

/** Writes FOLDER/run.csv.
 * @param title    of one line: what ran
 * @param planned  [ranks][ranks] bytes to be sent from one rank (row) to another, or NULL. HG_IO. */
hg_status hg_trace_note_run(const char *folder, const char *title, int ranks, const double *planned);

/** Adds to FOLDER/run.csv where paje.trace begins in the times of tasks.rec, ms. HG_IO. */
hg_status hg_trace_note_origin(const char *folder, double origin);

/** Writes FOLDER/tiles.csv: the cells of each tile, whose first cell is the coordinates of its handles. HG_IO. */
hg_status hg_trace_note_tiles(const char *folder, int tiles, const hg_box *tile);

/** Writes FOLDER/ages.csv: a line a block, of a run that did not wait. HG_IO. */
hg_status hg_trace_note_ages(const char *folder, int blocks, const hg_block_ages *block);
#endif
