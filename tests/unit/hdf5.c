/* SPDX-License-Identifier: MIT */
/* HDF5 inputs: references to other files are refused. */
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "hetgrid.h"
#include "input/matrix.h"
#include "result/write.h"
#include "tap.h"

enum { N = 4 };

static char folder[] = "/tmp/hetgrid-hdf5-XXXXXX";
static const double values[N] = {1, 2, 3, 4};

static const char *path_of(const char *name)
{
  static char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static hid_t make(const char *name)
{
  return H5Fcreate(path_of(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

/* Adds a dataset of N doubles with properties. */
static void add(hid_t file, const char *name, hid_t type, hid_t properties)
{
  const hsize_t n = N;
  hid_t space = H5Screate_simple(1, &n, NULL),
        set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Sclose(space);
}

/* A dataset that claims to be compressed by a filter that is not available. */
static void write_packed(void)
{
  const hsize_t n = N, at = 0;
  hid_t packed = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL), file = make("packed.h5");
  H5Pset_chunk(packed, 1, &n);
  H5Pset_filter(packed, 32000, H5Z_FLAG_OPTIONAL, 0, NULL);
  hid_t set = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, packed, H5P_DEFAULT);
  H5Dwrite_chunk(set, H5P_DEFAULT, 0, &at, sizeof values, values);
  H5Dclose(set);
  H5Fclose(file);
  H5Sclose(space);
  H5Pclose(packed);
}

/* Booleans as h5py writes them: an enumeration FALSE, TRUE. */
static void write_bools(void)
{
  const hsize_t n = N;
  static const signed char truth[N] = {0, 1, 1, 0}, number[2] = {0, 1};
  hid_t type = H5Tenum_create(H5T_NATIVE_SCHAR), space = H5Screate_simple(1, &n, NULL), file = make("bool.h5");
  H5Tenum_insert(type, "FALSE", &number[0]);
  H5Tenum_insert(type, "TRUE", &number[1]);
  hid_t set = H5Dcreate2(file, "x", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, truth);
  H5Dclose(set);
  H5Fclose(file);
  H5Sclose(space);
  H5Tclose(type);
}

static void write_files(void)
{
  write_packed();
  write_bools();
  hid_t file = make("inner.h5");
  add(file, "x", H5T_NATIVE_DOUBLE, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Lcreate_soft("/x", file, "group/soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);

  static const char *const names[] = {"T.v1", "a b", "q:1", "\u00e4"};
  file = make("names.h5");
  for (int i = 0; i < 4; i++) add(file, names[i], H5T_NATIVE_DOUBLE, H5P_DEFAULT);
  H5Fclose(file);

  hid_t stored = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(stored, "/etc/passwd", 0, N * sizeof(double));
  const hsize_t n = N;
  hid_t space = H5Screate_simple(1, &n, NULL);
  file = make("stored.h5");
  H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, stored, H5P_DEFAULT));
  H5Fclose(file);
  H5Pclose(stored);

  hid_t virtual = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(virtual, space, "inner.h5", "x", space);
  file = make("virtual.h5");
  H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, virtual, H5P_DEFAULT));
  H5Fclose(file);
  H5Pclose(virtual);

  file = make("linked.h5");
  H5Lcreate_external("inner.h5", "/x", file, "x", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("inner.h5", "/", file, "all", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/all/x", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  H5Sclose(space);
}

static void reads(const char *spec, const char *name)
{
  hg_grid_input *in;
  double out[N] = {0};
  const hg_status status = hg_grid_open(path_of(spec), 1, &in);
  if (!tap_ok(status == HG_OK, "%s is opened (%s)", name, status ? hg_message() : "so it is")) return;
  hg_grid_read(in, (int64_t[]){N, 1, 1}, &(hg_box){{0, 0, 0}, {N, 1, 1}}, out);
  tap_ok(memcmp(out, values, sizeof out) == 0, "... and its values are read");
  hg_grid_close(in);
}

static void refuses(const char *spec, const char *part, const char *name)
{
  hg_grid_input *in;
  const bool refused = hg_grid_open(path_of(spec), 1, &in) != HG_OK;
  tap_ok(refused && strstr(hg_message(), part), "%s is refused (%s)", name, refused ? hg_message() : "it is read");
  if (!refused) hg_grid_close(in);
}

static void packed_is_refused(void)
{
  hg_grid_input *in;
  double out[N];
  if (!tap_ok(hg_grid_open(path_of("packed.h5"), 1, &in) == HG_OK, "packed data are opened")) return;
  const hg_status status = hg_grid_read(in, (int64_t[]){N, 1, 1}, &(hg_box){{0, 0, 0}, {N, 1, 1}}, out);
  tap_ok(status != HG_OK && strstr(hg_message(), "lzf") && strstr(hg_message(), "32000"),
         "... and the filter that is not here is named (%s)", status ? hg_message() : "they are read");
  hg_grid_close(in);
}

static void bools_are_read(void)
{
  hg_grid_input *in;
  double out[N] = {9, 9, 9, 9};
  if (!tap_ok(hg_grid_open(path_of("bool.h5"), 1, &in) == HG_OK, "booleans are opened")) return;
  hg_grid_read(in, (int64_t[]){N, 1, 1}, &(hg_box){{0, 0, 0}, {N, 1, 1}}, out);
  tap_ok(out[0] == 0 && out[1] == 1 && out[2] == 1 && out[3] == 0, "... and are 0 and 1 (%g %g %g %g)", out[0], out[1],
         out[2], out[3]);
  hg_grid_close(in);
}

static void integers_are_not_rounded(void)
{
  const hsize_t n = N;
  const int64_t held[N] = {0, -1, INT64_C(1) << 53, INT64_MIN}, lost[N] = {1, 2, 3, INT64_MAX};
  double out[N] = {0};
  hg_grid_input *in;
  hid_t file = make("int64.h5"), space = H5Screate_simple(1, &n, NULL);
  for (int i = 0; i < 2; i++) {
    hid_t set = H5Dcreate2(file, i ? "lost" : "held", H5T_STD_I64BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, i ? lost : held);
    H5Dclose(set);
  }
  H5Sclose(space);
  H5Fclose(file);
  const hg_box all = {{0, 0, 0}, {N, 1, 1}};
  if (!tap_ok(hg_grid_open(path_of("int64.h5:held"), 1, &in) == HG_OK, "integers of 64 bits")) return;
  tap_ok(hg_grid_read(in, (int64_t[]){N, 1, 1}, &all, out) == HG_OK && out[1] == -1 && out[2] == 0x1p53 &&
             out[3] == -0x1p63,
         "... are read where doubles hold them (%.0f %.0f %.0f)", out[1], out[2], out[3]);
  hg_grid_close(in);
  if (hg_grid_open(path_of("int64.h5:lost"), 1, &in) != HG_OK) return;
  const bool refused = hg_grid_read(in, (int64_t[]){N, 1, 1}, &all, out) == HG_FORMAT;
  tap_ok(refused && strstr(hg_message(), "(3, 0, 0) is 9223372036854775807"), "... and refused elsewhere (%s)",
         hg_message());
  hg_grid_close(in);
  unlink(path_of("int64.h5"));
}

static void put_number(hid_t set, const char *name, double value)
{
  hid_t space = H5Screate(H5S_SCALAR),
        attribute = H5Acreate2(set, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
  H5Aclose(attribute);
  H5Sclose(space);
}

/* Attributes as in the CF conventions. */
static void packed_and_missing_values(void)
{
  const hg_box all = {{0, 0, 0}, {N, 1, 1}};
  double out[N] = {0};
  hg_grid_input *in;
  for (int i = 0; i < 3; i++) {
    hid_t file = make("cf.h5");
    add(file, "x", H5T_NATIVE_SHORT, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "x", H5P_DEFAULT);
    put_number(set, "scale_factor", .5);
    put_number(set, "add_offset", 10);
    if (i > 0) put_number(set, i == 1 ? "_FillValue" : "missing_value", 3);
    H5Dclose(set);
    H5Fclose(file);
    if (!tap_ok(hg_grid_open(path_of("cf.h5"), 1, &in) == HG_OK, "packed numbers are opened")) continue;
    const hg_status status = hg_grid_read(in, (int64_t[]){N, 1, 1}, &all, out);
    if (i == 0)
      tap_ok(status == HG_OK && out[0] == 10.5 && out[3] == 12, "... and unpacked (%g to %g)", out[0], out[3]);
    else
      tap_ok(status == HG_FORMAT && strstr(hg_message(), "(2, 0, 0) has no data"),
             "... and refused if there are none (%s)", status ? hg_message() : "they are read");
    hg_grid_close(in);
  }
  unlink(path_of("cf.h5"));
}

/* An attribute of a dataset: a text, or numbers. */
typedef struct attribute {
  const char *name, *text;
  double number[2];
  hsize_t count;
} attribute;

static void put_attribute(hid_t set, const attribute *a)
{
  hid_t type = a->text ? H5Tcopy(H5T_C_S1) : H5Tcopy(H5T_NATIVE_DOUBLE), space = H5Screate_simple(1, &a->count, NULL);
  if (a->text) H5Tset_size(type, strlen(a->text));
  hid_t held = H5Acreate2(set, a->name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(held, type, a->text ? (const void *)a->text : a->number);
  H5Aclose(held);
  H5Sclose(space);
  H5Tclose(type);
}

/* At most two attributes, and the values read from the stored numbers, or a part of the message. */
typedef struct conventions_case {
  hid_t type;
  double stored[N];
  attribute attribute[2];
  const char *refused;
  double read[N];
} conventions_case;

static void write_case(const conventions_case *c)
{
  const hsize_t n = N;
  hid_t file = make("cf.h5"), space = H5Screate_simple(1, &n, NULL),
        set = H5Dcreate2(file, "x", c->type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->stored);
  for (int i = 0; i < 2 && c->attribute[i].name; i++) put_attribute(set, &c->attribute[i]);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

static void try_case(const conventions_case *c)
{
  double out[N] = {0};
  hg_grid_input *in = NULL;
  const char *name = c->attribute[0].name;
  write_case(c);
  hg_status status = hg_grid_open(path_of("cf.h5"), 1, &in);
  if (status == HG_OK) status = hg_grid_read(in, (int64_t[]){N, 1, 1}, &(hg_box){{0, 0, 0}, {N, 1, 1}}, out);
  if (c->refused)
    tap_ok(status == HG_FORMAT && strstr(hg_message(), c->refused), "%s: refused (%s)", name,
           status ? hg_message() : "it is read");
  else
    tap_ok(status == HG_OK && memcmp(out, c->read, sizeof out) == 0, "%s: %g %g %g %g is read %s", name, out[0], out[1],
           out[2], out[3], status ? hg_message() : "");
  hg_grid_close(in);
  unlink(path_of("cf.h5"));
}

#define NUMBER(NAME, VALUE)                                                                                            \
  {                                                                                                                    \
    .name = NAME, .number = {VALUE}, .count = 1                                                                        \
  }
#define TWO(NAME, FIRST, SECOND)                                                                                       \
  {                                                                                                                    \
    .name = NAME, .number = {FIRST, SECOND}, .count = 2                                                                \
  }
#define TEXT(NAME, WORDS)                                                                                              \
  {                                                                                                                    \
    .name = NAME, .text = WORDS, .count = 1                                                                            \
  }

/* Attributes that change the meaning of numbers are not ignored. */
static void conventions_are_kept(void)
{
  const hid_t i8 = H5T_NATIVE_SCHAR, u8 = H5T_NATIVE_UCHAR, i16 = H5T_NATIVE_SHORT, i64 = H5T_NATIVE_INT64,
              f32 = H5T_NATIVE_FLOAT, f64 = H5T_NATIVE_DOUBLE;
  const conventions_case cases[] = {
      {i16, {1, 2, 3, 4}, {TWO("missing_value", 9, 3)}, "(2, 0, 0) has no data", {0}},
      {i16, {1, 2, 3, 4}, {TWO("_FillValue", 2, 9)}, "(1, 0, 0) has no data", {0}},
      {i16, {1, 2, 3, 4}, {NUMBER("_FillValue", 9), TWO("missing_value", 8, 4)}, "(3, 0, 0) has no data", {0}},
      {i16, {1, 2, 3, 4}, {TEXT("missing_value", "-99")}, "dataset 'x': its attribute missing_value must be", {0}},
      {f32, {1, 2, 3, 1e20}, {NUMBER("missing_value", 1e20)}, "(3, 0, 0) has no data", {0}},
      {i16, {1, 2, 3, 4}, {TEXT("scale_factor", "0.1")}, "cf.h5: dataset 'x': its attribute scale_factor must be", {0}},
      {i16, {1, 2, 3, 4}, {TWO("add_offset", 1, 2)}, "its attribute add_offset must be a number", {0}},
      {i16, {1, 2, 3, 4}, {NUMBER("scale_factor", NAN)}, "its attribute scale_factor must be a finite number", {0}},
      {i16, {1, 2, 3, 4}, {NUMBER("valid_min", 2)}, "(0, 0, 0) has no data", {0}},
      {f64, {1, 2, 3, 4}, {NUMBER("valid_max", 3)}, "(3, 0, 0) has no data", {0}},
      {f64, {1, 2, 3, 4}, {TWO("valid_range", 1.5, 4)}, "(0, 0, 0) has no data", {0}},
      {f64, {1, 2, 3, 4}, {TWO("valid_range", 1, 4)}, NULL, {1, 2, 3, 4}},
      {f64, {1, 2, 3, 4}, {NUMBER("valid_range", 1)}, "its attribute valid_range must be 2 numbers", {0}},
      {i16, {1, 2, 3, 4}, {TWO("valid_range", .1, .4), NUMBER("scale_factor", .125)}, "(3, 0, 0) has no data", {0}},
      {i16, {1, 2, 3, 4}, {TWO("valid_range", .1, .5), NUMBER("scale_factor", .125)}, NULL, {.125, .25, .375, .5}},
      {i8, {-1, -2, 3, 4}, {TEXT("_Unsigned", "true")}, NULL, {255, 254, 3, 4}},
      {i16, {-1, 2, 3, 4}, {TEXT("_Unsigned", "True"), NUMBER("scale_factor", .5)}, NULL, {32767.5, 1, 1.5, 2}},
      {i8, {1, -1, 3, 4}, {TEXT("_Unsigned", "true"), NUMBER("_FillValue", -1)}, "(1, 0, 0) has no data", {0}},
      {i8, {1, -1, 3, 4}, {TEXT("_Unsigned", "true"), TWO("valid_range", 0, -2)}, "(1, 0, 0) has no data", {0}},
      {i64, {1, -0x1p63, 3, 4}, {TEXT("_Unsigned", "true")}, NULL, {1, 0x1p63, 3, 4}},
      {i64, {1, 2, -1, 4}, {TEXT("_Unsigned", "true")}, "(2, 0, 0) is 18446744073709551615", {0}},
      {u8, {255, 128, 127, 4}, {TEXT("_Unsigned", "false")}, NULL, {-1, -128, 127, 4}},
      {u8, {255, 128, 127, 4}, {TEXT("_Unsigned", "true")}, NULL, {255, 128, 127, 4}},
      {i8, {1, 2, 3, 4}, {TEXT("_Unsigned", "maybe")}, "its attribute _Unsigned must be", {0}},
      {i8, {1, 2, 3, 4}, {NUMBER("_Unsigned", 1)}, "its attribute _Unsigned must be", {0}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) try_case(&cases[i]);
}

/* The name of the object to which a dimension of a dataset refers. */
static void name_of_scale(hid_t file, const char *set_name, int dimension, char name[16])
{
  hvl_t list[3] = {{0}};
  *name = 0;
  hid_t set = H5Dopen2(file, set_name, H5P_DEFAULT), held = H5Aopen(set, "DIMENSION_LIST", H5P_DEFAULT);
  hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
  if (held >= 0 && H5Aread(held, type, list) >= 0 && list[dimension].len == 1) {
    hid_t scale = H5Rdereference2(set, H5P_DEFAULT, H5R_OBJECT, list[dimension].p);
    H5Iget_name(scale, name, 16);
    H5Dclose(scale);
  }
  H5Aclose(held);
  H5Tclose(type);
  H5Dclose(set);
}

/* A text attribute of a dataset. */
static void text_beside(hid_t file, const char *set_name, const char *name, char text[40])
{
  memset(text, 0, 40);
  hid_t set = H5Dopen2(file, set_name, H5P_DEFAULT), held = H5Aopen(set, name, H5P_DEFAULT), type = H5Aget_type(held);
  if (H5Tget_size(type) < 40) H5Aread(held, type, text);
  H5Tclose(type);
  H5Aclose(held);
  H5Dclose(set);
}

static void steps_are_no_seconds(void)
{
  double values_of[4] = {1, 2, 3, 4};
  char path[120], unit[40], name[40];
  snprintf(path, sizeof path, "%s", path_of("time.nc"));
  for (int counts = 0; counts < 2; counts++) {
    hg_field field = {.dims = 2, .n = {2, 2, 1}, .precision = HG_DOUBLE, .values = values_of, .name = "v", .time = 7};
    field.placed = true;
    field.counts_steps = counts;
    if (!tap_ok(hg_output_write(path, &field) == HG_OK, "a field with a time is written %s", hg_message())) continue;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    text_beside(file, "time", "units", unit);
    text_beside(file, "time", "long_name", name);
    tap_ok(strcmp(unit, counts ? "1" : "s") == 0 && strcmp(name, counts ? "step" : "time since the start") == 0,
           "... which is %s: '%s', '%s'", counts ? "a step" : "in seconds", unit, name);
    H5Fclose(file);
  }
  unlink(path);
  unlink(path_of("time.xmf"));
}

static void axes_are_beside_fields(void)
{
  double place[4] = {0}, first[12], second[12];
  char path[120], name[3][16];
  for (int i = 0; i < 12; i++) first[i] = i, second[i] = 100 + i;
  hg_field other = {.dims = 2, .n = {4, 3, 1}, .precision = HG_DOUBLE, .values = second, .name = "x", .time = 2},
           field = other;
  field.values = first;
  field.name = "height";
  field.also = &other;
  field.placed = field.metric = true;
  field.spacing[0] = .5;
  field.origin[0] = 10;
  snprintf(path, sizeof path, "%s", path_of("axes.nc"));
  if (!tap_ok(hg_output_write(path, &field) == HG_OK, "two fields are written to a .nc file %s", hg_message())) return;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  name_of_scale(file, "height", 0, name[0]);
  name_of_scale(file, "height", 1, name[1]);
  name_of_scale(file, "x", 1, name[2]);
  tap_ok(strcmp(name[0], "/y") == 0 && strcmp(name[1], "/x_axis") == 0 && strcmp(name[2], "/x_axis") == 0,
         "their dimensions refer to axes, which no field is called like (%s, %s, %s)", name[0], name[1], name[2]);
  hid_t set = H5Dopen2(file, "x_axis", H5P_DEFAULT);
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, place);
  tap_ok(place[0] == 10 && place[3] == 11.5, "which hold the places of cells (%g to %g)", place[0], place[3]);
  H5Dclose(set);
  H5Fclose(file);
  field.also = NULL;
  hg_grid_input *in;
  double out[12] = {0};
  if (!tap_ok(hg_output_write(path, &field) == HG_OK && hg_grid_open(path, 1, &in) == HG_OK,
              "a field with its axes is the only dataset to read %s", hg_message()))
    return;
  tap_ok(hg_grid_read(in, field.n, &(hg_box){{0, 0, 0}, {4, 3, 1}}, out) == HG_OK && out[11] == 11,
         "... and its values are read (%g)", out[11]);
  hg_grid_close(in);
  unlink(path);
  unlink(path_of("axes.xmf"));
}

static void long_names(void)
{
  hg_grid_input *in;
  char name[1025];
  for (int length = 1023; length <= 1024; length++) {
    memset(name, 'n', (size_t)length);
    name[length] = '\0';
    tap_ok(hg_grid_open(name, 1, &in) != HG_OK &&
               (strstr(hg_message(), "longer than 1023 characters") != NULL) == (length > 1023),
           "a name of %d characters: %.60s", length, hg_message());
  }
}

static void rounds(void)
{
  hg_grid_input *in;
  float out[N];
  if (hg_grid_open(path_of("inner.h5:x"), 1, &in) != HG_OK) return;
  const hg_box box = {{4, 3, 2}, {6, 5, 3}};
  tap_ok(hg_grid_round(in, &box, values, out) == HG_OK && out[3] == 4, "values are rounded to single precision");
  tap_ok(hg_grid_round(in, &box, (double[N]){1, 2, -1e39, 4}, out) == HG_FORMAT &&
             strstr(hg_message(), "(4, 4, 2) is -1e+39"),
         "one beyond single precision is refused (%s)", hg_message());
  hg_grid_close(in);
}

/* 4 x 3 numbers, and 4 numbers, as matrices of which parts are read. */
static void matrices_are_read_in_parts(void)
{
  const double given[] = {11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 42, 43};
  const hsize_t n[] = {4, 3};
  double part[6] = {0};
  char name[110];
  hg_matrix *m;
  hid_t file = make("matrix.h5"), space = H5Screate_simple(2, n, NULL),
        set = H5Dcreate2(file, "a", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, given);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  if (!tap_ok(hg_matrix_open(path_of("matrix.h5"), 1, &m) == HG_OK, "a matrix is opened")) return;
  bool read = hg_matrix_read(m, 1, 1, 2, 2, part, 3) == HG_OK;
  tap_ok(read && part[0] == 22 && part[1] == 32 && part[3] == 23 && part[4] == 33,
         "rows 1, 2 and columns 1, 2 of it, column by column (%g %g %g %g)", part[0], part[1], part[3], part[4]);
  hg_matrix_close(m);
  snprintf(name, sizeof name, "%s:x", path_of("inner.h5"));
  if (!tap_ok(hg_matrix_open(name, 1, &m) == HG_OK, "a vector is opened")) return;
  read = hg_matrix_read(m, 1, 0, 3, 1, part, 3) == HG_OK;
  tap_ok(read && part[0] == 2 && part[1] == 3 && part[2] == 4, "rows 1 to 3 of it (%g %g %g)", part[0], part[1],
         part[2]);
  hg_matrix_close(m);
  unlink(path_of("matrix.h5"));
}

int main(void)
{
  if (!mkdtemp(folder)) return 99;
  write_files();
  reads("names.h5:T.v1", "a name with a dot");
  reads("names.h5:a b", "a name with a blank");
  reads("names.h5:q:1", "a name with a colon");
  reads("names.h5:\u00e4", "a name that is not ASCII");
  packed_is_refused();
  bools_are_read();
  integers_are_not_rounded();
  axes_are_beside_fields();
  steps_are_no_seconds();
  packed_and_missing_values();
  conventions_are_kept();
  reads("inner.h5:group/soft", "a link within the file");
  refuses("stored.h5", "other files", "a dataset stored in another file");
  refuses("virtual.h5:x", "other files", "a dataset that is a view of another file");
  refuses("linked.h5:x", "link to another file", "a link to another file");
  refuses("linked.h5:all/x", "link to another file", "a way through a link to another file");
  refuses("linked.h5:soft", "link to another file", "a link to such a link");
  refuses("linked.h5", "0 datasets", "a file with nothing but links");
  refuses("inner.h5:group", "no dataset", "a group");
  matrices_are_read_in_parts();
  long_names();
  rounds();
  static const char *const names[] = {"inner.h5", "stored.h5", "virtual.h5", "linked.h5"};
  for (int i = 0; i < 4; i++) unlink(path_of(names[i]));
  rmdir(folder);
  return tap_done();
}
