/* SPDX-License-Identifier: MIT */
#include "draw.h"

#include <math.h>

#include "chart/chart.h"

void simulate_chart_add(simulate_chart *chart, int series, const simulate_case *c, const simulate_outcome *r)
{
  if (series >= SIMULATE_SERIES) return;
  if (series >= chart->series) chart->series = series + 1;
  chart->app = c->app;
  int i = chart->line[series].points;
  if (i == SIMULATE_SIZES) return;
  snprintf(chart->line[series].name, sizeof chart->line[series].name, "%.20s%s%.8s, %.20s", simulate_partition(c),
           *simulate_partition(c) ? ", " : "", c->model, r->sched);
  chart->line[series].size[i] = sqrt((double)c->size[0] * (double)c->size[1]);
  chart->line[series].rate[i] = r->rate * 1e-9;
  chart->line[series].points++;
}

hg_status simulate_chart_draw(const char *path, const hg_platform *p, const simulate_chart *c)
{
  char title[200];
  hg_chart_line line[SIMULATE_SERIES];
  for (int s = 0; s < c->series; s++)
    line[s] = (hg_chart_line){.name = c->line[s].name,
                              .points = c->line[s].points,
                              .colour = s,
                              .x = c->line[s].size,
                              .y = c->line[s].rate,
                              .marked = true};
  snprintf(title, sizeof title, "%s on %s, simulated", c->app->name, p->name);
  const hg_chart chart = {
      .title = title,
      .x = {.label = "side of the square", .logarithmic = true, .values = c->line[0].points, .value = c->line[0].size},
      .y = {.label = "speed", .unit = c->app->unit, .logarithmic = true},
      .lines = c->series,
      .line = line};
  return hg_charts_write(path, 1, 1, &chart);
}
