/* SPDX-License-Identifier: MIT */
/* Colours of pictures: maps from numbers to colours, and distinct colours. All can also be told apart by readers with
 * red-green colour blindness. */
#ifndef HG_CHART_COLOURS_H
#define HG_CHART_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

/** 0xRRGGBB */
typedef uint32_t hg_colour;

enum { HG_BLACK = 0x1a1a1a, HG_GREY = 0x6e6e6e, HG_PALE = 0xe3e3e3, HG_WHITE = 0xffffff, HG_MISSING = 0xb4b4b4 };

/** From dark to light: inferno, viridis, cividis, grey; from light to dark: blues; from red through white to blue, for
 * values below and above a midpoint: redblue. */
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

/** The colour at `t`; 0 is the map's beginning, 1 its end; values beyond have the colour of the end. NAN:
 * HG_MISSING. */
hg_colour hg_colour_at(hg_colour_map map, double t);

/** A colour for a number >= 0: seven that all readers can distinguish, then paler ones of the same hues. */
hg_colour hg_colour_of(int64_t number);

/** Black or white, whichever is readable on a colour. */
hg_colour hg_colour_on(hg_colour ground);

/** Maps numbers to colours, linearly or logarithmically. */
typedef struct hg_colour_scale {
  hg_colour_map map;
  double low, high; /**< low < high; > 0 if logarithmic */
  bool logarithmic;
  bool below, above; /**< there are values beyond the ends; they have the colour of the end */
} hg_colour_scale;

/** Position of a value on a scale: 0 its low end, 1 its high end; not clamped. NAN stays NAN. */
double hg_colour_place(const hg_colour_scale *scale, double value);

/** Colour of a value. */
hg_colour hg_colour_for(const hg_colour_scale *scale, double value);
#endif
