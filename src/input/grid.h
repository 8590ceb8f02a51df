/* SPDX-License-Identifier: MIT */
/* Input fields: files and formulas, read box by box so that a rank loads only its own part. */
#ifndef HG_INPUT_GRID_H
#define HG_INPUT_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/box.h"
#include "base/file.h"
#include "base/status.h"
#include "input/conventions.h"
#include "input/problem.h"

typedef struct hg_grid_input hg_grid_input;

/** Opens a field: `hotspot`, `plates`, `random`, a number (constant), or FILE[:DATASET] with the ending .npy, .npz,
 * .h5/.hdf5/.nc, .png, .csv, .asc (ESRI ASCII), both also compressed as .csv.gz and .asc.gz, .tif (GeoTIFF).
 *   hotspot  100 within a ball of 1/8 of the shortest side around the centre, 20 elsewhere
 *   plates   100 in the first column, 20 elsewhere
 *   random   uniform in [0,1) by seed and cell
 * Every rank opens it for itself; files must be visible to all. Errors: HG_INVALID for an unknown name, HG_IO,
 * HG_FORMAT. Close with hg_grid_close. */
hg_status hg_grid_open(const char *spec, uint64_t seed, hg_grid_input **out);

/** The same for a file with cells without data, which have the value that the file names (GDAL_NODATA, NODATA_value,
 * _FillValue, missing_value) or NaN: all are read as one number. hg_grid_read returns HG_FORMAT for a cell with data
 * that holds this number, unless the caller gave it. @param number  the number; NULL: the one that the file names,
 * else -9999 */
hg_status hg_grid_open_masked(const char *spec, uint64_t seed, const double *number, hg_grid_input **out);

/** The number that cells without data are read as; NULL: all cells have data. */
const double *hg_grid_missing(const hg_grid_input *input);

/** Whether hg_grid_open reads a name as a file, by its ending. */
bool hg_grid_is_file(const char *spec);

/** The file of FILE[:DATASET]. The dataset's name begins after the first `.npz:`, `.h5:` or `.hdf5:` and may contain
 * any character; an existing file with the whole name takes precedence. @return the dataset, within `spec`, or NULL */
const char *hg_grid_file(const char *spec, char path[HG_PATH_MAX]);

/** Extents of a file's field; dims is 0 for a formula, which fits every grid. */
void hg_grid_shape(const hg_grid_input *input, int *dims, int64_t n[3]);

/** Reads a box of the field laid over a grid of n cells into out[cells of the box], x fastest.
 * HG_FORMAT if a value is not finite, naming its position. */
hg_status hg_grid_read(hg_grid_input *input, const int64_t n[3], const hg_box *box, double *out);

/** Reads a box of an initial state: the field, with sides fixed to a value set to it (where two such sides meet, the
 * later axis takes precedence). */
hg_status hg_grid_read_initial(hg_grid_input *input, int dims, const int64_t n[3], const hg_side side[3][2],
                               const hg_box *box, double *out);

/** Rounds the values of a box to single precision. HG_FORMAT naming the position of the first one out of range. */
hg_status hg_grid_round(const hg_grid_input *input, const hg_box *box, const double *values, float *out);

/** Location of a GeoTIFF's cells, valid until it is closed; NULL: not known. */
const struct hg_georeference *hg_grid_where(const hg_grid_input *input);

void hg_grid_close(hg_grid_input *input);

/** An open HDF5 dataset of 1-3 dimensions. The path may be FILE or FILE:DATASET; without one, the only dataset. */
typedef struct hg_hdf5_input {
  int64_t file, dataset; /* hid_t */
  int dims;
  int64_t n[3];
  hg_conventions cf; /**< meaning of its numbers */
  bool masks;        /**< cells without data are read as NaN instead of refused */
} hg_hdf5_input;

hg_status hg_hdf5_open(const char *path, const char *dataset, hg_hdf5_input *out);
hg_status hg_hdf5_read(const hg_hdf5_input *in, const char *place, const hg_box *box, double *out);
void hg_hdf5_close(hg_hdf5_input *in);
#endif
