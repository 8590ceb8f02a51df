/* SPDX-License-Identifier: MIT */
/* Charts: a plot with axes, round ticks and units, curves and other content, with its legend or colour bar outside.
 * All pictures of hetgrid are made of them. */
#ifndef HG_CHART_CHART_H
#define HG_CHART_CHART_H

#include <math.h>

#include "chart/axis.h"
#include "chart/canvas.h"
#include "base/file.h"

/** A curve, or points with bars. */
typedef struct hg_chart_line {
  const char *name;         /**< in the legend; NULL: not in the legend */
  int points, colour;       /**< colour: any number >= 0; lines with the same number look alike */
  const double *x, *y;      /**< [points]; a point without a position on an axis is omitted */
  const double *low, *high; /**< [points] ends of its error bar, or NULL: */
  double error;             /**< relative size of error bars; 0: none */
  const bool *hollow;       /**< [points], or NULL: none are */
  bool dots;                /**< points, not a curve */
  bool marked;              /**< a curve with its points marked */
  bool dashed;
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

/** An entry of the legend that is not a curve. */
typedef struct hg_chart_key {
  const char *name;
  hg_colour colour;
} hg_chart_key;

/** Position of a plot on the sheet, and its axes with their ends. */
typedef struct hg_plot {
  double left, top, width, height;
  hg_axis x, y;
} hg_plot;

typedef struct hg_chart {
  const char *title, *note; /**< above the plot; note: a smaller line below the title, or NULL */
  hg_axis x, y;
  double width, height; /**< of the plot, points; 0: 560 x 320 */
  bool no_grid;         /**< no grid, only ticks outside the plot */
  int lines, marks, bands, keys;
  const hg_chart_line *line;
  const hg_chart_mark *mark;
  const hg_chart_band *band;
  const hg_chart_key *key;
  const hg_colour_scale *scale; /**< adds a colour bar; or NULL */
  const char *scale_label;
  /** Draws additional content of the plot, below the curves. */
  void (*draw)(hg_canvas *c, const hg_plot *plot, const void *what);
  const void *what;
} hg_chart;

/** Position of a value on the sheet. */
double hg_plot_x(const hg_plot *plot, double x);
double hg_plot_y(const hg_plot *plot, double y);

/** Draws a chart with its upper left corner at x, y and enlarges the sheet if needed. */
void hg_chart_draw(hg_canvas *c, double x, double y, const hg_chart *chart);

/** Writes charts to a file. HG_IO, HG_MEMORY. */
hg_status hg_charts_write(const char *path, int columns, int charts, const hg_chart *chart);

/** FILE-NAME.EXTENSION for FILE.EXTENSION, for pictures that belong together. HG_INVALID if it is too long. */
hg_status hg_chart_path(const char *file, const char *name, char path[HG_PATH_MAX]);
#endif
