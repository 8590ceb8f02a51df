/* SPDX-License-Identifier: MIT */
/* --picture of --choose: T and E over N, points, fits and crossings. */
#include <math.h>
#include <stdlib.h>

#include "chart/chart.h"
#include "choose.h"

enum { CURVE = 65, MARKS = 2, BANDS = 8, STEPS = 1024 };

/* The content of a panel: a curve and dots for each context. */
typedef struct panel {
  double x[CONTEXTS_MAX][CURVE], y[CONTEXTS_MAX][CURVE];
  double dot_x[CONTEXTS_MAX][HG_CONTEXT_POINTS], dot_y[CONTEXTS_MAX][HG_CONTEXT_POINTS];
  hg_chart_line line[2 * CONTEXTS_MAX];
  int lines;
} panel;

/* The common part of both panels. */
typedef struct frame {
  hg_chart_band band[BANDS];
  hg_chart_mark mark[MARKS];
  int bands, marks;
} frame;

static void add_curve(panel *p, const choice *c, const choose_options *o, int i, bool joules)
{
  const hg_estimate_rules far = {true, o->rules.share_switch};
  const hg_use_context *k = &c->all->context[i];
  int points = 0;
  for (int j = 0; j < CURVE; j++) {
    hg_run_estimate run;
    const double nodes = (double)c->first * pow((double)c->last / (double)c->first, j / (CURVE - 1.));
    if (hg_use_context_at(k, nodes, &far, &run) != HG_OK) continue;
    p->x[i][points] = nodes;
    p->y[i][points++] = joules ? run.joules : run.seconds;
  }
  p->line[p->lines++] = (hg_chart_line){.name = k->name, .points = points, .colour = i, .x = p->x[i], .y = p->y[i]};
}

static void add_dots(panel *p, const hg_use_context *k, int i, bool joules)
{
  int points = 0;
  for (int j = 0; j < k->points; j++) {
    if (joules && isnan(k->joules[j])) continue;
    p->dot_x[i][points] = k->nodes[j];
    p->dot_y[i][points++] = joules ? k->joules[j] : k->seconds[j];
  }
  if (points)
    p->line[p->lines++] = (hg_chart_line){.points = points,
                                          .colour = i,
                                          .x = p->dot_x[i],
                                          .y = p->dot_y[i],
                                          .error = joules ? k->error : 0,
                                          .dots = true};
}

/* Shows where each of the three configurations applies. */
static void add_bands(const choice *c, const hg_use_context *a, const hg_use_context *b, const hg_estimate_rules *rules,
                      frame *f)
{
  const double step = pow((double)c->last / (double)c->first, 1. / STEPS);
  double n = (double)c->first;
  for (int i = 0; i < STEPS; i++, n *= step) {
    const int shade = choose_configuration(a, b, n * sqrt(step), rules) - 1;
    if (f->bands == 0 || f->band[f->bands - 1].shade != shade) {
      if (f->bands == BANDS) return;
      f->band[f->bands++] = (hg_chart_band){n, n, shade};
    }
    f->band[f->bands - 1].to = n * step;
  }
}

/* For two contexts, where they cross, and where each of the three configurations applies. */
static void make_frame(const choice *c, const choose_options *o, frame *f)
{
  static const char *const names[MARKS] = {"N_T", "N_E"};
  const hg_use_context *a = &c->all->context[0], *b = &c->all->context[1];
  if (c->all->count != 2) return;
  for (int i = 0; i < MARKS; i++) {
    const double nodes = hg_use_context_crossing(a, b, i ? HG_BY_ENERGY : HG_BY_TIME, &o->rules);
    if (isfinite(nodes)) f->mark[f->marks++] = (hg_chart_mark){nodes, names[i]};
  }
  add_bands(c, a, b, &o->rules, f);
}

hg_status choose_draw(const choice *c, const choose_options *o)
{
  panel *p = calloc(2, sizeof *p);
  frame *f = calloc(1, sizeof *f);
  if (!p || !f) {
    free(p);
    free(f);
    return hg_fail(HG_MEMORY, "no memory for a picture");
  }
  make_frame(c, o, f);
  hg_chart chart[2];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < c->all->count; i++) {
      add_curve(&p[k], c, o, i, k);
      add_dots(&p[k], &c->all->context[i], i, k);
    }
    chart[k] = (hg_chart){.title = k ? "Energy over nodes" : "Time over nodes",
                          .x = {.label = "nodes", .logarithmic = true, .twos = true},
                          .y = {.label = k ? "energy" : "time", .unit = k ? "J" : "s", .logarithmic = true},
                          .lines = p[k].lines,
                          .line = p[k].line,
                          .marks = f->marks,
                          .mark = f->mark,
                          .bands = f->bands,
                          .band = f->band};
  }
  const hg_status status = hg_charts_write(o->picture, 1, 2, chart);
  free(p);
  free(f);
  return status;
}
