/* SPDX-License-Identifier: MIT */
/* Writes fields to files. Every file is written under a temporary name in the same folder, flushed to the disk and
 * renamed, so that a reader sees the old file or the new one, never a part. */
#ifndef HG_RESULT_WRITE_H
#define HG_RESULT_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "result/field.h"
#include "result/shared_file.h"

/** Checks before the run that `path` has a known ending (.h5 .nc .npy .tif .png .svg .pdf .csv .mtx .txt .json) and
 * that its folder can be written to. */
hg_status hg_output_check(const char *path);

/** Checks before the run that the result can be written: its dimensions, and room on the disk. @param bytes  of the
 * values. HG_INVALID, HG_IO naming the required and the free space. */
hg_status hg_output_fits(const char *path, int dims, double bytes);

/** Writes a field by the ending of the path:
 *   .h5   dataset of the field's name, of shape [NZ][NY][NX], and of each field beside it (`also`), with the places of
 *         its cells (result/hdf5_axes.h), and a .xmf beside it that ParaView opens; .nc is the same, as NetCDF-4 has it
 *   .npy  NumPy array of that shape
 *   .png .svg .pdf  picture with axes and a colour bar (3-D: the middle layer; result/picture.h)
 *   .mtx  Matrix Market, array format (1-D and 2-D)
 *   .txt  a number a line (also .ou)
 *   .csv  a row of the grid a line, layers separated by an empty line
 *   .tif  GeoTIFF (1-D and 2-D), with the places of the cells where the input was one
 *   .json where it comes from, for formats that cannot say it (result/metadata.h) */
hg_status hg_output_write(const char *path, const hg_field *field);

/** Whether all ranks can write such a file together, by hg_output_begin and hg_output_end (.h5, .npy). */
bool hg_output_is_shared(const char *path);

/** Begins a file to which the ranks write the values, in the order of cells and of the field's precision;
 * field->values is ignored. Collective. */
hg_status hg_output_begin(const hg_session *session, const char *path, const hg_field *field, hg_shared_file *file);

/** Ends it, and writes its companion files. Collective; fails on all ranks alike. */
hg_status hg_output_end(hg_shared_file *file, const hg_field *field, hg_status mine);

/** Fields of the same shape after different steps, each in a file. */
typedef struct hg_series {
  int64_t count, *step; /**< ascending */
  double time_step;     /**< s */
} hg_series;

/** Name of one of its files: NAME.STEP and the ending. HG_INVALID if it is too long. */
hg_status hg_series_path(const char *name, int64_t step, const char *ending, char path[HG_PATH_MAX]);

/** Gets one of the files and its step. */
typedef hg_status hg_series_visit(void *arg, const char *path, int64_t step);

/** Calls `visit` for all existing .h5 files of a series, in the order of steps. HG_IO, HG_MEMORY, and what `visit`
 * returns. */
hg_status hg_series_each(const char *name, hg_series_visit *visit, void *arg);

/** Writes NAME.xmf, which joins the .h5 files for ParaView. HG_IO. @param field  shape and name of each */
hg_status hg_write_series(const char *name, const hg_field *field, const hg_series *series);

/** Write the heads of files of an hg_field, and the companion files of an HDF5 file. */
hg_file_head hg_npy_head, hg_hdf5_head;
hg_status hg_write_xdmf(const char *path, const hg_field *field);
hg_status hg_xdmf_path(const char *path, char xdmf[HG_PATH_MAX]);
#endif
