/* SPDX-License-Identifier: MIT */
/* GeoTIFF (OGC 19-008r4): one band of numbers, and the location of its cells, kept as in the file. */
#ifndef HG_INPUT_TIFF_H
#define HG_INPUT_TIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "input/array.h"
#include "input/georeference.h"

/** Whether a file name is that of a GeoTIFF. */
bool hg_file_is_tiff(const char *path);

/** Reads a file of one band, and the number for no data (GDAL_NODATA). HG_FORMAT naming anything else in it (bands,
 * colours, scales); HG_MEMORY; HG_UNSUPPORTED if the library was built without libtiff.
 * @param[out] where  or NULL. Free with hg_georeference_free. */
hg_status hg_tiff_open(const char *path, hg_array *out, hg_georeference **where);

/** Writes rows of nx numbers. @param where  location of the cells, or NULL @param missing  number for no data, or
 * NULL. HG_IO, HG_UNSUPPORTED */
hg_status hg_tiff_write(FILE *out, const char *path, const int64_t n[2], bool is_float, const void *values,
                        const hg_georeference *where, const double *missing);

/** HG_UNSUPPORTED where the library was built without libtiff. */
hg_status hg_tiff_check(const char *path);
#endif
