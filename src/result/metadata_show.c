/* SPDX-License-Identifier: MIT */
/* Prints the metadata of a file, which need not be trustworthy. */
#include <hdf5.h>
#include <inttypes.h>
#include <jansson.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/shown.h"
#include "base/text.h"
#include "input/hdf5_open.h"
#include "result/metadata.h"
#include "result/hdf5_trailer.h"

/* Text of the file must not control the terminal. */
static void print_line(FILE *out, const char *name, const char *text)
{
  char *key = hg_text_shown(name), *value = hg_text_shown(text);
  if (key && value) fprintf(out, "%-11s %s\n", key, value);
  free(key);
  free(value);
}

typedef struct listing {
  FILE *out;
  int count;
} listing;

/* --- HDF5 --- */

enum { TEXT_MAX = 1 << 16 };

static bool read_text(hid_t attribute, hid_t type, char text[TEXT_MAX])
{
  const size_t size = H5Tget_size(type);
  memset(text, 0, TEXT_MAX);
  return !H5Tis_variable_str(type) && size < TEXT_MAX && H5Aread(attribute, type, text) >= 0;
}

static bool read_number(hid_t attribute, H5T_class_t class, char text[TEXT_MAX])
{
  int64_t whole;
  double real;
  if (class == H5T_INTEGER && H5Aread(attribute, H5T_NATIVE_INT64, &whole) >= 0)
    return snprintf(text, TEXT_MAX, "%" PRId64, whole) > 0;
  return class == H5T_FLOAT && H5Aread(attribute, H5T_NATIVE_DOUBLE, &real) >= 0 && hg_double_text(real, text);
}

/* Reads an attribute that is one text or number. */
static bool read_attribute(hid_t at, const char *name, char text[TEXT_MAX])
{
  const hid_t attribute = H5Aopen(at, name, H5P_DEFAULT);
  if (attribute < 0) return false;
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const H5T_class_t class = H5Tget_class(type);
  const bool good = H5Sget_simple_extent_npoints(space) == 1 &&
                    (class == H5T_STRING ? read_text(attribute, type, text) : read_number(attribute, class, text));
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return good;
}

static herr_t show_attribute(hid_t at, const char *name, const H5A_info_t *info, void *arg)
{
  static char text[TEXT_MAX];
  listing *l = arg;
  (void)info;
  if (!read_attribute(at, name, text)) return 0;
  print_line(l->out, name, text);
  l->count++;
  return 0;
}

bool hg_metadata_have(const char *path, const char *name, const char *text)
{
  int64_t file;
  if (hg_hdf5_open_file(path, &file) != HG_OK) return false;
  char *there = hg_hdf5_get_text(file, name);
  const bool same = there && strcmp(there, text) == 0;
  free(there);
  H5Fclose((hid_t)file);
  return same;
}

static hg_status show_hdf5(const char *path, listing *l)
{
  int64_t file;
  HG_TRY(hg_hdf5_open_file(path, &file));
  H5Aiterate2((hid_t)file, H5_INDEX_NAME, H5_ITER_INC, NULL, show_attribute, l);
  H5Fclose((hid_t)file);
  return HG_OK;
}

/* --- PNG --- */

static void on_warning(png_structp png, png_const_charp text)
{
  (void)png, (void)text;
}

static void on_error(png_structp png, png_const_charp text)
{
  (void)text;
  png_longjmp(png, 1);
}

static void show_texts(png_structp png, png_infop info, listing *l)
{
  png_textp text;
  const int count = png_get_text(png, info, &text, NULL);
  for (int i = 0; i < count; i++) print_line(l->out, text[i].key, text[i].text ? text[i].text : "");
  l->count += count;
}

static hg_status show_png(const char *path, listing *l)
{
  FILE *f;
  HG_TRY(hg_file_open(path, &f));
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  hg_status status = info ? HG_OK : hg_fail(HG_MEMORY, "%s: no memory for the PNG library", path);
  if (info && setjmp(png_jmpbuf(png)) == 0) {
    png_init_io(png, f);
    png_read_info(png, info);
    show_texts(png, info, l);
  } else if (info) {
    status = hg_fail(HG_FORMAT, "%s: not a PNG picture, or damaged", path);
  }
  png_destroy_read_struct(&png, &info, NULL);
  fclose(f);
  return status;
}

/* --- JSON --- */

static hg_status show_json(const char *path, listing *l)
{
  void *bytes;
  size_t size, left;
  json_error_t error;
  const char *name;
  json_t *value;
  HG_TRY(hg_file_map(path, &bytes, &size));
  left = size;
  const char *first = hg_text_begin(bytes, &left);
  json_t *all = json_loadb(first, left, 0, &error);
  munmap(bytes, size);
  if (!all) return hg_fail(HG_FORMAT, "%s:%d: %s", path, error.line, error.text);
  json_object_foreach(all, name, value)
  {
    char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    print_line(l->out, name, json_is_string(value) ? json_string_value(value) : text ? text : "");
    free(text);
    l->count++;
  }
  json_decref(all);
  return HG_OK;
}

hg_status hg_metadata_show(const char *path, FILE *out)
{
  listing l = {.out = out};
  if (hg_file_is_hdf5(path))
    HG_TRY(show_hdf5(path, &l));
  else if (hg_file_has_ending(path, ".png"))
    HG_TRY(show_png(path, &l));
  else if (hg_file_has_ending(path, ".json"))
    HG_TRY(show_json(path, &l));
  else
    return hg_fail(HG_INVALID, "%s: unknown ending, must be .h5, .nc, .png or .json", path);
  return l.count > 0 ? HG_OK : hg_fail(HG_FORMAT, "%s: holds no provenance", path);
}
