/* SPDX-License-Identifier: MIT */
/* Recognises formats by the beginning of their files. */
#ifndef HG_INPUT_FOREIGN_H
#define HG_INPUT_FOREIGN_H

#include "base/status.h"

/** HG_FORMAT, naming the format and a remedy, if a file begins like another format than its ending says: GeoTIFF,
 * NetCDF, MATLAB, ESRI grids, compressed files and others. HG_IO. */
hg_status hg_foreign_check(const char *path);
#endif
