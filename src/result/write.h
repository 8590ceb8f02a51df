/* SPDX-License-Identifier: MIT */
/* Writing a field to files. Every file is written under a temporary name beside its place, flushed to the disk and
 * renamed, so that a reader sees the old file or the new one, never a part. */
#ifndef HG_RESULT_WRITE_H
#define HG_RESULT_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "result/field.h"

/** Checks before the run that `path` has a known ending (.h5 .npy .png .csv .mtx .txt) and that its folder can be
 * written to. */
hg_status hg_output_check(const char *path);

/** Checks before the run that what will be written there can be: its dimensions, and room on the disk.
 * @param bytes  of the values. HG_INVALID, HG_IO naming what is needed and what is free. */
hg_status hg_output_fits(const char *path, int dims, double bytes);

/** Writes a field by the ending of the path:
 *   .h5   dataset of the field's name, of shape [NZ][NY][NX], and of each field beside it (`also`), with a .xmf beside
 *         it that ParaView opens
 *   .npy  NumPy array of that shape
 *   .png  colour-mapped picture with a scale bar (3-D: the middle layer)
 *   .mtx  Matrix Market, array format (1-D and 2-D)
 *   .txt  a number a line (also .ou)
 *   .csv  a row of the grid a line, layers separated by an empty line */
hg_status hg_output_write(const char *path, const hg_field *field);

/** State of an interrupted run. */
typedef struct hg_checkpoint {
  int64_t step;      /**< steps done */
  uint64_t identity; /**< of the problem */
} hg_checkpoint;

/** Encoders behind hg_output_write: false if writing failed (errno tells why); and one that writes a whole
 * file by itself. */
bool hg_write_png(FILE *out, const hg_field *field);
hg_status hg_write_hdf5(const char *path, const hg_field *field);
#endif
