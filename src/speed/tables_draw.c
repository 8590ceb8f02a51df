/* SPDX-License-Identifier: MIT */
/* Pictures of speed tables. */
#include "speed/tables.h"

#include <stdlib.h>

#include "chart/chart.h"

hg_status hg_speed_table_draw(const char *path, const char *title, const hg_speed_table *t)
{
  const size_t points = (size_t)t->nw * (size_t)t->nc;
  double *speed = malloc(points * sizeof *speed);
  hg_chart_line *line = calloc((size_t)t->nc, sizeof *line);
  char(*name)[HG_NUMBER + 20] = malloc((size_t)t->nc * sizeof *name);
  char number[HG_NUMBER];
  hg_status status = speed && line && name ? HG_OK : hg_fail(HG_MEMORY, "no memory to draw a speed table");
  for (int j = 0; j < t->nc && status == HG_OK; j++) {
    double *y = speed + (size_t)j * (size_t)t->nw;
    for (int i = 0; i < t->nw; i++) y[i] = t->w[i] / t->time[i * t->nc + j];
    snprintf(name[j], sizeof *name, "%s items per step", hg_chart_number(t->c[j], number));
    line[j] = (hg_chart_line){.name = name[j], .points = t->nw, .colour = j, .x = t->w, .y = y, .marked = true};
  }
  const hg_chart chart = {.title = title,
                          .note = "by the items exchanged with other processors",
                          .x = {.label = "work", .unit = "cells", .logarithmic = true},
                          .y = {.label = "speed", .unit = "cells/s"},
                          .lines = t->nc,
                          .line = line};
  if (status == HG_OK) status = hg_charts_write(path, 1, 1, &chart);
  free(speed);
  free(line);
  free(name);
  return status;
}
