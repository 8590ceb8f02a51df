/* SPDX-License-Identifier: MIT */
#include "input/georeference.h"

#include <stdio.h>
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

/* Values of a tag, at least `least` of them; NULL: there are fewer. */
static const void *values_of(const hg_georeference *where, uint32_t tag, uint32_t least)
{
  for (int i = 0; where && i < HG_GEO_TAGS; i++)
    if (where->tag[i].tag == tag && where->tag[i].count >= least) return where->tag[i].values;
  return NULL;
}

/* A key that is one short number; 0: not present. */
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

/* Datums of common elevation maps, and the numbering of their UTM zones. */
typedef struct datum {
  const char *name, *datum, *spheroid;
  double axis, flattening; /* m, 1/f */
  int code, zones[2]; /* code: EPSG's, of longitude and latitude; zones: EPSG's codes before the first zone, north and
                         south, or 0 */
} datum;

static const datum datums[] = {
    {"WGS 84", "WGS_1984", "WGS 84", 6378137, 298.257223563, 4326, {32600, 32700}},
    {"ETRS89", "European_Terrestrial_Reference_System_1989", "GRS 1980", 6378137, 298.257222101, 4258, {25800, 0}},
    {"NAD83", "North_American_Datum_1983", "GRS 1980", 6378137, 298.257222101, 4269, {26900, 0}}};

static int put_geographic(const datum *d, char *text, size_t room)
{
  return snprintf(text, room,
                  "GEOGCS[\"%s\",DATUM[\"%s\",SPHEROID[\"%s\",%.0f,%.9f]],PRIMEM[\"Greenwich\",0],"
                  "UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"%d\"]]",
                  d->name, d->datum, d->spheroid, d->axis, d->flattening, d->code);
}

static void put_zone(const datum *d, int code, int zone, bool south, char *text, size_t room)
{
  int used = snprintf(text, room, "PROJCS[\"%s / UTM zone %d%c\",", d->name, zone, south ? 'S' : 'N');
  used += put_geographic(d, text + used, room - (size_t)used);
  snprintf(text + used, room - (size_t)used,
           ",PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],"
           "PARAMETER[\"central_meridian\",%d],PARAMETER[\"scale_factor\",0.9996],"
           "PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",%d],UNIT[\"metre\",1],"
           "AUTHORITY[\"EPSG\",\"%d\"]]",
           6 * zone - 183, south ? 10000000 : 0, code);
}

bool hg_georeference_system(const hg_georeference *where, char text[HG_GEO_SYSTEM])
{
  const int code = hg_georeference_epsg(where);
  snprintf(text, HG_GEO_SYSTEM, "EPSG:%d", code);
  for (const datum *d = datums; d < datums + sizeof datums / sizeof *datums; d++) {
    if (code == d->code) put_geographic(d, text, HG_GEO_SYSTEM);
    for (int south = 0; south < 2; south++) {
      const int zone = code - d->zones[south];
      if (d->zones[south] && zone >= 1 && zone <= 60) put_zone(d, code, zone, south, text, HG_GEO_SYSTEM);
    }
  }
  return code != 0;
}

void hg_georeference_free(hg_georeference *where)
{
  for (int i = 0; where && i < HG_GEO_TAGS; i++) free(where->tag[i].values);
  free(where);
}
