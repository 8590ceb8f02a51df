/* SPDX-License-Identifier: MIT */
/* A sheet to draw on, written as .svg, .png or .pdf. Lengths are in points, from the upper left corner. If memory runs
 * out while drawing, writing the sheet returns the error. */
#ifndef HG_CHART_CANVAS_H
#define HG_CHART_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

#include "chart/colours.h"
#include "base/status.h"

typedef struct hg_canvas {
  struct _cairo *pen;
  struct _cairo_surface *sheet;
  double width, height; /**< of the sheet; set by whoever draws */
  bool pixels;          /**< a PNG has one pixel per point, otherwise two */
} hg_canvas;

/** Metadata stored with the picture (.png; in .pdf only command and date). */
typedef struct hg_canvas_note {
  const char *name, *text;
} hg_canvas_note;

typedef enum hg_canvas_align { HG_TO_RIGHT, HG_CENTRED, HG_TO_LEFT } hg_canvas_align;

/** HG_INVALID naming the option and the path if the path is not that of a picture. */
hg_status hg_canvas_check(const char *option, const char *path);

/** An empty sheet. HG_MEMORY. Free with hg_canvas_free, also after a failure. */
hg_status hg_canvas_begin(hg_canvas *c);
void hg_canvas_free(hg_canvas *c);

void hg_canvas_fill(hg_canvas *c, double x, double y, double w, double h, hg_colour colour, double opacity);
void hg_canvas_box(hg_canvas *c, double x, double y, double w, double h, hg_colour colour, double line);
void hg_canvas_line(hg_canvas *c, const double from[2], const double to[2], hg_colour colour, double line);

/** A line through points; `dash` 0: solid, 1, 2, 3: dashes of several kinds. */
void hg_canvas_path(hg_canvas *c, int points, const double (*at)[2], hg_colour colour, double line, int dash);
void hg_canvas_dot(hg_canvas *c, double x, double y, double radius, hg_colour colour, bool hollow);

/** Text with its baseline at y; it begins, is centred or ends at x. Invalid UTF-8 is drawn as '?'. */
void hg_canvas_text(hg_canvas *c, double x, double y, double size, hg_canvas_align align, hg_colour colour,
                    const char *text);

/** The same from bottom to top, centred at x, y. */
void hg_canvas_text_up(hg_canvas *c, double x, double y, double size, const char *text);
double hg_canvas_text_width(hg_canvas *c, double size, const char *text);

/** Cells in rows from the top, stretched to a rectangle without blurring. @param pixel  [rows][columns] 0xRRGGBB, not
 * kept. At most 32767 columns and rows. */
void hg_canvas_image(hg_canvas *c, double x, double y, double w, double h, int columns, int rows,
                     const hg_colour *pixel);

/** Clips everything drawn until hg_canvas_uncut to a rectangle. */
void hg_canvas_cut(hg_canvas *c, double x, double y, double w, double h);
void hg_canvas_uncut(hg_canvas *c);

/** Writes the sheet in the format given by the extension of `path`. HG_IO, HG_MEMORY. */
hg_status hg_canvas_write(const hg_canvas *c, FILE *out, const char *path, int notes, const hg_canvas_note *note);

/** Draws on a new sheet and writes it to `path`, which appears completely or not at all. HG_IO, HG_MEMORY, and any
 * status of `draw`. */
hg_status hg_canvas_draw(const char *path, hg_status (*draw)(hg_canvas *c, const void *what), const void *what);
#endif
