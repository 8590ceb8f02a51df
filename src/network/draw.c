/* SPDX-License-Identifier: MIT */
#include "network/draw.h"

#include <math.h>
#include <stdlib.h>

#include "chart/chart.h"
#include "base/memory.h"
#include "network/fit.h"

enum { STEPS = 240, CURVES = 3 };

/* A level as curves: measurements, prediction and straight pieces. */
typedef struct curves {
  double x[STEPS + 1], y[2][STEPS + 1];
  double *bytes, *seconds, *low, *high; /* [points] */
  bool *hollow;
} curves;

static hg_status make_points(const hg_network_level *l, curves *c)
{
  double *room;
  HG_TRY(hg_allocate("points of a level", (size_t)l->points * 4 * sizeof *room, (void **)&room));
  c->bytes = room, c->seconds = room + l->points, c->low = room + 2 * l->points, c->high = room + 3 * l->points;
  HG_TRY(hg_allocate("points of a level", (size_t)l->points * sizeof *c->hollow, (void **)&c->hollow));
  for (int i = 0; i < l->points; i++) {
    const hg_network_point *p = &l->point[i];
    c->bytes[i] = fmax(p->bytes, 1), c->seconds[i] = p->seconds, c->low[i] = p->low, c->high[i] = p->high;
    c->hollow[i] = p->pass_gap > HG_NETWORK_UNSTABLE;
  }
  return HG_OK;
}

static hg_axis size_axis(double most)
{
  return (hg_axis){.label = "size", .unit = "B", .low = 1, .high = most, .logarithmic = true, .twos = true};
}

static void make_curves(const hg_network_level *l, double most, curves *c)
{
  for (int i = 0; i <= STEPS; i++) {
    c->x[i] = pow(most, (double)i / STEPS);
    c->y[0][i] = hg_network_time(l, c->x[i]);
    c->y[1][i] = hg_network_by_segments(l, c->x[i]);
  }
}

hg_status hg_network_draw(const char *path, const hg_network *n, const hg_network_level *l)
{
  char title[2 * HG_NETWORK_TEXT], note[4 * HG_NETWORK_TEXT];
  curves c = {.bytes = NULL};
  const double most = fmax(l->point[l->points - 1].bytes, 16);
  hg_status status = make_points(l, &c);
  if (status == HG_OK) {
    make_curves(l, most, &c);
    const hg_chart_line line[CURVES] = {
        {.name = "prediction", .points = STEPS + 1, .colour = 2, .x = c.x, .y = c.y[0]},
        {.name = "measured, quartiles (hollow: unstable)",
         .points = l->points,
         .colour = 0,
         .x = c.bytes,
         .y = c.seconds,
         .low = c.low,
         .high = c.high,
         .hollow = c.hollow,
         .dots = true},
        {.name = "straight pieces", .points = STEPS + 1, .colour = 3, .x = c.x, .y = c.y[1], .dashed = true}};
    snprintf(title, sizeof title, "%s: a message from %s to %s", l->name, l->from, l->to);
    snprintf(note, sizeof note, "%s (%s), %s", n->mpi, n->transport, n->host);
    const hg_chart chart = {.title = title,
                            .note = note,
                            .x = size_axis(most),
                            .y = {.label = "time", .unit = "s", .logarithmic = true},
                            .lines = l->segments > 0 ? CURVES : CURVES - 1,
                            .line = line};
    status = hg_charts_write(path, 1, 1, &chart);
  }
  free(c.bytes);
  free(c.hollow);
  return status;
}

/* --- the choice of broadcasts ------------------------------------------------------------------------------------- */

typedef struct choices {
  int columns, rows; /* powers of two of bytes, ranks from 2 on */
  hg_colour *colour; /* [rows][columns] */
} choices;

static hg_status choose(const hg_network *n, const hg_rank_layout *group, choices *c)
{
  for (int i = 0; i < c->rows * c->columns; i++) {
    const hg_rank_layout some = {i / c->columns + 2, group->per_node};
    hg_network_choice best;
    HG_TRY(hg_network_choose(n, &some, INT64_C(1) << i % c->columns, &best));
    c->colour[i] = hg_colour_of(best.algorithm);
  }
  return HG_OK;
}

static void draw_choices(hg_canvas *canvas, const hg_plot *p, const void *what)
{
  const choices *c = what;
  for (int i = 0; i < c->rows * c->columns; i++) {
    const double ranks = i / c->columns + 2, bytes = pow(2, i % c->columns);
    const double x0 = hg_plot_x(p, bytes), x1 = fmin(hg_plot_x(p, 2 * bytes), p->left + p->width),
                 y0 = hg_plot_y(p, ranks + .5), y1 = hg_plot_y(p, ranks - .5);
    hg_canvas_fill(canvas, x0, y0, x1 - x0, y1 - y0, c->colour[i], 1);
  }
}

hg_status hg_network_draw_choice(const char *path, const hg_network *n, const hg_rank_layout *group, double max_bytes)
{
  const double most = fmax(max_bytes, 16);
  choices c = {.columns = (int)ceil(log2(most) - 1e-9), .rows = group->ranks - 1};
  hg_chart_key key[HG_BROADCASTS];
  HG_TRY(hg_allocate("a picture", (size_t)(c.rows * c.columns) * sizeof *c.colour, (void **)&c.colour));
  for (int a = 0; a < HG_BROADCASTS; a++) key[a] = (hg_chart_key){hg_broadcast_names[a], hg_colour_of(a)};
  const hg_chart chart = {.title = "The fastest broadcast, predicted",
                          .x = size_axis(most),
                          .y = {.label = "ranks", .low = 1.5, .high = group->ranks + .5, .whole = true},
                          .no_grid = true,
                          .keys = HG_BROADCASTS,
                          .key = key,
                          .draw = draw_choices,
                          .what = &c};
  hg_status status = choose(n, group, &c);
  if (status == HG_OK) status = hg_charts_write(path, 1, 1, &chart);
  free(c.colour);
  return status;
}
