/* SPDX-License-Identifier: MIT */
/* Without libtiff. */
#include <stddef.h>

#include "base/file.h"
#include "input/tiff.h"

bool hg_file_is_tiff(const char *path)
{
  return hg_file_has_ending(path, ".tif") || hg_file_has_ending(path, ".tiff");
}

hg_status hg_tiff_check(const char *path)
{
  return hg_fail(HG_UNSUPPORTED, "%s: hetgrid was built without libtiff; convert it by gdal_translate to .nc", path);
}

hg_status hg_tiff_open(const char *path, hg_array *out, hg_georeference **where)
{
  (void)out, (void)where;
  return hg_tiff_check(path);
}

hg_status hg_tiff_write(FILE *out, const char *path, const int64_t n[2], bool is_float, const void *values,
                        const hg_georeference *where, const double *missing)
{
  (void)out, (void)n, (void)is_float, (void)values, (void)where, (void)missing;
  return hg_tiff_check(path);
}
