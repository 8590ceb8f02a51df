/* SPDX-License-Identifier: MIT */
/* Where the cells of a grid lie on Earth, by the tags of GeoTIFF (OGC 19-008r4), kept as in the file. */
#ifndef HG_INPUT_GEOREFERENCE_H
#define HG_INPUT_GEOREFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum {
  HG_GEO_TAGS = 6,
  HG_GEO_PIXEL_SCALE = 33550,
  HG_GEO_TIE_POINTS = 33922,
  HG_GEO_TRANSFORMATION = 34264,
  HG_GEO_KEYS = 34735,
  HG_GEO_DOUBLE_KEYS = 34736,
  HG_GEO_ASCII_KEYS = 34737
};

/** Where the cells of a grid lie, and in which coordinate reference system: tags of GeoTIFF. */
typedef struct hg_georeference {
  struct {
    uint32_t tag;   /**< its number in TIFF; 0: none */
    uint32_t count; /**< of values */
    void *values;   /**< double, uint16_t or char, by the tag */
  } tag[HG_GEO_TAGS];
} hg_georeference;

/** Makes an empty one. HG_MEMORY. Free with hg_georeference_free. */
hg_status hg_georeference_make(hg_georeference **out);

/** Adds a tag, whose values are copied. HG_MEMORY. */
hg_status hg_georeference_add(hg_georeference *where, uint32_t tag, uint32_t count, const void *values);

/** Makes one for a grid whose rows go from north to south, from its outer north-west corner and the cells' extents.
 * HG_MEMORY */
hg_status hg_georeference_of_corner(double west, double north, const double cell[2], hg_georeference **out);

/** Unit of coordinates. */
typedef enum hg_geo_unit { HG_GEO_UNKNOWN, HG_GEO_METRES, HG_GEO_DEGREES } hg_geo_unit;
hg_geo_unit hg_georeference_unit(const hg_georeference *where);

/** Centre of the first cell and distance of cells along x and y; returns whether they are known, with axes parallel to
 * the coordinates. */
bool hg_georeference_places(const hg_georeference *where, double origin[2], double spacing[2]);

/** The EPSG code of the coordinate reference system; 0: none. */
int hg_georeference_epsg(const hg_georeference *where);

/** The system as text: well-known text (OGC 01-009) of longitude and latitude, and of UTM zones, on WGS 84, ETRS89 and
 * NAD83; else EPSG:CODE. False if there is no code. */
enum { HG_GEO_SYSTEM = 700 };
bool hg_georeference_system(const hg_georeference *where, char text[HG_GEO_SYSTEM]);

void hg_georeference_free(hg_georeference *where);
#endif
