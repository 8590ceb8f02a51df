/* SPDX-License-Identifier: MIT */
#include "input/foreign.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"

#define RENAME "give it that ending"
#define BY_PYTHON "load it with Python and save it by numpy.save as .npy"
#define BY_GDAL "convert it by gdal_translate to NetCDF-4, named .h5, or to .npy"
#define UNPACK "unpack it first"

typedef struct format {
  const char *begins; /* case is ignored in texts */
  size_t length;
  const char *endings[4]; /* endings that hetgrid accepts for the format */
  const char *name, *advice;
} format;

#define BEGINS(text) text, sizeof text - 1

static const format formats[] = {
    {BEGINS("\x93NUMPY"), {".npy"}, "NumPy's .npy", RENAME},
    {BEGINS("\x89HDF\r\n\x1a\n"),
     {".h5", ".hdf5", ".nc"},
     "HDF5 (NetCDF-4 and MATLAB 7.3 are, too)",
     "give it the ending .h5"},
    {BEGINS("\x89PNG\r\n"), {".png"}, "PNG", RENAME},
    {BEGINS("%%MatrixMarket"), {".mtx"}, "Matrix Market", RENAME},
    {BEGINS("PK\3\4"), {".npz"}, "a zip archive", UNPACK},
    {BEGINS("\x1f\x8b"), {".mtx.gz", ".csv.gz", ".asc.gz"}, "compressed by gzip", UNPACK " (gunzip)"},
    {BEGINS("BZh"), {NULL}, "compressed by bzip2", UNPACK " (bunzip2)"},
    {BEGINS("\xfd"
            "7zXZ"),
     {NULL},
     "compressed by xz",
     UNPACK " (unxz)"},
    {BEGINS("\x28\xb5\x2f\xfd"), {NULL}, "compressed by zstd", UNPACK " (unzstd)"},
    {BEGINS("MATLAB 7.3"), {".h5", ".hdf5", ".nc"}, "MATLAB 7.3, which is HDF5", "give it the ending .h5"},
    {BEGINS("MATLAB 5"), {NULL}, "MATLAB's .mat", "save it with -v7.3 and the ending .h5"},
    {BEGINS("CDF\1"), {NULL}, "NetCDF-3 (classic)", "convert it by nccopy -k nc4 IN OUT.h5"},
    {BEGINS("CDF\2"), {NULL}, "NetCDF-3 (64-bit offset)", "convert it by nccopy -k nc4 IN OUT.h5"},
    {BEGINS("CDF\5"), {NULL}, "NetCDF (64-bit data)", "convert it by nccopy -k nc4 IN OUT.h5"},
    {BEGINS("II*\0"), {".tif", ".tiff"}, "TIFF or GeoTIFF", "give it the ending .tif"},
    {BEGINS("MM\0*"), {".tif", ".tiff"}, "TIFF or GeoTIFF", "give it the ending .tif"},
    {BEGINS("II+\0"), {".tif", ".tiff"}, "BigTIFF", "give it the ending .tif"},
    {BEGINS("MM\0+"), {".tif", ".tiff"}, "BigTIFF", "give it the ending .tif"},
    {BEGINS("ncols"), {".asc"}, "an ESRI ASCII grid", "give it the ending .asc"},
    {BEGINS("nrows"), {".asc"}, "an ESRI ASCII grid", "give it the ending .asc"},
    {BEGINS("DSAA"), {NULL}, "a Surfer grid", BY_GDAL},
    {BEGINS("\xff\xd8\xff"), {NULL}, "JPEG", "convert it to PNG"},
    {BEGINS("SIMPLE  ="), {NULL}, "FITS", BY_PYTHON},
    {BEGINS("GRIB"), {NULL}, "GRIB", BY_GDAL},
    {BEGINS("PAR1"), {NULL}, "Parquet", BY_PYTHON},
    {BEGINS("# vtk"), {NULL}, "VTK", BY_PYTHON},
    {BEGINS("\xff\xfe"), {NULL}, "text in UTF-16", "save it as UTF-8"},
    {BEGINS("\xfe\xff"), {NULL}, "text in UTF-16", "save it as UTF-8"}};

/* Formats recognised by their endings only. */
static const char *const harwell_boeing[] = {".rua", ".rsa", ".pua", ".psa", ".rza", ".rb", ".hb"};

static bool is_of(const format *f, const char *path)
{
  bool found = false;
  for (int i = 0; i < 3 && f->endings[i]; i++) found |= hg_file_has_ending(path, f->endings[i]);
  return found;
}

static hg_status fail(const char *path, const char *name, const char *advice)
{
  return hg_fail(HG_FORMAT, "%s: is %s, which cannot be read under this name; %s", path, name, advice);
}

hg_status hg_foreign_check(const char *path)
{
  char head[16] = "";
  FILE *f;
  HG_TRY(hg_file_open(path, &f));
  const size_t size = fread(head, 1, sizeof head, f);
  fclose(f);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    const format *t = &formats[i];
    const bool is_text = t->begins[0] > ' ';
    if (size < t->length || (is_text ? strncasecmp(head, t->begins, t->length) : memcmp(head, t->begins, t->length)))
      continue;
    return is_of(t, path) ? HG_OK : fail(path, t->name, t->advice);
  }
  for (size_t i = 0; i < sizeof harwell_boeing / sizeof *harwell_boeing; i++)
    if (hg_file_has_ending(path, harwell_boeing[i]))
      return fail(path, "a Harwell-Boeing matrix", "save it as .mtx by scipy.io.mmwrite");
  return HG_OK;
}
