/* SPDX-License-Identifier: MIT */
/* Dimension scales of HDF5 (HDF5 Dimension Scale Specification and Support): datasets x, y, z with the cells'
 * coordinates, to which a field's dimensions refer, and attributes of the CF conventions. With them, readers of
 * NetCDF-4 (xarray, ncview, QGIS) find labelled data. Internal to result/. */
#ifndef HG_RESULT_HDF5_AXES_H
#define HG_RESULT_HDF5_AXES_H

#include <stdbool.h>

#include "result/field.h"
#include "result/hdf5_writer.h"

/** Adds the axes of a field and of its further fields, which are already in the file. Writes none if an axis is very
 * long (2^20 cells), as they would be as large as the field. False if writing failed. */
bool hg_hdf5_put_axes(const hg_hdf5_writer *writer, const hg_field *field);
#endif
