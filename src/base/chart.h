/* SPDX-License-Identifier: MIT */
/* Charts as SVG: lines over logarithmic axes, one or more panels below each other; maps of coloured
 * cells. */
#ifndef HG_BASE_CHART_H
#define HG_BASE_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/** A line, or points with bars. */
typedef struct hg_chart_line {
  const char *name;    /**< in the legend; NULL: not there */
  int points, colour;  /**< colour: any number; lines of the same are alike */
  const double *x, *y; /**< [points] > 0 */
  double error;        /**< relative, of bars on the points; 0: none */
  bool dots;           /**< points, not a line */
} hg_chart_line;

/** A vertical line with a name. */
typedef struct hg_chart_mark {
  double x;
  const char *name;
} hg_chart_mark;

/** A shaded range of x. */
typedef struct hg_chart_band {
  double from, to;
  int shade; /**< 0, 1, 2 */
} hg_chart_band;

typedef struct hg_chart {
  const char *title,
      *unit; /**< above the panel, and of y behind the numbers; y is divided by `scale` */
  double scale;
  int lines, marks, bands, ticks;
  const hg_chart_line *line;
  const hg_chart_mark *mark;
  const hg_chart_band *band;
  const double *tick; /**< x that are written */
} hg_chart;

/** Draws panels below each other. HG_IO */
hg_status hg_chart_draw(FILE *out, int panels, const hg_chart *panel);

/** Coloured cells in rows from the bottom up. */
typedef struct hg_chart_map {
  const char *title, *x_name, *y_name;
  int columns, rows;
  const double
      *value; /**< [rows][columns] NAN: empty; what is above `middle` is green, below red */
  double middle;
} hg_chart_map;

hg_status hg_chart_map_draw(FILE *out, const hg_chart_map *map);
#endif
