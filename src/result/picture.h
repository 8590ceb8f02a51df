/* SPDX-License-Identifier: MIT */
/* Pictures of a field. */
#ifndef HG_RESULT_PICTURE_H
#define HG_RESULT_PICTURE_H

#include <stdio.h>

#include "chart/colours.h"
#include "base/status.h"
#include "result/field.h"

/** How fields are drawn. All 0: inferno from the smallest to the largest value, with axes. */
typedef struct hg_picture {
  hg_colour_map map;
  bool ranged;       /**< low and high are given */
  double low, high;  /**< values that have the colours of the map's ends, low < high */
  const char *label; /**< what the values are called, with their unit; NULL: the field's name */
  bool pixels;       /**< nothing but the cells, a pixel each */
} hg_picture;

/** Draws a field in the format that `path` tells: cells as colours, axes in cells or metres, a colour bar, its name,
 * step and time; of a 3-D field the middle layer, of a 1-D field the curve. More cells along an axis than 1280 (or with
 * `pixels` 8192) are averaged. Values that are no number are grey. Facts go into a .png, command and date into a .pdf.
 * HG_IO, HG_MEMORY. */
hg_status hg_picture_write(FILE *out, const char *path, const hg_field *field);
#endif
