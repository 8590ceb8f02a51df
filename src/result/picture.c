/* SPDX-License-Identifier: MIT */
#include "result/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "base/memory.h"

enum { SIDE = 1280, PIXELS = 8192, LEAST = 32 }; /* pixels of the longest side (PIXELS: one per cell); points */

/* The layer that is drawn; each of its w x h pixels is the mean of some cells. */
typedef struct layer {
  const hg_field *field;
  int64_t first; /* its first cell */
  int w, h;
  double low, high; /* least and largest existing value */
  hg_colour_scale scale;
  hg_colour *pixel; /* [h][w] */
} layer;

/* Cells without data are not drawn. */
static bool has_data(const hg_field *f, int64_t i)
{
  return !f->has_missing || hg_field_get(f, i) != f->missing;
}

static void find_range(layer *l)
{
  const hg_field *f = l->field;
  l->low = INFINITY, l->high = -INFINITY;
  for (int64_t i = 0; i < f->n[0] * f->n[1]; i++) {
    const double v = hg_field_get(f, l->first + i);
    if (!isfinite(v) || !has_data(f, l->first + i)) continue;
    l->low = fmin(l->low, v);
    l->high = fmax(l->high, v);
  }
  if (!(l->high >= l->low)) l->low = l->high = 0;
}

static void choose_scale(const hg_picture *p, layer *l)
{
  const double more = l->high > l->low ? 0 : fmax(fabs(l->high), 1) / 2;
  l->scale = (hg_colour_scale){.map = p->map, .low = l->low - more, .high = l->high + more};
  if (!p->ranged) return;
  l->scale.low = p->low, l->scale.high = p->high;
  l->scale.below = l->low<p->low, l->scale.above = l->high> p->high;
}

/* The first cell of pixel i of w along an axis of n cells. */
static int64_t cell_of(int64_t i, int64_t w, int64_t n)
{
  return i * n / w;
}

/* Mean of the cells with data that a pixel covers. */
static double mean(const layer *l, int x, int y)
{
  const hg_field *f = l->field;
  const int64_t x0 = cell_of(x, l->w, f->n[0]), x1 = cell_of(x + 1, l->w, f->n[0]), y0 = cell_of(y, l->h, f->n[1]),
                y1 = cell_of(y + 1, l->h, f->n[1]);
  double sum = 0;
  int64_t cells = 0;
  for (int64_t j = y0; j < y1; j++)
    for (int64_t i = x0; i < x1; i++) {
      const int64_t cell = l->first + j * f->n[0] + i;
      if (has_data(f, cell)) sum += hg_field_get(f, cell), cells++;
    }
  return cells > 0 ? sum / (double)cells : NAN;
}

static int at_most(int64_t cells, double pixels)
{
  return (double)cells > pixels ? (int)fmax(pixels, 1) : (int)cells;
}

static hg_status make_layer(const hg_field *f, const hg_picture *p, layer *l)
{
  const double longest = (double)(f->n[0] > f->n[1] ? f->n[0] : f->n[1]), most = p->pixels ? PIXELS : SIDE,
               shrink = fmin(1, most / longest);
  *l = (layer){.field = f, .first = f->n[2] / 2 * f->n[0] * f->n[1]};
  l->w = at_most(f->n[0], shrink * (double)f->n[0]), l->h = at_most(f->n[1], shrink * (double)f->n[1]);
  find_range(l);
  choose_scale(p, l);
  HG_TRY(hg_allocate("a picture", (size_t)l->w * (size_t)l->h * sizeof *l->pixel, (void **)&l->pixel));
  for (int y = 0; y < l->h; y++)
    for (int x = 0; x < l->w; x++)
      l->pixel[(size_t)y * (size_t)l->w + (size_t)x] = hg_colour_for(&l->scale, mean(l, x, y));
  return HG_OK;
}

/* --- with axes ---------------------------------------------------------------------------------------------------- */

static const hg_fact *fact_of(const hg_field *f, const char *name)
{
  for (int i = 0; f->metadata && i < f->metadata->count; i++)
    if (strcmp(f->metadata->fact[i].name, name) == 0) return &f->metadata->fact[i];
  return NULL;
}

static const char *label_of(const hg_field *f)
{
  return f->picture && f->picture->label ? f->picture->label : f->name ? f->name : "values";
}

/* "temperature after 500 steps, 2.5 s" */
static void make_title(const hg_field *f, char *title, size_t size)
{
  const hg_fact *step = fact_of(f, "step"), *time = fact_of(f, "time");
  int used = snprintf(title, size, "%.80s", label_of(f));
  if (step)
    used += snprintf(title + used, size - (size_t)used, " after %" PRId64 " step%s", step->whole,
                     step->whole == 1 ? "" : "s");
  if (time) used += snprintf(title + used, size - (size_t)used, ", %.6g s", time->real);
  if (f->dims > 2) snprintf(title + used, size - (size_t)used, ", layer %" PRId64 " of %" PRId64, f->n[2] / 2, f->n[2]);
}

/* An axis from the outer edge of the first cell to that of the last one. */
static hg_axis axis_of(const hg_field *f, int axis)
{
  static const char *const names[] = {"x", "y"};
  const bool in_space = f->metric || f->scaled; /* then a cell is centred on its position */
  const double step = f->spacing[axis] > 0 ? f->spacing[axis] : 1, from = f->origin[axis] - (in_space ? step / 2 : 0);
  return (hg_axis){.label = names[axis],
                   .unit = f->metric   ? "m"
                           : f->scaled ? NULL
                                       : "cells",
                   .low = from,
                   .high = from + (double)f->n[axis] * step,
                   .down = axis == 1};
}

static void draw_pixels(hg_canvas *c, const hg_plot *p, const void *what)
{
  const layer *l = what;
  hg_canvas_image(c, p->left, p->top, p->width, p->height, l->w, l->h, l->pixel);
}

/* Draws the cells; in small grids they are several whole pixels wide, so that all are equal. */
static void draw_cells(hg_canvas *c, const layer *l)
{
  char title[200];
  const int longest = l->w > l->h ? l->w : l->h, zoom = longest < SIDE ? SIDE / longest : 1;
  const hg_chart chart = {.title = title,
                          .width = fmax(zoom * l->w / 2., LEAST),
                          .height = fmax(zoom * l->h / 2., LEAST),
                          .x = axis_of(l->field, 0),
                          .y = axis_of(l->field, 1),
                          .no_grid = true,
                          .scale = &l->scale,
                          .scale_label = label_of(l->field),
                          .draw = draw_pixels,
                          .what = l};
  make_title(l->field, title, sizeof title);
  hg_chart_draw(c, 0, 0, &chart);
}

static hg_status draw_curve(hg_canvas *c, const hg_picture *p, const layer *l)
{
  char title[200];
  double *x;
  const hg_axis axis = axis_of(l->field, 0);
  HG_TRY(hg_allocate("a curve", 2 * (size_t)l->w * sizeof *x, (void **)&x));
  for (int i = 0; i < l->w; i++) {
    x[i] = axis.low + (axis.high - axis.low) * (i + .5) / l->w;
    x[l->w + i] = mean(l, i, 0);
  }
  const hg_chart_line line = {.points = l->w, .x = x, .y = x + l->w};
  const hg_chart chart = {
      .title = title,
      .x = axis,
      .y = {.label = label_of(l->field), .low = p->ranged ? p->low : 0, .high = p->ranged ? p->high : 0},
      .lines = 1,
      .line = &line};
  make_title(l->field, title, sizeof title);
  hg_chart_draw(c, 0, 0, &chart);
  free(x);
  return HG_OK;
}

static hg_status draw(hg_canvas *c, const hg_picture *p, const layer *l)
{
  c->pixels = p->pixels;
  if (p->pixels) {
    c->width = l->w, c->height = l->h;
    hg_canvas_image(c, 0, 0, l->w, l->h, l->w, l->h, l->pixel);
    return HG_OK;
  }
  if (l->field->dims == 1) return draw_curve(c, p, l);
  draw_cells(c, l);
  return HG_OK;
}

static hg_status write_canvas(const hg_canvas *c, FILE *out, const char *path, const hg_metadata *metadata)
{
  hg_canvas_note note[HG_FACTS_MAX];
  char number[HG_FACTS_MAX][32];
  int count = 0;
  for (; metadata && count < metadata->count; count++)
    note[count] = (hg_canvas_note){metadata->fact[count].name, hg_fact_text(metadata, count, number[count])};
  return hg_canvas_write(c, out, path, count, note);
}

hg_status hg_picture_write(FILE *out, const char *path, const hg_field *f)
{
  static const hg_picture usual;
  const hg_picture *p = f->picture ? f->picture : &usual;
  hg_canvas c;
  layer l;
  hg_status status = make_layer(f, p, &l);
  if (status != HG_OK) return status;
  status = hg_canvas_begin(&c);
  if (status == HG_OK) status = draw(&c, p, &l);
  if (status == HG_OK) status = write_canvas(&c, out, path, f->metadata);
  hg_canvas_free(&c);
  free(l.pixel);
  return status;
}
