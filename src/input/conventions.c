/* SPDX-License-Identifier: MIT */
#include "input/conventions.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A dataset, its place, and the type of its numbers. */
typedef struct dataset {
  hid_t set, type;
  const char *path, *name;
} dataset;

static hg_status refuse(const dataset *d, const char *attribute, const char *must)
{
  return hg_fail(HG_FORMAT, "%s: dataset '%s': its attribute %s must be %s", d->path, d->name, attribute, must);
}

static bool holds_numbers(hid_t type)
{
  return H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT;
}

/* Opens an attribute; *there: whether it exists. */
static hid_t open_attribute(const dataset *d, const char *name, bool *there)
{
  *there = H5Aexists(d->set, name) > 0;
  return *there ? H5Aopen(d->set, name, H5P_DEFAULT) : -1;
}

/* Reads least..most numbers of an attribute. @param[out] count  0: it does not exist; NULL: exactly `most`
 * @param[out] is_real  whether it holds reals, or NULL */
static hg_status read_numbers(const dataset *d, const char *name, int least, int most, double *out, int *count,
                              bool *is_real)
{
  char must[80];
  bool there;
  const hid_t attribute = open_attribute(d, name, &there);
  *count = 0;
  if (!there) return HG_OK;
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const hssize_t held = H5Sget_simple_extent_npoints(space);
  const bool good =
      holds_numbers(type) && held >= least && held <= most && H5Aread(attribute, H5T_NATIVE_DOUBLE, out) >= 0;
  if (good) *count = (int)held;
  if (is_real) *is_real = H5Tget_class(type) == H5T_FLOAT;
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  if (good) return HG_OK;
  snprintf(must, sizeof must, most == 1 ? "a number" : least == most ? "%d numbers" : "1 to %d numbers", most);
  return refuse(d, name, must);
}

/* Reads one finite number; `absent` if there is none. */
static hg_status read_number(const dataset *d, const char *name, double absent, double *out)
{
  int count;
  HG_TRY(read_numbers(d, name, 1, 1, out, &count, NULL));
  if (count == 0) *out = absent;
  return isfinite(*out) ? HG_OK : refuse(d, name, "a finite number");
}

/* Reads a text of any HDF5 string type. */
static bool read_text(hid_t attribute, char *text, size_t room)
{
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  bool good = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
  memset(text, 0, room);
  if (good && H5Tis_variable_str(type) > 0) {
    char *held = NULL;
    good = H5Aread(attribute, type, &held) >= 0 && held;
    if (good) snprintf(text, room, "%s", held);
    H5free_memory(held);
  } else {
    good = good && H5Tget_size(type) < room && H5Aread(attribute, type, text) >= 0;
  }
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

/* Unsigned integers may be stored as signed ones, since NetCDF's classic format has no others, or the other way round.
 * Reals are always signed. */
static hg_status read_sign(const dataset *d, hg_conventions *c)
{
  char text[8];
  bool there;
  const hid_t attribute = open_attribute(d, "_Unsigned", &there);
  const bool stored = H5Tget_class(d->type) == H5T_INTEGER && H5Tget_sign(d->type) == H5T_SGN_NONE;
  c->is_unsigned = stored;
  if (!there) return HG_OK;
  const bool readable = read_text(attribute, text, sizeof text);
  H5Aclose(attribute);
  if (!readable || (strcasecmp(text, "true") != 0 && strcasecmp(text, "false") != 0))
    return refuse(d, "_Unsigned", "\"true\" or \"false\"");
  if (H5Tget_class(d->type) != H5T_INTEGER) return HG_OK;
  c->is_unsigned = strcasecmp(text, "true") == 0;
  if (c->is_unsigned != stored) c->wrap = ldexp(1, (int)H5Tget_precision(d->type));
  return HG_OK;
}

static double with_sign(const hg_conventions *c, double stored)
{
  if (c->wrap == 0) return stored;
  if (c->is_unsigned) return stored < 0 ? stored + c->wrap : stored;
  return stored >= c->wrap / 2 ? stored - c->wrap : stored;
}

/* A number as a cell would hold it: rounded to the type of reals, or with the sign of its integers. */
static double as_stored(const dataset *d, const hg_conventions *c, double number)
{
  if (H5Tget_class(d->type) == H5T_FLOAT && H5Tget_size(d->type) < sizeof number) {
    H5Tconvert(H5T_NATIVE_DOUBLE, d->type, 1, &number, NULL, H5P_DEFAULT);
    H5Tconvert(d->type, H5T_NATIVE_DOUBLE, 1, &number, NULL, H5P_DEFAULT);
  }
  return with_sign(c, number);
}

/* NetCDF's default for numbers that were never written (netcdf.h, NC_FILL_*). 0: there is none, as for bytes, all of
 * whose values may be data. */
static double default_fill(hid_t type)
{
  const size_t bits = 8 * H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT) return (double)9.9692099683868690e+36F;
  if (H5Tget_class(type) != H5T_INTEGER || bits == 8) return 0;
  if (H5Tget_sign(type) == H5T_SGN_NONE) return ldexp(1, (int)bits) - (bits == 64 ? 2 : 1);
  return -ldexp(1, (int)bits - 1) + (bits == 64 ? 2 : 1);
}

bool hg_conventions_default_fill(int64_t set, double *value)
{
  const hid_t type = H5Dget_type((hid_t)set), creation = H5Dget_create_plist((hid_t)set);
  H5D_fill_value_t kind = H5D_FILL_VALUE_ERROR;
  const double fill = default_fill(type);
  const bool there = fill != 0 && H5Pfill_value_defined(creation, &kind) >= 0 && kind == H5D_FILL_VALUE_USER_DEFINED &&
                     H5Pget_fill_value(creation, H5T_NATIVE_DOUBLE, value) >= 0 && *value == fill;
  H5Pclose(creation);
  H5Tclose(type);
  return there;
}

static hg_status read_missing(const dataset *d, hg_conventions *c)
{
  static const char *const names[] = {"missing_value", "_FillValue"};
  int count;
  for (int i = 0; i < 2; i++) {
    HG_TRY(read_numbers(d, names[i], 1, HG_MISSING_MAX / 2, c->missing + c->count, &count, NULL));
    for (int k = 0; k < count; k++, c->count++) c->missing[c->count] = as_stored(d, c, c->missing[c->count]);
  }
  double fill;
  if (count == 0 && hg_conventions_default_fill(d->set, &fill)) c->missing[c->count++] = as_stored(d, c, fill);
  return HG_OK;
}

/* A range is one of packed numbers, unless these are integers while the range's ends and the scale are reals. */
static hg_status read_end(const dataset *d, const char *name, int first, int ends, hg_conventions *c)
{
  int count;
  bool is_real;
  double end[2];
  HG_TRY(read_numbers(d, name, ends, ends, end, &count, &is_real));
  for (int i = 0; i < count; i++) {
    if (isnan(end[i])) return refuse(d, name, ends == 1 ? "a number" : "2 numbers");
    c->valid_unpacked |= is_real && H5Tget_class(d->type) == H5T_INTEGER && (c->scale != 1 || c->offset != 0);
    c->valid[first + i] = c->valid_unpacked ? end[i] : as_stored(d, c, end[i]);
  }
  return HG_OK;
}

static hg_status read_all(const dataset *d, hg_conventions *c)
{
  HG_TRY(read_sign(d, c));
  HG_TRY(read_missing(d, c));
  HG_TRY(read_number(d, "scale_factor", 1, &c->scale));
  HG_TRY(read_number(d, "add_offset", 0, &c->offset));
  HG_TRY(read_end(d, "valid_min", 0, 1, c));
  HG_TRY(read_end(d, "valid_max", 1, 1, c));
  return read_end(d, "valid_range", 0, 2, c);
}

hg_status hg_conventions_read(int64_t set, const char *path, const char *name, hg_conventions *out)
{
  const dataset d = {.set = (hid_t)set, .type = H5Dget_type((hid_t)set), .path = path, .name = name};
  *out = (hg_conventions){.scale = 1, .valid = {-INFINITY, INFINITY}};
  const hg_status status = read_all(&d, out);
  H5Tclose(d.type);
  return status;
}

bool hg_conventions_are_plain(const hg_conventions *c)
{
  return c->count == 0 && c->scale == 1 && c->offset == 0 && c->wrap == 0 && c->valid[0] == -INFINITY &&
         c->valid[1] == INFINITY;
}

static bool is_valid(const hg_conventions *c, double number)
{
  return !(number < c->valid[0]) && !(number > c->valid[1]);
}

double hg_conventions_apply(const hg_conventions *c, double stored)
{
  const double number = with_sign(c, stored);
  for (int i = 0; i < c->count; i++)
    if (number == c->missing[i]) return NAN;
  const double meant = number * c->scale + c->offset;
  return is_valid(c, c->valid_unpacked ? meant : number) ? meant : NAN;
}
