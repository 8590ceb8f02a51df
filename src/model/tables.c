/* SPDX-License-Identifier: MIT */
#include "model/tables.h"

#include <errno.h>
#include <math.h>
#include <string.h>

void hg_cpu_model(char *name, size_t size)
{
  char line[512];
  FILE *f = fopen("/proc/cpuinfo", "r");
  const char *model = "cpu";
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
      model = strchr(line, ':') + 1;
      break;
    }
  if (f) fclose(f);
  snprintf(name, size, "%s", model);
}

hg_status hg_table_path(const char *app, const char *kernel, const char *precision, const char *device,
                        char path[HG_PATH_MAX])
{
  char name[1024];
  if (snprintf(name, sizeof name, "%s-%s-%s-%s.csv", app, kernel, precision, device) >= (int)sizeof name)
    return hg_fail(HG_INVALID, "the speed table of '%.60s...' has too long a name", device);
  return hg_table_file(name, path);
}

enum { WIDTH = 640, HEIGHT = 360, LEFT = 70, TOP = 40, RIGHT = 20, BOTTOM = 45 };

typedef struct axes {
  double low, high, top; /* work, on a logarithmic scale; speed from 0 to top */
} axes;

static double x_of(const axes *a, double w)
{
  double t = a->high > a->low ? log(w / a->low) / log(a->high / a->low) : .5;
  return LEFT + t * (WIDTH - LEFT - RIGHT);
}

static double y_of(const axes *a, double speed)
{
  return HEIGHT - BOTTOM - speed / a->top * (HEIGHT - TOP - BOTTOM);
}

static double speed_at(const hg_speed_table *t, int i, int j)
{
  return t->w[i] / t->time[i * t->nc + j];
}

static void draw_axes(FILE *out, const axes *a)
{
  fprintf(out, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"black\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
          WIDTH - RIGHT);
  for (double w = pow(10, ceil(log10(a->low) - 1e-9)); w <= a->high * 1.0001; w *= 10)
    fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0e</text>\n", x_of(a, w), HEIGHT - BOTTOM + 16, w);
  for (int i = 0; i <= 4; i++)
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", LEFT - 6, y_of(a, a->top * i / 4) + 4,
            a->top * i / 4);
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">cells</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
  fprintf(out, "<text x=\"%d\" y=\"%d\">cells/s</text>\n", 8, TOP - 6);
}

hg_status hg_speed_table_draw(FILE *out, const char *title, const hg_speed_table *t)
{
  static const char *const colours[] = {"#1b9e77", "#d95f02", "#7570b3", "#e7298a"};
  axes a = {.low = t->w[0], .high = t->w[t->nw - 1]};
  for (int i = 0; i < t->nw; i++)
    for (int j = 0; j < t->nc; j++) a.top = fmax(a.top, speed_at(t, i, j) * 1.05);
  fprintf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<text x=\"8\" y=\"18\" font-size=\"14\">%s</text>\n",
      WIDTH, HEIGHT, title);
  draw_axes(out, &a);
  for (int j = 0; j < t->nc; j++) {
    const char *colour = colours[j % 4];
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (int i = 0; i < t->nw; i++) fprintf(out, "%.1f,%.1f ", x_of(&a, t->w[i]), y_of(&a, speed_at(t, i, j)));
    fprintf(out, "\"/>\n");
    for (int i = 0; i < t->nw; i++)
      fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x_of(&a, t->w[i]),
              y_of(&a, speed_at(t, i, j)), colour);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"%s\">c = %.3g items a step</text>\n",
            WIDTH - RIGHT, TOP + 16 * (j + 1), colour, t->c[j]);
  }
  fprintf(out, "</svg>\n");
  return ferror(out) ? hg_fail(HG_IO, "drawing: %s", strerror(errno)) : HG_OK;
}
