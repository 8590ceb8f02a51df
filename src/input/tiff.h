/* SPDX-License-Identifier: MIT */
/* GeoTIFF (OGC 19-008r4): one band of numbers, and where its cells lie, which is kept as the file has it. */
#ifndef HG_INPUT_TIFF_H
#define HG_INPUT_TIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "input/array.h"
#include "input/georeference.h"

/** Whether a file of that name is one. */
bool hg_file_is_tiff(const char *path);

/** Reads a file of one band, and what stands for no data (GDAL_NODATA). HG_FORMAT naming what it has besides (bands,
 * colours, scales); HG_MEMORY; HG_UNSUPPORTED where the library was built without libtiff.
 * @param[out] where  or NULL. Free with hg_georeference_free. */
hg_status hg_tiff_open(const char *path, hg_array *out, hg_georeference **where);

/** Writes rows of nx numbers. @param where  or NULL: they lie nowhere @param missing  that stands for no data, or NULL.
 * HG_IO, HG_UNSUPPORTED */
hg_status hg_tiff_write(FILE *out, const char *path, const int64_t n[2], bool is_float, const void *values,
                        const hg_georeference *where, const double *missing);

/** HG_UNSUPPORTED where the library was built without libtiff. */
hg_status hg_tiff_check(const char *path);
#endif
