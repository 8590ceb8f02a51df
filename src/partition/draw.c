/* SPDX-License-Identifier: MIT */
#include "partition/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "partition/near.h"

enum {
  SIDE = 560,
  SIDE_OF_LAYER = 320,
  LEAST = 40,
  LAYERS = 6,
  COLUMNS = 3,
  TEXT = 10,
  TEXT_LEAST = 5,
  TITLE = 200,
  NODE_BORDER = 3
};
static const hg_colour HALO = 0xd55e00;

/* A layer in a chart, of boxes or points. */
typedef struct layer {
  const hg_partition_request *request;
  const hg_rect *rect;
  const hg_part_metrics *part;
  const hg_colour_scale *scale;
  double halo, z; /* z: a position within the layer */
  const int64_t *start, *n;
  int parts;
  char title[TITLE];
} layer;

/* Makes a frame for each layer, all equally scaled. */
static void make_charts(const double size[3], int charts, const layer *layers, hg_chart *chart)
{
  const double scale = (charts > 1 ? SIDE_OF_LAYER : SIDE) / fmax(size[0], size[1]);
  for (int i = 0; i < charts; i++)
    chart[i] = (hg_chart){.title = layers[i].title,
                          .width = fmax(size[0] * scale, LEAST),
                          .height = fmax(size[1] * scale, LEAST),
                          .x = {.label = "x", .unit = "cells", .high = size[0]},
                          .y = {.label = size[1] > 1 ? "y" : NULL, .unit = "cells", .high = size[1], .down = true},
                          .no_grid = true,
                          .what = &layers[i]};
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

static bool in_layer(const layer *l, const hg_rect *r)
{
  return r->hi[0] > r->lo[0] && (l->request->dims < 2 || r->hi[1] > r->lo[1]) &&
         (l->request->dims < 3 || (r->lo[2] <= l->z && l->z < r->hi[2]));
}

/* Position of a rectangle of cells on the sheet; a 1-D row of cells is as high as the plot. */
static void place_of(const layer *l, const hg_plot *p, const double lo[2], const double hi[2], double at[4])
{
  const bool line = l->request->dims < 2;
  at[0] = hg_plot_x(p, lo[0]), at[1] = hg_plot_y(p, line ? 0 : lo[1]);
  at[2] = hg_plot_x(p, hi[0]) - at[0], at[3] = hg_plot_y(p, line ? 1 : hi[1]) - at[1];
}

/* Draws what a part receives: the cells around it. */
static void draw_halo(hg_canvas *c, const hg_plot *p, const layer *l, const hg_rect *r)
{
  double lo[2], hi[2];
  for (int a = 0; a < 2; a++) {
    lo[a] = fmax(r->lo[a] - l->halo, 0);
    hi[a] = fmin(r->hi[a] + l->halo, l->request->size[a]);
  }
  const double ring[4][2][2] = {{{lo[0], lo[1]}, {hi[0], r->lo[1]}},
                                {{lo[0], r->hi[1]}, {hi[0], hi[1]}},
                                {{lo[0], r->lo[1]}, {r->lo[0], r->hi[1]}},
                                {{r->hi[0], r->lo[1]}, {hi[0], r->hi[1]}}};
  for (int i = l->request->dims < 2 ? 2 : 0; i < 4; i++) {
    double at[4];
    place_of(l, p, ring[i][0], ring[i][1], at);
    if (at[2] > 0 && at[3] > 0) hg_canvas_fill(c, at[0], at[1], at[2], at[3], HALO, .35);
  }
}

/* Largest size up to TEXT at which a text fits into w x h; 0 if it could not be read. */
static double fitting(hg_canvas *c, const char *text, double w, double h)
{
  const double size = fmin(TEXT, fmin(h * .8, TEXT * (w - 4) / hg_canvas_text_width(c, TEXT, text)));
  return size >= TEXT_LEAST ? size : 0;
}

/* Labels a part with number, share and messages if they fit, else with the number, else not at all. */
static void put_label(hg_canvas *c, const layer *l, int i, const double at[4], hg_colour colour)
{
  char number[16], more[64];
  const double *size = l->request->size,
               cells = size[0] * (l->request->dims > 1 ? size[1] : 1) * (l->request->dims > 2 ? size[2] : 1);
  snprintf(number, sizeof number, "%d", i);
  snprintf(more, sizeof more, "%.3g %%, %d msg", 100 * l->part[i].cells / cells, 2 * l->part[i].neighbours);
  const double x = at[0] + at[2] / 2, y = at[1] + at[3] / 2, below = fitting(c, more, at[2], at[3] / 2.2),
               alone = fitting(c, number, at[2], at[3]);
  if (below > 0) {
    hg_canvas_text(c, x, y - .2 * below, fmin(TEXT + 1, 1.15 * below), HG_CENTRED, colour, number);
    hg_canvas_text(c, x, y + 1.1 * below, below, HG_CENTRED, colour, more);
  } else if (alone > 0)
    hg_canvas_text(c, x, y + .36 * alone, alone, HG_CENTRED, colour, number);
}

typedef struct nodes_sheet {
  hg_canvas *canvas;
  const hg_plot *plot;
  const layer *layer;
} nodes_sheet;

/* Draws the border of two parts on different nodes, heavier than others. */
static void draw_side(void *arg, int i, int j)
{
  const nodes_sheet *n = arg;
  const layer *l = n->layer;
  const int *node = l->request->group[0];
  const double w = NODE_BORDER;
  double lo[2], hi[2], at[4];
  if (j >= i || node[i] == node[j] || !in_layer(l, &l->rect[i]) || !in_layer(l, &l->rect[j])) return;
  for (int a = 0; a < 2; a++) {
    lo[a] = fmax(l->rect[i].lo[a], l->rect[j].lo[a]);
    hi[a] = fmin(l->rect[i].hi[a], l->rect[j].hi[a]);
  }
  place_of(l, n->plot, lo, hi, at);
  if (fmax(at[2], at[3]) > w)
    hg_canvas_fill(n->canvas, at[0] - w / 2, at[1] - w / 2, fmax(at[2], 0) + w, fmax(at[3], 0) + w, HG_BLACK, 1);
}

/* If memory runs out, the picture lacks these borders. */
static void draw_nodes(hg_canvas *c, const hg_plot *p, const layer *l)
{
  const hg_partition_request *r = l->request;
  nodes_sheet sheet = {c, p, l};
  const double touching[3] = {1e-9 * r->size[0], 1e-9 * r->size[1], 1e-9 * r->size[2]};
  if (r->levels > 0) hg_near_pairs(r->parts, l->rect, r->parts, l->rect, touching, draw_side, &sheet);
}

static void draw_parts(hg_canvas *c, const hg_plot *p, const void *what)
{
  const layer *l = what;
  double at[4];
  for (int i = 0; i < l->request->parts; i++) {
    if (!in_layer(l, &l->rect[i])) continue;
    const hg_colour colour = hg_colour_for(l->scale, fmax(l->request->speed[i], l->scale->low));
    place_of(l, p, l->rect[i].lo, l->rect[i].hi, at);
    hg_canvas_fill(c, at[0], at[1], at[2], at[3], colour, 1);
    hg_canvas_box(c, at[0], at[1], at[2], at[3], HG_BLACK, fmin(1, fmin(at[2], at[3]) / 6));
  }
  draw_nodes(c, p, l);
  for (int i = 0; i < l->request->parts && l->halo > 0; i++)
    if (in_layer(l, &l->rect[i])) draw_halo(c, p, l, &l->rect[i]);
  for (int i = 0; i < l->request->parts; i++) {
    if (!in_layer(l, &l->rect[i])) continue;
    place_of(l, p, l->rect[i].lo, l->rect[i].hi, at);
    put_label(c, l, i, at, hg_colour_on(hg_colour_for(l->scale, fmax(l->request->speed[i], l->scale->low))));
  }
}

/* Pale for slow, deep for fast; uses the paler part of the map, on which black lines are visible. */
static hg_colour_scale scale_of(const hg_partition_request *r)
{
  hg_colour_scale s = {.map = HG_BLUES, .low = INFINITY, .logarithmic = true};
  for (int i = 0; i < r->parts; i++)
    if (r->speed[i] > 0) s.low = fmin(s.low, r->speed[i]), s.high = fmax(s.high, r->speed[i]);
  if (!(s.high > s.low)) s.low /= 2, s.high *= 2;
  return s;
}

/* Chooses layers between borders of parts, from z[0] to z[1]; an even selection if there are many. Returns their
 * number, -1 without memory. @param[out] between  number of all layers */
static int choose_layers(const hg_partition_request *r, const hg_rect *rect, double z[LAYERS][2], int *between)
{
  double *border = malloc(((size_t)r->parts + 1) * sizeof *border);
  int count = 0;
  if (!border) return -1;
  for (int i = 0; i < r->parts; i++) border[i] = rect[i].hi[0] > rect[i].lo[0] ? rect[i].lo[2] : 0;
  border[r->parts] = r->size[2];
  qsort(border, (size_t)r->parts + 1, sizeof *border, hg_by_value);
  for (int i = 0; i <= r->parts; i++)
    if (count == 0 || border[i] > border[count - 1] + 1e-9 * r->size[2]) border[count++] = border[i];
  *between = count - 1;
  const int chosen = *between < LAYERS ? *between : LAYERS;
  for (int i = 0; i < chosen; i++) {
    const int at = chosen < 2 ? 0 : i * (*between - 1) / (chosen - 1);
    z[i][0] = border[at], z[i][1] = border[at + 1];
  }
  free(border);
  return chosen;
}

static hg_status draw_layers(const char *path, const char *title, const hg_partition_request *r, const hg_rect *rect,
                             double halo, const hg_part_metrics *part, const hg_partition_metrics *total)
{
  const hg_colour_scale scale = scale_of(r);
  double z[LAYERS][2] = {{0}}, size[3] = {r->size[0], r->dims > 1 ? r->size[1] : 1, 1};
  char note[TITLE];
  layer layers[LAYERS] = {{.z = 0}};
  hg_chart chart[LAYERS];
  int between = 1;
  const int charts = r->dims > 2 ? choose_layers(r, rect, z, &between) : 1;
  if (charts < 0) return hg_fail(HG_MEMORY, "no memory for the layers of %d parts", r->parts);
  for (int i = 0; i < charts; i++) {
    layers[i] =
        (layer){.request = r, .rect = rect, .part = part, .scale = &scale, .halo = halo, .z = (z[i][0] + z[i][1]) / 2};
    snprintf(layers[i].title, TITLE, r->dims > 2 ? "%s: %d parts, z from %.6g to %.6g" : "%s: %d parts", title,
             r->parts, z[i][0], z[i][1]);
  }
  const int used = snprintf(note, sizeof note, "cut %.6g, %.6g items per step, at most %d neighbours", total->cut,
                            total->items, total->max_neighbours);
  if (charts < between) snprintf(note + used, sizeof note - (size_t)used, "; %d of %d layers", charts, between);
  make_charts(size, charts, layers, chart);
  for (int i = 0; i < charts; i++) chart[i].draw = draw_parts, chart[i].note = i ? "" : note;
  chart[charts - 1].scale = &scale;
  chart[charts - 1].scale_label = "speed";
  return hg_charts_write(path, COLUMNS, charts, chart);
}

hg_status hg_partition_draw(const char *path, const char *title, const hg_partition_request *r, const hg_rect *rect,
                            double halo)
{
  hg_part_metrics *part;
  hg_partition_metrics total;
  HG_TRY(hg_allocate("parts", (size_t)r->parts * sizeof *part, (void **)&part));
  hg_status status = hg_partition_measure(r, rect, part, &total);
  if (status == HG_OK) status = draw_layers(path, title, r, rect, halo, part, &total);
  free(part);
  return status;
}

/* --- points ------------------------------------------------------------------------------------------------------- */

/* Draws a run of the layer's cells as up to three rectangles: the rest of its first row, whole rows, part of the last.
 * Returns the middle of the largest. */
static void draw_run(hg_canvas *c, const hg_plot *p, const layer *l, int64_t first, int64_t end, int part)
{
  const int64_t n = l->n[0];
  double most = 0, x0 = 0, y0 = 0, room[2] = {0, 0};
  char number[16];
  while (first < end) {
    const int64_t x = first % n, y = first / n, rows = x == 0 && end - first >= n ? (end - first) / n : 1,
                  width = end - first < rows * n - x ? end - first : n - x;
    const double left = hg_plot_x(p, (double)x), top = hg_plot_y(p, (double)y),
                 w = hg_plot_x(p, (double)(x + width)) - left, h = hg_plot_y(p, (double)(y + rows)) - top;
    hg_canvas_fill(c, left, top, w, h, hg_colour_of(part), 1);
    if (w * h > most) most = w * h, x0 = left + w / 2, y0 = top + h / 2, room[0] = w, room[1] = h;
    first += rows > 1 ? rows * n : width;
  }
  snprintf(number, sizeof number, "%d", part);
  const double size = fitting(c, number, room[0], room[1]);
  if (size > 0) hg_canvas_text(c, x0, y0 + .36 * size, size, HG_CENTRED, hg_colour_on(hg_colour_of(part)), number);
}

static void draw_runs(hg_canvas *c, const hg_plot *p, const void *what)
{
  const layer *l = what;
  const int64_t cells = l->n[0] * l->n[1], before = (int64_t)l->z * cells;
  for (int i = 0; i < l->parts; i++) {
    const int64_t first = l->start[i] > before ? l->start[i] - before : 0,
                  end = l->start[i + 1] - before < cells ? l->start[i + 1] - before : cells;
    draw_run(c, p, l, first, end, i);
  }
}

hg_status hg_points_draw(const char *path, const int64_t n[3], int parts, const int64_t *start)
{
  layer layers[LAYERS] = {{.z = 0}};
  hg_chart chart[LAYERS];
  const int charts = n[2] < LAYERS ? (int)n[2] : LAYERS;
  for (int i = 0; i < charts; i++) {
    const int64_t z = charts < 2 ? 0 : i * (n[2] - 1) / (charts - 1);
    layers[i] = (layer){.start = start, .n = n, .parts = parts, .z = (double)z};
    if (n[2] > 1)
      snprintf(layers[i].title, TITLE, "%sz = %" PRId64 " of %" PRId64, i ? "" : "points, ", z, n[2]);
    else
      snprintf(layers[i].title, TITLE, "points: %d parts", parts);
  }
  make_charts((double[]){(double)n[0], (double)n[1], 1}, charts, layers, chart);
  for (int i = 0; i < charts; i++) chart[i].draw = draw_runs;
  return hg_charts_write(path, COLUMNS, charts, chart);
}
