/* SPDX-License-Identifier: MIT */
#ifndef HG_SIMULATE_DRAW_H
#define HG_SIMULATE_DRAW_H

#include "simulate.h"

enum { SIMULATE_SERIES = 256 };

/** Speeds over sizes. */
typedef struct simulate_chart {
  int series;
  const program_entry *app;
  struct {
    char name[64];
    int points;
    double size[SIMULATE_SIZES], rate[SIMULATE_SIZES]; /* rate: 1e9/s */
  } line[SIMULATE_SERIES];
} simulate_chart;

/** Adds a point to a line. */
void simulate_chart_add(simulate_chart *chart, int series, const simulate_case *c, const simulate_outcome *r);

/** Draws the lines, both axes logarithmic. HG_IO, HG_MEMORY. */
hg_status simulate_chart_draw(const char *path, const hg_platform *platform, const simulate_chart *chart);
#endif
