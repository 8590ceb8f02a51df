/* SPDX-License-Identifier: MIT */
#include "chart/chart.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 560, HEIGHT = 320, EDGE = 12, GAP = 8, LINE = 16, BAR = 14, LEAST = 340, POINTS = 4096 };
enum { TITLE = 14, TEXT = 11, SMALL = 10 }; /* font sizes */

double hg_plot_x(const hg_plot *p, double x)
{
  return p->left + p->width * hg_axis_place(&p->x, x);
}

double hg_plot_y(const hg_plot *p, double y)
{
  const double place = hg_axis_place(&p->y, y);
  return p->top + p->height * (p->y.down ? place : 1 - place);
}

/* --- ends of the axes --------------------------------------------------------------------------------------------- */

static void widen(const hg_axis *a, double range[2], double value)
{
  if (!isfinite(value) || (a->logarithmic && value <= 0)) return;
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

/* Leaves some room beyond the curves; a linear axis that begins near 0 begins at 0. */
static void set_ends(hg_axis *a, double low, double high, bool roomy)
{
  if (!(high >= low)) low = high = 1;
  if (a->logarithmic) {
    const double more = high > low ? (roomy ? pow(high / low, .05) : 1) : 2;
    a->low = low / more, a->high = high * more;
    return;
  }
  const double room = high > low ? (roomy ? .05 * high - .05 * low : 0) : .05 * fmax(fabs(high), 1);
  const bool from_zero = roomy && low >= 0 && low < .5 * high;
  a->low = from_zero ? 0 : fmax(low - room, -DBL_MAX);
  a->high = fmin(high + room, DBL_MAX);
}

static void find_ends(const hg_chart *c, hg_plot *p)
{
  double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
  for (int l = 0; l < c->lines; l++)
    for (int i = 0; i < c->line[l].points; i++) {
      const hg_chart_line *k = &c->line[l];
      widen(&p->x, x, k->x[i]);
      widen(&p->y, y, k->y[i] * (1 - k->error));
      widen(&p->y, y, k->y[i] * (1 + k->error));
      if (k->low) widen(&p->y, y, k->low[i]);
      if (k->high) widen(&p->y, y, k->high[i]);
    }
  if (!(p->x.high > p->x.low)) set_ends(&p->x, x[0], x[1], false);
  if (!(p->y.high > p->y.low)) set_ends(&p->y, y[0], y[1], true);
}

/* --- around the plot ---------------------------------------------------------------------------------------------- */

static double widest(hg_canvas *c, const hg_ticks *t)
{
  double width = 0;
  for (int i = 0; i < t->count; i++) width = fmax(width, hg_canvas_text_width(c, SMALL, t->text[i]));
  return width;
}

static void draw_x_axis(hg_canvas *c, const hg_chart *chart, const hg_plot *p, const hg_ticks *t)
{
  const double bottom = p->top + p->height;
  double free = -INFINITY; /* end of the previous text */
  for (int i = 0; i < t->count; i++) {
    const double x = hg_plot_x(p, t->value[i]), half = hg_canvas_text_width(c, SMALL, t->text[i]) / 2;
    if (!chart->no_grid) hg_canvas_line(c, (double[]){x, p->top}, (double[]){x, bottom}, HG_PALE, .6);
    hg_canvas_line(c, (double[]){x, bottom}, (double[]){x, bottom + 4}, HG_BLACK, .8);
    if (x - half < free) continue;
    hg_canvas_text(c, x, bottom + 15, SMALL, HG_CENTRED, HG_BLACK, t->text[i]);
    free = x + half + 5;
  }
  hg_canvas_text(c, p->left + p->width / 2, bottom + 32, TEXT, HG_CENTRED, HG_BLACK, t->label);
}

static void draw_y_axis(hg_canvas *c, const hg_chart *chart, const hg_plot *p, const hg_ticks *t, double label_at)
{
  for (int i = 0; i < t->count; i++) {
    const double y = hg_plot_y(p, t->value[i]);
    if (!chart->no_grid && !p->y.names)
      hg_canvas_line(c, (double[]){p->left, y}, (double[]){p->left + p->width, y}, HG_PALE, .6);
    if (!p->y.names) hg_canvas_line(c, (double[]){p->left - 4, y}, (double[]){p->left, y}, HG_BLACK, .8);
    hg_canvas_text(c, p->left - 7, y + 3.6, SMALL, HG_TO_LEFT, HG_BLACK, t->text[i]);
  }
  if (*t->label) hg_canvas_text_up(c, label_at, p->top + p->height / 2, TEXT, t->label);
}

static hg_colour colour_of(const hg_chart_line *l)
{
  return hg_colour_of(l->colour % 7);
}

/* Beyond seven colours, lines differ by their dashes. */
static int dash_of(const hg_chart_line *l)
{
  return l->dashed ? 1 : l->colour / 7 % 4;
}

/* Draws the entries in as many columns as needed beside the plot. Returns the width. */
static double draw_legend(hg_canvas *c, const hg_chart *chart, const hg_plot *p)
{
  const int rows = (int)fmax(1, floor(p->height / LINE));
  double x = p->left + p->width + 16, width = 0;
  int at = 0;
  for (int i = 0; i < chart->lines + chart->keys; i++) {
    const hg_chart_line *l = i < chart->lines ? &chart->line[i] : NULL;
    const char *name = l ? l->name : chart->key[i - chart->lines].name;
    if (!name) continue;
    if (at > 0 && at % rows == 0) x += width + GAP, width = 0;
    const double y = p->top + 5 + at++ % rows * LINE;
    if (!l)
      hg_canvas_fill(c, x + 6, y - 5, 10, 10, chart->key[i - chart->lines].colour, 1);
    else if (l->dots)
      hg_canvas_dot(c, x + 11, y, 3, colour_of(l), false);
    else
      hg_canvas_path(c, 2, (const double[][2]){{x, y}, {x + 22, y}}, colour_of(l), 2, dash_of(l));
    hg_canvas_text(c, x + 28, y + 4, SMALL, HG_TO_RIGHT, HG_BLACK, name);
    width = fmax(width, 28 + hg_canvas_text_width(c, SMALL, name));
  }
  return at > 0 ? x + width - p->left - p->width : 0;
}

/* A pointed end shows that there are values beyond it. */
static void draw_point(hg_canvas *c, double x, double y, double tip, hg_colour colour)
{
  for (int i = 0; i < BAR; i++) {
    const double share = 1 - fabs(2. * i + 1 - BAR) / BAR;
    hg_canvas_fill(c, x + i, fmin(y, y + tip * share), 1, fabs(tip * share), colour, 1);
  }
}

static double draw_bar(hg_canvas *c, const hg_chart *chart, const hg_plot *p)
{
  const hg_colour_scale *s = chart->scale;
  enum { STEPS = 256 };
  hg_colour pixel[STEPS];
  hg_ticks t;
  const hg_axis axis = {.label = chart->scale_label, .low = s->low, .high = s->high, .logarithmic = s->logarithmic};
  const double x = p->left + p->width + 18;
  const hg_plot bar = {x, p->top + (s->above ? 8 : 0), BAR,
                       fmax(p->height, 60) - (s->above ? 8 : 0) - (s->below ? 8 : 0), .y = axis};
  for (int i = 0; i < STEPS; i++) pixel[i] = hg_colour_at(s->map, 1 - (i + .5) / STEPS);
  hg_canvas_image(c, x, bar.top, BAR, bar.height, 1, STEPS, pixel);
  if (s->above) draw_point(c, x, bar.top, -8, pixel[0]);
  if (s->below) draw_point(c, x, bar.top + bar.height, 8, pixel[STEPS - 1]);
  hg_canvas_box(c, x, bar.top, BAR, bar.height, HG_GREY, .6);
  hg_axis_ticks(&axis, bar.height, 40, &t);
  for (int i = 0; i < t.count; i++) {
    const double y = hg_plot_y(&bar, t.value[i]);
    hg_canvas_line(c, (double[]){x + BAR, y}, (double[]){x + BAR + 4, y}, HG_BLACK, .8);
    hg_canvas_text(c, x + BAR + 7, y + 3.6, SMALL, HG_TO_RIGHT, HG_BLACK, t.text[i]);
  }
  const double wide = 18 + BAR + 7 + widest(c, &t);
  if (!*t.label) return wide;
  hg_canvas_text_up(c, p->left + p->width + wide + 14, bar.top + bar.height / 2, TEXT, t.label);
  return wide + 18;
}

/* --- in the plot -------------------------------------------------------------------------------------------------- */

static void draw_bands(hg_canvas *c, const hg_chart *chart, const hg_plot *p)
{
  static const hg_colour shade[] = {0xdceaf5, 0xfbf2d2, 0xf6e0d3};
  for (int i = 0; i < chart->bands; i++) {
    const double from = hg_plot_x(p, fmax(chart->band[i].from, p->x.low)),
                 to = hg_plot_x(p, fmin(chart->band[i].to, p->x.high));
    if (to > from) hg_canvas_fill(c, from, p->top, to - from, p->height, shade[chart->band[i].shade % 3], 1);
  }
}

static bool has_place(const hg_axis *a, double value)
{
  const double place = hg_axis_place(a, value);
  return isfinite(value) && isfinite(place) && place > -100 && place < 100;
}

static void draw_curve(hg_canvas *c, const hg_chart_line *l, const hg_plot *p)
{
  double at[POINTS][2];
  int count = 0;
  for (int i = 0; i < l->points; i++) {
    const bool drawn = has_place(&p->x, l->x[i]) && has_place(&p->y, l->y[i]);
    if (drawn) at[count][0] = hg_plot_x(p, l->x[i]), at[count++][1] = hg_plot_y(p, l->y[i]);
    if (drawn && count < POINTS && i + 1 < l->points) continue;
    if (count > 1) hg_canvas_path(c, count, (const double(*)[2])at, colour_of(l), l->dashed ? 1.2 : 2, dash_of(l));
    if (drawn && count > 1) memcpy(at[0], at[count - 1], sizeof at[0]);
    count = drawn && count > 1;
  }
}

static void draw_bar_of(hg_canvas *c, const hg_chart_line *l, const hg_plot *p, int i)
{
  const double low = l->low ? l->low[i] : l->y[i] * (1 - l->error),
               high = l->high ? l->high[i] : l->y[i] * (1 + l->error), x = hg_plot_x(p, l->x[i]);
  if (!(high > low) || !has_place(&p->y, low) || !has_place(&p->y, high)) return;
  hg_canvas_line(c, (double[]){x, hg_plot_y(p, low)}, (double[]){x, hg_plot_y(p, high)}, colour_of(l), 1);
}

static void draw_dots(hg_canvas *c, const hg_chart_line *l, const hg_plot *p)
{
  for (int i = 0; i < l->points; i++) {
    if (!has_place(&p->x, l->x[i]) || !has_place(&p->y, l->y[i])) continue;
    draw_bar_of(c, l, p, i);
    hg_canvas_dot(c, hg_plot_x(p, l->x[i]), hg_plot_y(p, l->y[i]), 2.6, colour_of(l), l->hollow && l->hollow[i]);
  }
}

static void draw_line(hg_canvas *c, const hg_chart_line *l, const hg_plot *p)
{
  if (!l->dots) draw_curve(c, l, p);
  if (l->dots || l->marked) draw_dots(c, l, p);
}

static void draw_marks(hg_canvas *c, const hg_chart *chart, const hg_plot *p)
{
  for (int i = 0; i < chart->marks; i++) {
    char text[160], number[HG_NUMBER];
    const double x = hg_plot_x(p, chart->mark[i].x);
    if (!(x >= p->left && x <= p->left + p->width)) continue;
    hg_canvas_path(c, 2, (const double[][2]){{x, p->top}, {x, p->top + p->height}}, HG_BLACK, 1, 1);
    snprintf(text, sizeof text, "%.40s = %s", chart->mark[i].name, hg_chart_number(chart->mark[i].x, number));
    const bool left = x + 5 + hg_canvas_text_width(c, SMALL, text) > p->left + p->width;
    hg_canvas_text(c, left ? x - 4 : x + 4, p->top + 14 + i * LINE, SMALL, left ? HG_TO_LEFT : HG_TO_RIGHT, HG_BLACK,
                   text);
  }
}

static void draw_inside(hg_canvas *c, const hg_chart *chart, const hg_plot *p)
{
  hg_canvas_cut(c, p->left - 3, p->top - 3, p->width + 6, p->height + 6);
  if (chart->draw) chart->draw(c, p, chart->what);
  for (int i = 0; i < chart->lines; i++) draw_line(c, &chart->line[i], p);
  draw_marks(c, chart, p);
  hg_canvas_uncut(c);
}

/* A line of text, scaled down if it is wider than the chart. */
static void put_words(hg_canvas *c, double x, double y, double wide, double size, hg_colour colour, const char *text)
{
  const double width = hg_canvas_text_width(c, size, text);
  hg_canvas_text(c, x, y, width > wide ? size * wide / width : size, HG_TO_RIGHT, colour, text);
}

void hg_chart_draw(hg_canvas *c, double x, double y, const hg_chart *chart)
{
  hg_plot p = {.width = chart->width > 0 ? chart->width : WIDTH,
               .height = chart->height > 0 ? chart->height : HEIGHT,
               .x = chart->x,
               .y = chart->y};
  hg_ticks columns, rows;
  find_ends(chart, &p);
  hg_axis_ticks(&p.x, p.width, 56, &columns);
  hg_axis_ticks(&p.y, p.height, p.y.names ? 11 : 36, &rows);
  const double label = *rows.label ? 18 : 0;
  p.left = ceil(x + EDGE + label + widest(c, &rows) + 8);
  p.top = ceil(y + EDGE + TITLE + 10 + (chart->note ? LINE : 0));
  draw_bands(c, chart, &p);
  draw_x_axis(c, chart, &p, &columns);
  draw_y_axis(c, chart, &p, &rows, x + EDGE + 10);
  draw_inside(c, chart, &p);
  hg_canvas_box(c, p.left, p.top, p.width, p.height, HG_BLACK, .8);
  double beside = chart->scale ? draw_bar(c, chart, &p) : 0;
  beside = fmax(beside, draw_legend(c, chart, &p));
  const double wide = fmax(p.left + p.width + beside - x - EDGE, LEAST);
  put_words(c, x + EDGE, y + EDGE + TITLE - 3, wide, TITLE, HG_BLACK, chart->title);
  if (chart->note) put_words(c, x + EDGE, y + EDGE + TITLE + 13, wide, TEXT, HG_GREY, chart->note);
  c->width = ceil(fmax(c->width, x + EDGE + wide + EDGE + 8));
  c->height = ceil(fmax(c->height, p.top + fmax(p.height, chart->scale ? 60 : 0) + 40 + (*columns.label ? 4 : -12)));
}

/* Draws charts in rows of `columns`. */
static void charts_draw(hg_canvas *c, int columns, int charts, const hg_chart *chart)
{
  double x = 0, y = 0, right = 0, below = 0;
  for (int i = 0; i < charts; i++) {
    if (i % columns == 0) x = 0, y = below;
    c->width = c->height = 0;
    hg_chart_draw(c, x, y, &chart[i]);
    x = c->width;
    right = fmax(right, x), below = fmax(below, c->height);
  }
  c->width = right, c->height = below;
}

typedef struct group {
  int columns, charts;
  const hg_chart *chart;
} group;

static hg_status draw_group(hg_canvas *c, const void *what)
{
  const group *g = what;
  charts_draw(c, g->columns, g->charts, g->chart);
  return HG_OK;
}

hg_status hg_charts_write(const char *path, int columns, int charts, const hg_chart *chart)
{
  return hg_canvas_draw(path, draw_group, &(group){columns, charts, chart});
}

hg_status hg_chart_path(const char *file, const char *name, char path[HG_PATH_MAX])
{
  const char *dot = strrchr(file, '.');
  const int stem = (int)(dot ? dot - file : (ptrdiff_t)strlen(file));
  if (snprintf(path, HG_PATH_MAX, "%.*s-%s%s", stem, file, name, file + stem) < HG_PATH_MAX) return HG_OK;
  return hg_fail(HG_INVALID, "the picture's name '%.60s...' is too long", file);
}
