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
  double low, high;  /**< values at the ends of the colour map, low < high */
  const char *label; /**< label of the values, with their unit; NULL: the field's name */
  bool pixels;       /**< only the cells, one pixel each */
} hg_picture;

/** Draws a field in the format of the ending of `path`: cells as colours, axes in cells or m, a colour bar, name, step
 * and time; the middle layer of a 3-D field, a curve for a 1-D field. If an axis has more than 1280 cells (8192 with
 * `pixels`), cells are averaged. NaNs are grey. Facts are written to a .png, command and date to a .pdf. HG_IO,
 * HG_MEMORY. */
hg_status hg_picture_write(FILE *out, const char *path, const hg_field *field);
#endif
