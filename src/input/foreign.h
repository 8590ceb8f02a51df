/* SPDX-License-Identifier: MIT */
/* Formats that are known by how their files begin. */
#ifndef HG_INPUT_FOREIGN_H
#define HG_INPUT_FOREIGN_H

#include "base/status.h"

/** HG_FORMAT, naming the format and what to do, if a file begins like one of a format that its ending is not of:
 * GeoTIFF, NetCDF, MATLAB, ESRI grids, compressed files and others. HG_IO. */
hg_status hg_foreign_check(const char *path);
#endif
