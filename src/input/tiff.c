/* SPDX-License-Identifier: MIT */
#include "input/tiff.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <tiffio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

enum { GDAL_METADATA = 42112, GDAL_NODATA = 42113 };

/* The tags of a georeference come first. */
static const TIFFFieldInfo fields[] = {
    {HG_GEO_PIXEL_SCALE, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelPixelScale"},
    {HG_GEO_TIE_POINTS, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelTiepoint"},
    {HG_GEO_TRANSFORMATION, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelTransformation"},
    {HG_GEO_KEYS, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_SHORT, FIELD_CUSTOM, 1, 1, "GeoKeyDirectory"},
    {HG_GEO_DOUBLE_KEYS, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "GeoDoubleParams"},
    {HG_GEO_ASCII_KEYS, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_ASCII, FIELD_CUSTOM, 1, 1, "GeoAsciiParams"},
    {GDAL_METADATA, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_ASCII, FIELD_CUSTOM, 1, 1, "GDALMetadata"},
    {GDAL_NODATA, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_ASCII, FIELD_CUSTOM, 1, 1, "GDALNoData"}};

/* An open file, and libtiff's last message about it. */
typedef struct tiff {
  TIFF *file;
  const char *path;
  char reason[200];
} tiff;

bool hg_file_is_tiff(const char *path)
{
  return hg_file_has_ending(path, ".tif") || hg_file_has_ending(path, ".tiff");
}

hg_status hg_tiff_check(const char *path)
{
  (void)path;
  return HG_OK;
}

__attribute__((format(printf, 4, 0))) static int on_error(TIFF *file, void *user, const char *module,
                                                          const char *format, va_list arguments)
{
  tiff *t = user;
  (void)file, (void)module;
  vsnprintf(t->reason, sizeof t->reason, format, arguments);
  return 1;
}

__attribute__((format(printf, 4, 0))) static int on_warning(TIFF *file, void *user, const char *module,
                                                            const char *format, va_list arguments)
{
  (void)file, (void)user, (void)module, (void)format, (void)arguments;
  return 1;
}

static void know_tags(TIFF *file)
{
  TIFFMergeFieldInfo(file, fields, sizeof fields / sizeof *fields);
}

/* Takes over the descriptor. */
static hg_status open_tiff(int fd, const char *mode, tiff *t)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) {
    close(fd);
    return hg_fail(HG_MEMORY, "%s: no memory", t->path);
  }
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, t);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, t);
  TIFFSetTagExtender(know_tags);
  t->file = TIFFFdOpenExt(fd, t->path, mode, options);
  TIFFOpenOptionsFree(options);
  if (t->file) return HG_OK;
  close(fd);
  return hg_fail(HG_FORMAT, "%s: %s", t->path, *t->reason ? t->reason : "not a TIFF file");
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

static hg_status damaged(const tiff *t)
{
  return hg_fail(HG_FORMAT, "%s: %s", t->path, *t->reason ? t->reason : "damaged or truncated");
}

static uint16_t tag_of(const tiff *t, uint32_t tag)
{
  uint16_t value = 0;
  TIFFGetFieldDefaulted(t->file, tag, &value);
  return value;
}

/* A text tag; NULL if there is none. */
static char *text_of(const tiff *t, uint32_t tag)
{
  uint32_t count = 0;
  const char *text = NULL;
  return TIFFGetField(t->file, tag, &count, &text) && text ? strndup(text, count) : NULL;
}

/* Whether GDAL's metadata (XML) have an item of that role. */
static bool has_role(const char *metadata, const char *role)
{
  const size_t length = strlen(role);
  bool found = false;
  for (const char *at = metadata; !found && (at = strstr(at, "role="));) {
    at += strlen("role=");
    const char quote = *at; /* single or double */
    found = quote && strncmp(at + 1, role, length) == 0 && at[length + 1] == quote;
  }
  return found;
}

/* Whether a page is an overview (with fewer points) or a mask of another one. */
static bool is_beside(const tiff *t, uint32_t kind)
{
  uint32_t type = 0;
  TIFFGetField(t->file, TIFFTAG_SUBFILETYPE, &type);
  return type & kind;
}

/* Accepts one page of numbers, with overviews; a mask means that some cells have no data. */
static hg_status check_pages(const tiff *t)
{
  int pages = 0, masks = 0;
  do {
    const bool overview = is_beside(t, FILETYPE_REDUCEDIMAGE), mask = is_beside(t, FILETYPE_MASK);
    pages += !overview && !mask;
    masks += !overview && mask;
  } while (TIFFReadDirectory(t->file));
  if (pages > 1)
    return hg_fail(HG_FORMAT, "%s: has %d pages, must have 1; gdal_translate GTIFF_DIR:N:%s picks one", t->path, pages,
                   t->path);
  if (masks > 0)
    return hg_fail(HG_FORMAT, "%s: marks cells without data by a mask, must mark them by a value (gdalwarp -dstnodata)",
                   t->path);
  return TIFFSetDirectory(t->file, 0) ? HG_OK : damaged(t);
}

static hg_status check_kind(const tiff *t)
{
  HG_TRY(check_pages(t));
  const uint16_t bands = tag_of(t, TIFFTAG_SAMPLESPERPIXEL), colours = tag_of(t, TIFFTAG_PHOTOMETRIC);
  const uint16_t orientation = tag_of(t, TIFFTAG_ORIENTATION);
  if (bands != 1)
    return hg_fail(HG_FORMAT, "%s: has %d bands, must have 1; gdal_translate -b picks one", t->path, bands);
  if (colours == PHOTOMETRIC_MINISWHITE)
    return hg_fail(HG_FORMAT, "%s: its 0 is white (photometric interpretation 0), must be black (1)", t->path);
  if (colours != PHOTOMETRIC_MINISBLACK)
    return hg_fail(HG_FORMAT, "%s: is a colour picture (photometric interpretation %d), must hold numbers", t->path,
                   colours);
  if (orientation != ORIENTATION_TOPLEFT)
    return hg_fail(HG_FORMAT, "%s: its first row is not the northernmost one (orientation %d)", t->path, orientation);
  char *metadata = text_of(t, GDAL_METADATA);
  const bool scaled = metadata && (has_role(metadata, "scale") || has_role(metadata, "offset"));
  free(metadata);
  return scaled
             ? hg_fail(HG_FORMAT, "%s: its values are scaled; gdal_translate -unscale -ot Float64 undoes that", t->path)
             : HG_OK;
}

static hg_status describe(const tiff *t, hg_array *a)
{
  const uint16_t format = tag_of(t, TIFFTAG_SAMPLEFORMAT), bits = tag_of(t, TIFFTAG_BITSPERSAMPLE);
  uint32_t width = 0, height = 0;
  TIFFGetField(t->file, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(t->file, TIFFTAG_IMAGELENGTH, &height);
  const bool whole = (format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_INT) &&
                     (bits == 8 || bits == 16 || bits == 32 || bits == 64);
  const bool real = format == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32 || bits == 64);
  if (!whole && !real)
    return hg_fail(HG_FORMAT,
                   "%s: values of %d bit%s (sample format %d), must be integers of 8 to 64 bits or reals of 16 to 64",
                   t->path, bits, bits == 1 ? "" : "s", format);
  if (width == 0 || height == 0) return hg_fail(HG_FORMAT, "%s: is empty", t->path);
  *a = (hg_array){.dims = 2,
                  .n = {width, height, 1},
                  .kind = real                         ? 'f'
                          : format == SAMPLEFORMAT_INT ? 'i'
                                                       : 'u',
                  .size = bits / 8};
  a->stride[0] = a->size;
  a->stride[1] = a->size * a->n[0];
  a->stride[2] = a->stride[1] * a->n[1];
  return hg_memory_check(t->path, a->n, a->size);
}

static hg_status read_strips(const tiff *t, const hg_array *a, uint8_t *values)
{
  uint32_t rows = 0;
  TIFFGetFieldDefaulted(t->file, TIFFTAG_ROWSPERSTRIP, &rows);
  if (rows == 0) return damaged(t);
  for (int64_t y = 0; y < a->n[1]; y += rows) {
    const int64_t bytes = (a->n[1] - y < rows ? a->n[1] - y : rows) * a->stride[1];
    const uint32_t strip = TIFFComputeStrip(t->file, (uint32_t)y, 0);
    if (TIFFReadEncodedStrip(t->file, strip, values + y * a->stride[1], bytes) != bytes) return damaged(t);
  }
  return HG_OK;
}

static void copy_tile(const hg_array *a, int64_t x, int64_t y, const uint32_t n[2], const uint8_t *tile,
                      uint8_t *values)
{
  const int64_t width = a->n[0] - x < n[0] ? a->n[0] - x : n[0];
  for (int64_t row = 0; row < n[1] && y + row < a->n[1]; row++)
    memcpy(values + (y + row) * a->stride[1] + x * a->size, tile + row * n[0] * a->size, (size_t)(width * a->size));
}

static hg_status read_tiles(const tiff *t, const hg_array *a, uint8_t *values)
{
  uint32_t n[2] = {0, 0};
  TIFFGetField(t->file, TIFFTAG_TILEWIDTH, &n[0]);
  TIFFGetField(t->file, TIFFTAG_TILELENGTH, &n[1]);
  const tmsize_t bytes = TIFFTileSize(t->file);
  if (n[0] == 0 || n[1] == 0 || bytes != (tmsize_t)n[0] * n[1] * a->size) return damaged(t);
  void *tile;
  HG_TRY(hg_allocate("a tile of a TIFF file", (size_t)bytes, &tile));
  hg_status status = HG_OK;
  for (int64_t y = 0; y < a->n[1] && status == HG_OK; y += n[1])
    for (int64_t x = 0; x < a->n[0] && status == HG_OK; x += n[0]) {
      const uint32_t number = TIFFComputeTile(t->file, (uint32_t)x, (uint32_t)y, 0, 0);
      if (TIFFReadEncodedTile(t->file, number, tile, bytes) != bytes) status = damaged(t);
      if (status == HG_OK) copy_tile(a, x, y, n, tile, values);
    }
  free(tile);
  return status;
}

/* Reads a number as GDAL writes it, which may be nan or infinite. */
static bool read_number(const char *text, double *out)
{
  const char *word = text + (*text == '-' || *text == '+'), *end = hg_scan_double(text, text + strlen(text), out);
  if (!end && strncasecmp(word, "nan", 3) == 0) *out = NAN, end = word + 3;
  if (!end && strncasecmp(word, "inf", 3) == 0) *out = *text == '-' ? -INFINITY : INFINITY, end = word + 3;
  return end && end[strspn(end, " ")] == '\0';
}

/* Reads the number for no data, rounded to the type of the values. */
static hg_status read_missing(const tiff *t, hg_array *a)
{
  char *text = text_of(t, GDAL_NODATA);
  const bool good = !text || read_number(text + strspn(text, " "), &a->missing);
  if (!good) hg_fail(HG_FORMAT, "%s: its no-data value (GDAL_NODATA) is '%.40s', must be a number", t->path, text);
  a->has_missing = text && good && !isnan(a->missing);
  free(text);
  a->missing = hg_array_round(a, a->missing);
  return good ? HG_OK : HG_FORMAT;
}

static hg_status read_where(const tiff *t, hg_georeference **out)
{
  HG_TRY(hg_georeference_make(out));
  for (int i = 0; i < HG_GEO_TAGS; i++) {
    uint32_t count = 0;
    const void *values = NULL;
    if (!TIFFGetField(t->file, fields[i].field_tag, &count, &values) || count == 0) continue;
    HG_TRY(hg_georeference_add(*out, fields[i].field_tag, count, values));
  }
  return HG_OK;
}

static hg_status read_values(const tiff *t, hg_array *a)
{
  HG_TRY(hg_allocate(t->path, (size_t)a->stride[2], &a->owned));
  a->data = a->owned;
  HG_TRY(read_missing(t, a));
  return TIFFIsTiled(t->file) ? read_tiles(t, a, a->owned) : read_strips(t, a, a->owned);
}

hg_status hg_tiff_open(const char *path, hg_array *out, hg_georeference **where)
{
  tiff t = {.path = path};
  hg_array a = {0};
  FILE *f;
  HG_TRY(hg_file_open(path, &f));
  const int fd = dup(fileno(f));
  fclose(f);
  HG_TRY(open_tiff(fd, "r", &t));
  hg_status status = check_kind(&t);
  if (status == HG_OK) status = describe(&t, &a);
  if (status == HG_OK) status = read_values(&t, &a);
  if (status == HG_OK && where) status = read_where(&t, where);
  TIFFClose(t.file);
  if (status == HG_OK)
    *out = a;
  else
    hg_array_free(&a);
  return status;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static hg_status write_rows(const tiff *t, const int64_t n[2], int64_t bytes, const uint8_t *values)
{
  enum { STRIP = 1 << 20 };
  const int64_t row = n[0] * bytes, rows = row < STRIP ? STRIP / row : 1;
  TIFFSetField(t->file, TIFFTAG_ROWSPERSTRIP, (uint32_t)(rows < n[1] ? rows : n[1]));
  for (int64_t y = 0, strip = 0; y < n[1]; y += rows, strip++) {
    const int64_t part = (n[1] - y < rows ? n[1] - y : rows) * row;
    if (TIFFWriteRawStrip(t->file, (uint32_t)strip, (void *)(uintptr_t)(values + y * row), part) != part)
      return hg_fail(HG_IO, "%s: %s", t->path, *t->reason ? t->reason : "writing failed");
  }
  return TIFFFlush(t->file) ? HG_OK : hg_fail(HG_IO, "%s: %s", t->path, *t->reason ? t->reason : "writing failed");
}

hg_status hg_tiff_write(FILE *out, const char *path, const int64_t n[2], bool is_float, const void *values,
                        const hg_georeference *where, const double *missing)
{
  tiff t = {.path = path};
  const int bytes = is_float ? sizeof(float) : sizeof(double);
  const bool large = (double)n[0] * (double)n[1] * bytes > 4e9;
  if (n[0] > INT32_MAX || n[1] > INT32_MAX)
    return hg_fail(HG_INVALID, "%s: %" PRId64 " x %" PRId64 " cells, TIFF has at most %d along each axis", path, n[0],
                   n[1], INT32_MAX);
  HG_TRY(open_tiff(dup(fileno(out)), large ? "w8" : "w", &t));
  TIFFSetField(t.file, TIFFTAG_IMAGEWIDTH, (uint32_t)n[0]);
  TIFFSetField(t.file, TIFFTAG_IMAGELENGTH, (uint32_t)n[1]);
  TIFFSetField(t.file, TIFFTAG_BITSPERSAMPLE, 8 * bytes);
  TIFFSetField(t.file, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(t.file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
  TIFFSetField(t.file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(t.file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(t.file, TIFFTAG_SOFTWARE, "hetgrid");
  for (int i = 0; where && i < HG_GEO_TAGS; i++)
    if (where->tag[i].tag) TIFFSetField(t.file, where->tag[i].tag, where->tag[i].count, where->tag[i].values);
  char nodata[32];
  if (missing)
    TIFFSetField(t.file, GDAL_NODATA, (uint32_t)snprintf(nodata, sizeof nodata, "%.17g", *missing) + 1, nodata);
  const hg_status status = write_rows(&t, n, bytes, values);
  TIFFClose(t.file);
  return status;
}
