/* SPDX-License-Identifier: MIT */
#include "model/tables.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

void hg_device_key(const char *model, char *key, size_t size)
{
  size_t n = 0;
  for (const char *p = model; *p && n + 1 < size; p++) {
    if (isalnum((unsigned char)*p))
      key[n++] = *p;
    else if (n > 0 && key[n - 1] != '-' && p[1])
      key[n++] = '-';
  }
  while (n > 0 && key[n - 1] == '-') n--;
  key[n] = 0;
}

hg_status hg_data_path(const char *name, char path[HG_PATH_MAX])
{
  char folder[2048];
  const char *tables = getenv("HETGRID_TABLES"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  int n = tables ? snprintf(folder, sizeof folder, "%s", tables)
          : data ? snprintf(folder, sizeof folder, "%s/hetgrid/tables", data)
                 : snprintf(folder, sizeof folder, "%s/.local/share/hetgrid/tables", home ? home : ".");
  if (n >= (int)sizeof folder || snprintf(path, HG_PATH_MAX, "%s/%s", folder, name) >= HG_PATH_MAX)
    return hg_fail(HG_INVALID, "the folder of speed tables has too long a name");
  return HG_OK;
}

hg_status hg_table_path(const char *app, const char *kernel, const char *precision, const char *device,
                        char path[HG_PATH_MAX])
{
  char name[2048];
  snprintf(name, sizeof name, "%s-%s-%s-%s.csv", app, kernel, precision, device);
  return hg_data_path(name, path);
}

hg_status hg_make_folders(const char *path)
{
  char folder[HG_PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  for (char *p = folder + 1; (p = strchr(p, '/')); p++) {
    *p = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return hg_fail(HG_IO, "%s: %s", folder, strerror(errno));
    *p = '/';
  }
  return HG_OK;
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
