/* SPDX-License-Identifier: MIT */
#include "model/network_draw.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "model/network_fit.h"

enum { WIDTH = 720, HEIGHT = 420, LEFT = 70, TOP = 44, RIGHT = 20, BOTTOM = 48, STEPS = 240 };

/* Ranges of both axes, logarithmic. */
typedef struct frame {
  double x[2], y[2];
} frame;

static double along(const double range[2], double value)
{
  return log(value / range[0]) / log(range[1] / range[0]);
}

static double x_of(const frame *f, double bytes)
{
  return LEFT + fmax(along(f->x, fmax(bytes, f->x[0])), 0) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const frame *f, double value)
{
  return HEIGHT - BOTTOM - along(f->y, fmax(value, f->y[0])) * (HEIGHT - TOP - BOTTOM);
}

static const char *size_text(double bytes, char text[16])
{
  static const char *const unit[] = {"", " Ki", " Mi", " Gi"};
  int i = 0;
  for (; bytes >= 1024 && i < 3; i++) bytes /= 1024;
  snprintf(text, 16, "%.3g%s", bytes, unit[i]);
  return text;
}

static void begin(FILE *out, const char *title)
{
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
          "font-family=\"sans-serif\" "
          "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
          "<text x=\"8\" y=\"20\" font-size=\"14\">%s</text>\n",
          WIDTH, HEIGHT, title);
}

static void draw_sizes(FILE *out, const frame *f)
{
  char text[16];
  for (double bytes = f->x[0]; bytes <= f->x[1] * 1.001; bytes *= 16)
    fprintf(out,
            "<path d=\"M%.1f %d V%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%s</text>\n",
            x_of(f, bytes), TOP, HEIGHT - BOTTOM, x_of(f, bytes), HEIGHT - BOTTOM + 16,
            size_text(bytes, text));
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">bytes</text>\n",
          (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
}

static void draw_times(FILE *out, const frame *f)
{
  for (double t = pow(10, ceil(log10(f->y[0]) - 1e-9)); t <= f->y[1] * 1.001; t *= 10)
    fprintf(out,
            "<path d=\"M%d %.1f H%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.3g</text>\n",
            LEFT, y_of(f, t), WIDTH - RIGHT, LEFT - 6, y_of(f, t) + 4, t * 1e6);
  fprintf(out, "<text x=\"8\" y=\"%d\">us</text>\n", TOP - 8);
}

static void draw_curve(FILE *out, const frame *f, const hg_network_level *l, bool pieces)
{
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s points=\"",
          pieces ? "#d95f02" : "#1b9e77", pieces ? "1" : "2",
          pieces ? " stroke-dasharray=\"5 3\"" : "");
  for (int i = 0; i <= STEPS; i++) {
    const double bytes = f->x[0] * pow(f->x[1] / f->x[0], (double)i / STEPS),
                 time = pieces ? hg_network_by_segments(l, bytes) : hg_network_time(l, bytes);
    fprintf(out, "%.1f,%.1f ", x_of(f, bytes), y_of(f, time));
  }
  fputs("\"/>\n", out);
}

static void draw_point(FILE *out, const frame *f, const hg_network_point *p)
{
  const bool unstable = p->pass_gap > HG_NETWORK_UNSTABLE;
  fprintf(out,
          "<path d=\"M%.1f %.1f V%.1f\" stroke=\"#666\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" "
          "fill=\"%s\" stroke=\"#7570b3\"/>\n",
          x_of(f, p->bytes), y_of(f, p->low), y_of(f, p->high), x_of(f, p->bytes),
          y_of(f, p->seconds), unstable ? "white" : "#7570b3");
}

static frame frame_of(const hg_network_level *l)
{
  frame f = {{1, fmax(l->point[l->points - 1].bytes, 16)}, {INFINITY, 0}};
  for (int i = 0; i < l->points; i++) {
    f.y[0] = fmin(f.y[0], fmax(l->point[i].low, l->point[i].seconds / 10));
    f.y[1] = fmax(f.y[1], l->point[i].high);
  }
  f.y[0] /= 1.5;
  f.y[1] *= 1.5;
  return f;
}

static hg_status end(FILE *out)
{
  fputs("</svg>\n", out);
  return ferror(out) ? hg_fail(HG_IO, "drawing: %s", strerror(errno)) : HG_OK;
}

hg_status hg_network_draw(FILE *out, const hg_network *n, const hg_network_level *l)
{
  char title[4 * HG_NETWORK_TEXT];
  const frame f = frame_of(l);
  snprintf(title, sizeof title, "%s: %s to %s, %s (%s), %s", l->name, l->from, l->to, n->mpi,
           n->transport, n->host);
  for (char *c = title; *c; c++)
    if (strchr("<>&\"", *c)) *c = ' ';
  begin(out, title);
  draw_sizes(out, &f);
  draw_times(out, &f);
  draw_curve(out, &f, l, false);
  if (l->segments > 0) draw_curve(out, &f, l, true);
  for (int i = 0; i < l->points; i++) draw_point(out, &f, &l->point[i]);
  fprintf(out,
          "<text x=\"%d\" y=\"%d\" fill=\"#1b9e77\">prediction</text><text x=\"%d\" y=\"%d\" "
          "fill=\"#d95f02\">straight pieces</text><text x=\"%d\" y=\"%d\" fill=\"#7570b3\">"
          "measured, quartiles; hollow: unstable</text>\n",
          LEFT + 12, TOP + 16, LEFT + 12, TOP + 32, LEFT + 12, TOP + 48);
  return end(out);
}

hg_status hg_network_draw_choice(FILE *out, const hg_network *n, const hg_group *group,
                                 double max_bytes)
{
  static const char *const colour[HG_BROADCASTS] = {"#66c2a5", "#fc8d62", "#8da0cb", "#e78ac3",
                                                    "#a6d854"};
  const frame f = {{1, fmax(max_bytes, 16)}, {1, 2}};
  const int rows = group->ranks - 1;
  const double high = (double)(HEIGHT - TOP - BOTTOM) / rows;
  begin(out, "fastest broadcast, predicted: ranks over bytes");
  for (int ranks = 2; ranks <= group->ranks; ranks++) {
    const double top = TOP + (group->ranks - ranks) * high;
    for (double bytes = 1; bytes < f.x[1]; bytes *= 2) {
      const hg_group some = {ranks, group->per_node};
      const double left = x_of(&f, bytes);
      hg_network_choice c;
      HG_TRY(hg_network_choose(n, HG_OPERATION_BROADCAST, &some, (int64_t)bytes, &c));
      fprintf(out,
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
              "fill=\"%s\"/>\n",
              left, top, x_of(&f, fmin(bytes * 2, f.x[1])) - left, high, colour[c.algorithm]);
    }
    if (rows <= 16 || (ranks & (ranks - 1)) == 0)
      fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", LEFT - 6,
              top + high / 2 + 4, ranks);
  }
  draw_sizes(out, &f);
  for (int a = 0; a < HG_BROADCASTS; a++)
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" "
            "y=\"%d\">%s</text>\n",
            LEFT + a * 100, TOP - 16, colour[a], LEFT + a * 100 + 16, TOP - 6,
            hg_broadcast_names[a]);
  return end(out);
}
