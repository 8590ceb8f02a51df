/* SPDX-License-Identifier: MIT */
/* Colours of pictures: maps from numbers to colours, and colours to tell things apart, all of which readers who confuse
 * red and green can tell apart too. */
#ifndef HG_CHART_COLOURS_H
#define HG_CHART_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

/** 0xRRGGBB */
typedef uint32_t hg_colour;

enum { HG_BLACK = 0x1a1a1a, HG_GREY = 0x6e6e6e, HG_PALE = 0xe3e3e3, HG_WHITE = 0xffffff, HG_MISSING = 0xb4b4b4 };

/** From dark to light: inferno, viridis, cividis, grey; from light to dark: blues; from red over white to blue, for
 * what lies below and above a middle: redblue. */
typedef enum hg_colour_map {
  HG_INFERNO,
  HG_VIRIDIS,
  HG_CIVIDIS,
  HG_GREYS,
  HG_BLUES,
  HG_RED_BLUE,
  HG_COLOUR_MAPS
} hg_colour_map;

/** Their names, ended by NULL. */
extern const char *const hg_colour_map_names[HG_COLOUR_MAPS + 1];

/** The colour at `t`; 0 is the map's beginning, 1 its end, what lies beyond has the colour of the end. NAN:
 * HG_MISSING. */
hg_colour hg_colour_at(hg_colour_map map, double t);

/** A colour for a number >= 0: seven that differ for all readers, then paler ones of the same hues. */
hg_colour hg_colour_of(int64_t number);

/** Black or white, whichever can be read on a colour. */
hg_colour hg_colour_on(hg_colour ground);

/** Numbers as colours, linearly or by their logarithm. */
typedef struct hg_colour_scale {
  hg_colour_map map;
  double low, high; /**< low < high; > 0 if logarithmic */
  bool logarithmic;
  bool below, above; /**< values beyond the ends are there, and have the colour of the end */
} hg_colour_scale;

/** Place of a value on a scale: 0 its low end, 1 its high end; not cut. NAN stays. */
double hg_colour_place(const hg_colour_scale *scale, double value);

/** Colour of a value. */
hg_colour hg_colour_for(const hg_colour_scale *scale, double value);
#endif
