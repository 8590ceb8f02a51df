/* SPDX-License-Identifier: MIT */
#include "result/hdf5_axes.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/georeference.h"
#include "result/hdf5_trailer.h"

enum { LONGEST = 1 << 20 };

/* A use of an axis: a dataset and its dimension. */
typedef struct use {
  hobj_ref_t dataset;
  unsigned dimension;
} use;

/* "x", or "x_axis" if a field has that name. */
static void name_axis(const hg_field *field, int axis, char name[8])
{
  snprintf(name, 8, "%c", "xyz"[axis]);
  for (const hg_field *f = field; f; f = f->also)
    if (strcmp(f->name, name) == 0) snprintf(name, 8, "%c_axis", "xyz"[axis]);
}

/* Writes the meaning of an axis's coordinates. */
static bool put_meaning(hid_t set, const hg_field *f, int axis, bool on_earth)
{
  static const char *const names[2][2] = {{"projection_x_coordinate", "projection_y_coordinate"},
                                          {"longitude", "latitude"}};
  static const char *const units[2][2] = {{"m", "m"}, {"degrees_east", "degrees_north"}};
  const hg_geo_unit unit = hg_georeference_unit(f->where);
  const bool in_degrees = unit == HG_GEO_DEGREES;
  if (on_earth && unit == HG_GEO_UNKNOWN) return hg_hdf5_put_text(set, "long_name", "place of the cell");
  if (on_earth)
    return hg_hdf5_put_text(set, "standard_name", names[in_degrees][axis]) &&
           hg_hdf5_put_text(set, "units", units[in_degrees][axis]);
  return hg_hdf5_put_text(set, "units", f->metric ? "m" : "1") &&
         hg_hdf5_put_text(set, "long_name", f->metric || f->scaled ? "place of the cell" : "number of the cell");
}

static bool put_places(const hg_hdf5_writer *writer, const hg_field *f, int axis, const char *name)
{
  const hsize_t count = (hsize_t)f->n[axis];
  double origin[3] = {f->origin[0], f->origin[1], f->origin[2]}, spacing[3];
  for (int a = 0; a < 3; a++) spacing[a] = f->spacing[a] > 0 ? f->spacing[a] : 1;
  const bool on_earth = axis < 2 && hg_georeference_places(f->where, origin, spacing);
  if (on_earth) origin[axis] += (double)f->first[axis] * spacing[axis];
  if (on_earth && f->stride[axis] > 0) spacing[axis] *= (double)f->stride[axis];
  double *place = malloc((size_t)count * sizeof *place);
  for (hsize_t i = 0; place && i < count; i++) place[i] = origin[axis] + (double)i * spacing[axis];
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t set = (hid_t)hg_hdf5_dataset(writer, name, H5T_NATIVE_DOUBLE, space);
  const char letter[] = {"XYZ"[axis], '\0'};
  bool good = place && set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, place) >= 0;
  good = good && hg_hdf5_put_text(set, "CLASS", "DIMENSION_SCALE") && hg_hdf5_put_text(set, "NAME", name) &&
         hg_hdf5_put_text(set, "axis", letter) && put_meaning(set, f, axis, on_earth);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  free(place);
  return good;
}

static bool refer(const hg_hdf5_writer *writer, const char *name, hobj_ref_t *reference)
{
  return H5Rcreate(reference, (hid_t)writer->file, name, H5R_OBJECT, -1) >= 0;
}

/* @param type, space  closed by this function */
static bool put_attribute(hid_t set, const char *name, hid_t type, hid_t space, const void *value)
{
  const hid_t attribute = H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Tclose(type);
  H5Sclose(space);
  return good;
}

/* Links a field's dimensions, the slowest first, to their scales, and the field to its time. */
static bool put_dimensions(const hg_hdf5_writer *writer, const hg_field *f, char (*name)[8], bool timed)
{
  hobj_ref_t axis[3];
  hvl_t list[3];
  const hsize_t dims = (hsize_t)f->dims;
  bool good = true;
  for (int i = 0; i < f->dims; i++) {
    good = good && refer(writer, name[f->dims - 1 - i], &axis[i]);
    list[i] = (hvl_t){1, &axis[i]};
  }
  const hid_t set = good ? H5Dopen2((hid_t)writer->file, f->name, H5P_DEFAULT) : -1;
  good = set >= 0 &&
         put_attribute(set, "DIMENSION_LIST", H5Tvlen_create(H5T_STD_REF_OBJ), H5Screate_simple(1, &dims, NULL), list);
  if (timed) good = good && hg_hdf5_put_text(set, "coordinates", "time");
  if (hg_georeference_epsg(f->where)) good = good && hg_hdf5_put_text(set, "grid_mapping", "spatial_ref");
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  return good;
}

static hid_t make_use_type(void)
{
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(use));
  H5Tinsert(type, "dataset", offsetof(use, dataset), H5T_STD_REF_OBJ);
  H5Tinsert(type, "dimension", offsetof(use, dimension), H5T_NATIVE_UINT);
  return type;
}

/* Lists the fields that use an axis. */
static bool put_uses(const hg_hdf5_writer *writer, const hg_field *field, int axis, const char *name)
{
  enum { MOST = 8 };
  use list[MOST];
  hsize_t count = 0;
  bool good = true;
  memset(list, 0, sizeof list);
  for (const hg_field *f = field; f && count < MOST; f = f->also, count++) {
    good = good && refer(writer, f->name, &list[count].dataset);
    list[count].dimension = (unsigned)(f->dims - 1 - axis);
  }
  const hid_t set = good ? H5Dopen2((hid_t)writer->file, name, H5P_DEFAULT) : -1;
  good = set >= 0 && put_attribute(set, "REFERENCE_LIST", make_use_type(), H5Screate_simple(1, &count, NULL), list);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  return good;
}

/* Writes the time of the values, a coordinate without a dimension. */
static bool put_time(const hg_hdf5_writer *writer, const hg_field *f)
{
  if (f->time < 0) return true;
  const hid_t space = H5Screate(H5S_SCALAR), set = (hid_t)hg_hdf5_dataset(writer, "time", H5T_NATIVE_DOUBLE, space);
  bool good = set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &f->time) >= 0 &&
              hg_hdf5_put_text(set, "units", f->counts_steps ? "1" : "s") &&
              hg_hdf5_put_text(set, "long_name", f->counts_steps ? "step" : "time since the start");
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good;
}

/* Writes the coordinate reference system and its EPSG code. */
static bool put_system(const hg_hdf5_writer *writer, const hg_field *f)
{
  char text[HG_GEO_SYSTEM];
  const int code = hg_georeference_epsg(f->where);
  if (!hg_georeference_system(f->where, text)) return true;
  const hid_t space = H5Screate(H5S_SCALAR), set = (hid_t)hg_hdf5_dataset(writer, "spatial_ref", H5T_NATIVE_INT, space);
  bool good = set >= 0 && H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &code) >= 0 &&
              hg_hdf5_put_text(set, "spatial_ref", text);
  if (strncmp(text, "EPSG:", 5) != 0) good = good && hg_hdf5_put_text(set, "crs_wkt", text);
  if (set >= 0) good = H5Dclose(set) >= 0 && good;
  H5Sclose(space);
  return good;
}

bool hg_hdf5_put_axes(const hg_hdf5_writer *writer, const hg_field *field)
{
  char name[3][8];
  bool good = true;
  for (int a = 0; a < field->dims; a++)
    if (field->n[a] > LONGEST) return true;
  for (int a = 0; a < field->dims && good; a++) {
    name_axis(field, a, name[a]);
    good = put_places(writer, field, a, name[a]);
  }
  for (const hg_field *f = field; f && good; f = f->also) good = put_dimensions(writer, f, name, field->time >= 0);
  for (int a = 0; a < field->dims && good; a++) good = put_uses(writer, field, a, name[a]);
  return good && put_time(writer, field) && put_system(writer, field) &&
         hg_hdf5_put_text(writer->file, "Conventions", "CF-1.8");
}
