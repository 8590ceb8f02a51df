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

/** Writes a field by the ending of the path:
 *   .h5   dataset of the field's name, of shape [NZ][NY][NX], with a .xmf beside it that ParaView opens
 *   .npy  NumPy array of that shape
 *   .png  colour-mapped picture with a scale bar (3-D: the middle layer)
 *   .mtx  Matrix Market, array format (1-D and 2-D)
 *   .txt  a number a line (also .ou)
 *   .csv  a row of the grid a line, layers separated by an empty line */
hg_status hg_output_write(const char *path, const hg_field *field);

/** State of an interrupted run. */
typedef struct hg_checkpoint {
  int64_t step;      /**< steps done */
  uint64_t identity; /**< of the problem: see hg_problem_identity */
} hg_checkpoint;

/** Hash of all that decides the result but the number of steps: sizes, precision, coefficients, boundaries, the name
 * and the contents of the source, and the seed. */
uint64_t hg_problem_identity(const hg_heat_problem *problem, const char *source, uint64_t seed);

/** Writes a checkpoint; the one that was there becomes FILE.previous.ENDING. HG_INVALID if what is there is no
 * checkpoint of this problem, HG_IO. */
hg_status hg_checkpoint_write(const char *path, const hg_field *field, const hg_checkpoint *checkpoint);

/** Checks before the run that hg_checkpoint_write can do so. */
hg_status hg_checkpoint_check(const char *path, uint64_t identity);

/** Reads what a checkpoint file is about; its field is read as `FILE:temperature`. HG_FORMAT if it is not one, or not
 * all of it is as it was written. */
hg_status hg_checkpoint_read(const char *path, hg_checkpoint *checkpoint);

/** Encoders behind hg_output_write: false if writing failed (errno tells why); and one that writes a whole
 * file by itself. */
bool hg_write_png(FILE *out, const hg_field *field);
hg_status hg_write_hdf5(const char *path, const hg_field *field, const hg_checkpoint *checkpoint);
#endif
