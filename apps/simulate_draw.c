/* SPDX-License-Identifier: MIT */
#include "simulate_draw.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 400, LEFT = 70, TOP = 40, LEGEND = 230 };

void simulate_chart_add(simulate_chart *chart, int series, const simulate_case *c, const simulate_outcome *r)
{
  if (series >= SIMULATE_SERIES) return;
  if (series >= chart->series) chart->series = series + 1;
  chart->app = c->app;
  int i = chart->line[series].points;
  if (i == SIMULATE_SIZES) return;
  snprintf(chart->line[series].name, sizeof chart->line[series].name, "%.20s%s%.8s, %.20s",
           c->app->grid ? c->partition : "", c->app->grid ? ", " : "", c->model, r->sched);
  chart->line[series].size[i] = sqrt((double)c->size[0] * (double)c->size[1]);
  chart->line[series].rate[i] = r->rate;
  chart->line[series].points++;
}

/* Ranges of both axes. */
typedef struct frame {
  double size[2], rate[2];
} frame;

static frame find_frame(const simulate_chart *c)
{
  frame f = {{INFINITY, 0}, {INFINITY, 0}};
  for (int s = 0; s < c->series; s++)
    for (int i = 0; i < c->line[s].points; i++) {
      f.size[0] = fmin(f.size[0], c->line[s].size[i]);
      f.size[1] = fmax(f.size[1], c->line[s].size[i]);
      f.rate[0] = fmin(f.rate[0], c->line[s].rate[i]);
      f.rate[1] = fmax(f.rate[1], c->line[s].rate[i]);
    }
  if (!(f.size[1] > f.size[0])) f.size[0] = f.size[1] / 2;
  if (!(f.rate[1] > 1.05 * f.rate[0])) f.rate[0] = f.rate[1] / 2;
  return f;
}

static double at(const double range[2], double value, double length)
{
  return length * log(value / range[0]) / log(range[1] / range[0]);
}

static void draw_axes(FILE *out, const simulate_chart *c, const frame *f)
{
  for (int i = 0; i < c->line[0].points; i++) {
    double x = LEFT + at(f->size, c->line[0].size[i], WIDTH);
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%.0f</text>\n",
            x, TOP, x, TOP + HEIGHT, x, TOP + HEIGHT + 16, c->line[0].size[i]);
  }
  for (int i = 0; i <= 4; i++) {
    double value = f->rate[0] * pow(f->rate[1] / f->rate[0], i / 4.), y = TOP + HEIGHT - i * HEIGHT / 4.;
    fprintf(out,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.3g</text>\n",
            LEFT, y, LEFT + WIDTH, y, LEFT - 6, y + 4, value * 1e-9);
  }
}

hg_status simulate_chart_draw(const char *path, const hg_platform *p, const simulate_chart *c)
{
  char part[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_file_begin(path, part, &out));
  const frame f = find_frame(c);
  const int height = TOP + (HEIGHT + 40 > c->series * 16 + 20 ? HEIGHT + 40 : c->series * 16 + 20);
  fprintf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/><text x=\"8\" y=\"20\" font-size=\"14\">%s on %s, "
      "simulated: "
      "%s over the side of the square</text>\n",
      LEFT + WIDTH + LEGEND, height, c->app->name, p->name,
      c->app->unit);
  if (c->series) draw_axes(out, c, &f);
  for (int s = 0; s < c->series; s++) {
    int hue = (int)(fmod(.58 + s * .61803398875, 1) * 360);
    fputs("<polyline fill=\"none\" stroke-width=\"2\" ", out);
    fprintf(out, "stroke=\"hsl(%d,65%%,45%%)\" points=\"", hue);
    for (int i = 0; i < c->line[s].points; i++)
      fprintf(out, "%.1f,%.1f ", LEFT + at(f.size, c->line[s].size[i], WIDTH),
              TOP + HEIGHT - at(f.rate, c->line[s].rate[i], HEIGHT));
    fprintf(out,
            "\"/><rect x=\"%d\" y=\"%d\" width=\"12\" height=\"4\" fill=\"hsl(%d,65%%,45%%)\"/><text x=\"%d\" "
            "y=\"%d\">%s</text>\n",
            LEFT + WIDTH + 14, TOP + 4 + s * 16, hue, LEFT + WIDTH + 32, TOP + 10 + s * 16, c->line[s].name);
  }
  fputs("</svg>\n", out);
  return hg_file_end(out, part, path, HG_OK);
}
