/* SPDX-License-Identifier: MIT */
#include "input/georeference.h"

#include <stdlib.h>
#include <string.h>

hg_status hg_georeference_make(hg_georeference **out)
{
  *out = calloc(1, sizeof **out);
  return *out ? HG_OK : hg_fail(HG_MEMORY, "no memory");
}

static size_t value_bytes(uint32_t tag)
{
  return tag == HG_GEO_KEYS ? sizeof(uint16_t) : tag == HG_GEO_ASCII_KEYS ? 1 : sizeof(double);
}

hg_status hg_georeference_add(hg_georeference *where, uint32_t tag, uint32_t count, const void *values)
{
  int i = 0;
  while (i < HG_GEO_TAGS - 1 && where->tag[i].tag) i++;
  void *copy = malloc(count * value_bytes(tag));
  if (!copy) return hg_fail(HG_MEMORY, "no memory");
  memcpy(copy, values, count * value_bytes(tag));
  where->tag[i].tag = tag;
  where->tag[i].count = count;
  where->tag[i].values = copy;
  return HG_OK;
}

hg_status hg_georeference_of_corner(double west, double north, const double cell[2], hg_georeference **out)
{
  const double scale[3] = {cell[0], cell[1], 0}, tie[6] = {0, 0, 0, west, north, 0};
  HG_TRY(hg_georeference_make(out));
  HG_TRY(hg_georeference_add(*out, HG_GEO_PIXEL_SCALE, 3, scale));
  return hg_georeference_add(*out, HG_GEO_TIE_POINTS, 6, tie);
}

/* Values of a tag, at least so many; NULL: there are not. */
static const void *values_of(const hg_georeference *where, uint32_t tag, uint32_t least)
{
  for (int i = 0; where && i < HG_GEO_TAGS; i++)
    if (where->tag[i].tag == tag && where->tag[i].count >= least) return where->tag[i].values;
  return NULL;
}

/* A key that is one short number; 0: it is not there. */
static int key_of(const hg_georeference *where, int key)
{
  const uint16_t *keys = values_of(where, HG_GEO_KEYS, 4);
  for (int i = 0; keys && i < keys[3] && values_of(where, HG_GEO_KEYS, 4 * (uint32_t)i + 8); i++) {
    const uint16_t *entry = keys + 4 * i + 4;
    if (entry[0] == key && entry[1] == 0) return entry[3];
  }
  return 0;
}

bool hg_georeference_places(const hg_georeference *where, double origin[2], double spacing[2])
{
  enum { RASTER_TYPE = 1025, PIXEL_IS_POINT = 2 };
  const double *scale = values_of(where, HG_GEO_PIXEL_SCALE, 2), *tie = values_of(where, HG_GEO_TIE_POINTS, 6);
  const double *m = values_of(where, HG_GEO_TRANSFORMATION, 16);
  const double half = key_of(where, RASTER_TYPE) == PIXEL_IS_POINT ? 0 : .5;
  if (!(scale && tie) && !(m && m[1] == 0 && m[4] == 0)) return false;
  spacing[0] = scale ? scale[0] : m[0];
  spacing[1] = scale ? -scale[1] : m[5];
  for (int a = 0; a < 2; a++) origin[a] = (scale ? tie[3 + a] - tie[a] * spacing[a] : m[4 * a + 3]) + half * spacing[a];
  return true;
}

hg_geo_unit hg_georeference_unit(const hg_georeference *where)
{
  enum { MODEL_TYPE = 1024, PROJECTED = 1, GEOGRAPHIC = 2 };
  const int model = key_of(where, MODEL_TYPE);
  return model == PROJECTED ? HG_GEO_METRES : model == GEOGRAPHIC ? HG_GEO_DEGREES : HG_GEO_UNKNOWN;
}

int hg_georeference_epsg(const hg_georeference *where)
{
  enum { GEODETIC = 2048, PROJECTED = 3072, USER_DEFINED = 32767 };
  const int projected = key_of(where, PROJECTED), code = projected ? projected : key_of(where, GEODETIC);
  return code == USER_DEFINED ? 0 : code;
}

void hg_georeference_free(hg_georeference *where)
{
  for (int i = 0; where && i < HG_GEO_TAGS; i++) free(where->tag[i].values);
  free(where);
}
