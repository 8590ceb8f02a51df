/* SPDX-License-Identifier: MIT */
#include "base/chart.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 400, LEFT = 70, TOP = 40, LEGEND = 230, BELOW = 40, LINE = 16 };

/* Ranges of both axes, and where the panel begins. */
typedef struct frame {
  double x[2], y[2];
  int top;
} frame;

static void widen(double range[2], double value)
{
  if (!(value > 0) || !isfinite(value)) return;
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

static frame find_frame(const hg_chart *c, int top)
{
  frame f = {{INFINITY, 0}, {INFINITY, 0}, top};
  for (int l = 0; l < c->lines; l++)
    for (int i = 0; i < c->line[l].points; i++) {
      widen(f.x, c->line[l].x[i]);
      widen(f.y, c->line[l].y[i] * (1 - c->line[l].error));
      widen(f.y, c->line[l].y[i] * (1 + c->line[l].error));
    }
  if (!(f.x[1] > f.x[0])) f.x[0] = f.x[1] / 2;
  if (!(f.y[1] > 1.05 * f.y[0])) f.y[0] = f.y[1] / 2;
  return f;
}

static double x_of(const frame *f, double x)
{
  return LEFT + WIDTH * log(x / f->x[0]) / log(f->x[1] / f->x[0]);
}

static double y_of(const frame *f, double y)
{
  return f->top + HEIGHT * (1 - log(y / f->y[0]) / log(f->y[1] / f->y[0]));
}

/* Text of a user's, in which < and & have another meaning. */
static void put_text(FILE *out, const char *text)
{
  for (; *text; text++)
    if (*text == '<')
      fputs("&lt;", out);
    else if (*text == '&')
      fputs("&amp;", out);
    else if ((unsigned char)*text >= ' ')
      fputc(*text, out);
}

static int hue(int colour)
{
  return (int)(fmod(.58 + colour * .61803398875, 1) * 360);
}

static void draw_bands(FILE *out, const hg_chart *c, const frame *f)
{
  static const char *const shades[] = {"#e5f5e0", "#fff7bc", "#fee0d2"};
  for (int i = 0; i < c->bands; i++) {
    const double from = x_of(f, fmax(c->band[i].from, f->x[0])),
                 to = x_of(f, fmin(c->band[i].to, f->x[1]));
    if (to > from)
      fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", from,
              f->top, to - from, HEIGHT, shades[c->band[i].shade % 3]);
  }
}

static void draw_axes(FILE *out, const hg_chart *c, const frame *f)
{
  for (int i = 0; i < c->ticks; i++) {
    if (c->tick[i] < f->x[0] || c->tick[i] > f->x[1]) continue;
    const double x = x_of(f, c->tick[i]);
    fprintf(
        out,
        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
        "text-anchor=\"middle\">%.0f</text>\n",
        x, f->top, x, f->top + HEIGHT, x, f->top + HEIGHT + 16, c->tick[i]);
  }
  for (int i = 0; i <= 4; i++) {
    const double value = f->y[0] * pow(f->y[1] / f->y[0], i / 4.),
                 y = f->top + HEIGHT - i * HEIGHT / 4.;
    fprintf(
        out,
        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
        "text-anchor=\"end\">%.3g%s</text>\n",
        LEFT, y, LEFT + WIDTH, y, LEFT - 6, y + 4, value / c->scale, c->unit);
  }
}

static void draw_dots(FILE *out, const hg_chart_line *l, const frame *f)
{
  for (int i = 0; i < l->points; i++) {
    const double x = x_of(f, l->x[i]);
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"hsl(%d,65%%,45%%)\"/>\n", x,
            y_of(f, l->y[i]), hue(l->colour));
    if (l->error > 0)
      fprintf(
          out,
          "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"hsl(%d,65%%,45%%)\"/>\n",
          x, y_of(f, l->y[i] * (1 - l->error)), x, y_of(f, l->y[i] * (1 + l->error)),
          hue(l->colour));
  }
}

static void draw_line(FILE *out, const hg_chart_line *l, const frame *f)
{
  fprintf(out, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"hsl(%d,65%%,45%%)\" points=\"",
          hue(l->colour));
  for (int i = 0; i < l->points; i++)
    fprintf(out, "%.1f,%.1f ", x_of(f, l->x[i]), y_of(f, l->y[i]));
  fputs("\"/>\n", out);
}

static void draw_legend(FILE *out, const hg_chart_line *l, const frame *f, int number)
{
  fprintf(
      out,
      "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"4\" fill=\"hsl(%d,65%%,45%%)\"/><text x=\"%d\" y=\"%d\">",
      LEFT + WIDTH + 14, f->top + number * LINE, hue(l->colour), LEFT + WIDTH + 32,
      f->top + 6 + number * LINE);
  put_text(out, l->name);
  fputs("</text>\n", out);
}

static void draw_marks(FILE *out, const hg_chart *c, const frame *f)
{
  for (int i = 0; i < c->marks; i++) {
    const double x = c->mark[i].x;
    if (!(x >= f->x[0] && x <= f->x[1])) continue;
    fprintf(
        out,
        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"black\" stroke-dasharray=\"4 3\"/><text "
        "x=\"%.1f\" y=\"%d\">",
        x_of(f, x), f->top, x_of(f, x), f->top + HEIGHT, x_of(f, x) + 4, f->top + 12 + i * LINE);
    put_text(out, c->mark[i].name);
    fprintf(out, " %.3g</text>\n", x);
  }
}

static void draw_panel(FILE *out, const hg_chart *c, int top)
{
  const frame f = find_frame(c, top);
  int named = 0;
  fprintf(out, "<text x=\"8\" y=\"%d\" font-size=\"14\">", top - 20);
  put_text(out, c->title);
  fputs("</text>\n", out);
  if (!(f.x[1] > 0)) return;
  draw_bands(out, c, &f);
  draw_axes(out, c, &f);
  for (int i = 0; i < c->lines; i++) {
    (c->line[i].dots ? draw_dots : draw_line)(out, &c->line[i], &f);
    if (c->line[i].name) draw_legend(out, &c->line[i], &f, named++);
  }
  draw_marks(out, c, &f);
}

static int height_of(const hg_chart *c)
{
  const int legend = c->lines * LINE + 20;
  return TOP + (HEIGHT + BELOW > legend ? HEIGHT + BELOW : legend);
}

static void begin(FILE *out, int width, int height)
{
  fprintf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      width, height);
}

static hg_status end(FILE *out)
{
  fputs("</svg>\n", out);
  return ferror(out) ? hg_fail(HG_IO, "drawing: %s", strerror(errno)) : HG_OK;
}

hg_status hg_chart_draw(FILE *out, int panels, const hg_chart *panel)
{
  int height = 0;
  for (int i = 0; i < panels; i++) height += height_of(&panel[i]);
  begin(out, LEFT + WIDTH + LEGEND, height);
  for (int i = 0, top = 0; i < panels; top += height_of(&panel[i++]))
    draw_panel(out, &panel[i], top + TOP);
  return end(out);
}

hg_status hg_chart_map_draw(FILE *out, const hg_chart_map *m)
{
  const double cell = fmin(48, 640. / fmax(m->columns, m->rows));
  const double bottom = TOP + cell * m->rows;
  begin(out, LEFT + (int)(cell * m->columns) + LEFT, (int)bottom + BELOW);
  fputs("<text x=\"8\" y=\"20\" font-size=\"14\">", out);
  put_text(out, m->title);
  fputs("</text>\n", out);
  for (int r = 0; r < m->rows; r++)
    for (int c = 0; c < m->columns; c++) {
      const double value = m->value[r * m->columns + c],
                   depth = fmin(1, fabs(log(value / m->middle)) / log(2));
      const double x = LEFT + cell * c, y = bottom - cell * (r + 1);
      if (isnan(value)) continue;
      fprintf(
          out,
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"hsl(%d,60%%,%.0f%%)\"/>\n",
          x, y, cell, cell, value > m->middle ? 120 : 0, 95 - 45 * depth);
      if (cell >= 24)
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.2g</text>\n",
                x + cell / 2, y + cell / 2 + 4, value);
    }
  fprintf(out, "<text x=\"%d\" y=\"%.0f\">0 .. %d nodes of ", LEFT, bottom + 16, m->columns - 1);
  put_text(out, m->x_name);
  fprintf(out, ", upwards 0 .. %d of ", m->rows - 1);
  put_text(out, m->y_name);
  fputs("</text>\n", out);
  return end(out);
}
