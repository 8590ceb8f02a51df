/* SPDX-License-Identifier: MIT */
/* --map: two clusters used together (figure 1.14 of the paper named in energy/cluster_energy.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "choose.h"

enum { SIDE_MAX = 256 };

/* Contexts A and B, and alternatives for the same nodes. */
typedef struct map {
  const hg_use_context *context[4];
  int pairs;    /* 1 or 2 */
  int side[2];  /* most nodes of A and B */
  double *gain; /* [side[1] + 1][side[0] + 1] first pair over second by the criterion; one pair: its value */
} map;

static hg_status find(const contexts *all, const char *names, map *m)
{
  char text[4 * HG_CONTEXT_NAME + 8], *save;
  int count = 0;
  if (snprintf(text, sizeof text, "%s", names) >= (int)sizeof text)
    return hg_fail(HG_INVALID, "--map: the names are too long");
  for (char *name = strtok_r(text, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
    if (count == 4) return hg_fail(HG_INVALID, "--map: more than four contexts");
    m->context[count] = contexts_find(all, name);
    if (!m->context[count++]) return hg_fail(HG_INVALID, "--map: '%s' is not a context of the file", name);
  }
  m->pairs = count / 2;
  return count == 2 || count == 4 ? HG_OK : hg_fail(HG_INVALID, "--map: %d contexts, must be A,B or A,B,A2,B2", count);
}

/* The number of nodes that the clusters of every pair have. */
static int side(const map *m, int k, const choose_options *o)
{
  double most = o->last ? (double)o->last : INFINITY;
  for (int i = k; i < 2 * m->pairs; i += 2) {
    const hg_use_context *c = m->context[i];
    most =
        fmin(most, o->rules.extrapolate && isfinite(c->nodes_max) ? c->nodes_max : fmin(c->nodes_max, 4 * c->largest));
  }
  return (int)fmin(most, SIDE_MAX);
}

static hg_status print_cell(const map *m, const choose_options *o, int a, int b)
{
  hg_run_estimate run[2];
  double value[2] = {NAN, NAN}, error;
  printf("%d,%d", a, b);
  for (int k = 0; k < m->pairs; k++) {
    HG_TRY(hg_use_context_hybrid(m->context[2 * k], a, m->context[2 * k + 1], b, &o->rules, &run[k]));
    value[k] = hg_run_estimate_value(&run[k], o->by, &error);
    printf(",%.9g,%.9g", run[k].seconds, run[k].joules);
  }
  const double gain = m->pairs == 2 ? value[1] / value[0] : value[0];
  m->gain[b * (m->side[0] + 1) + a] = gain;
  if (m->pairs == 2) printf(",%.6g,%.6g,%.6g", run[1].seconds / run[0].seconds, run[1].joules / run[0].joules, gain);
  putchar('\n');
  return HG_OK;
}

static hg_status print_map(const map *m, const choose_options *o)
{
  printf("nodes_a,nodes_b,seconds,joules%s\n", m->pairs == 2 ? ",seconds_2,joules_2,speedup,energy_gain,gain" : "");
  for (int b = 0; b <= m->side[1]; b++)
    for (int a = 0; a <= m->side[0]; a++)
      if (a + b > 0) HG_TRY(print_cell(m, o, a, b));
  return HG_OK;
}

typedef struct grid {
  const map *map;
  hg_colour_scale scale;
} grid;

/* Draws cells, with the gains as numbers where they fit. */
static void draw_cells(hg_canvas *c, const hg_plot *p, const void *what)
{
  const grid *g = what;
  const int columns = g->map->side[0] + 1, rows = g->map->side[1] + 1;
  const double w = p->width / columns, h = p->height / rows;
  for (int i = 0; i < rows * columns; i++) {
    const double value = g->map->gain[i], x = p->left + i % columns * w, y = p->top + (rows - 1 - i / columns) * h;
    const hg_colour colour = hg_colour_for(&g->scale, value);
    char text[48];
    hg_canvas_fill(c, x, y, w, h, colour, 1);
    snprintf(text, sizeof text, "%.2g", value);
    if (g->map->pairs == 2 && !isnan(value) && hg_canvas_text_width(c, 9, text) < w - 3 && h > 11)
      hg_canvas_text(c, x + w / 2, y + h / 2 + 3, 9, HG_CENTRED, hg_colour_on(colour), text);
  }
}

/* A scale around 1 for gains; for a single pair, over its values. */
static hg_colour_scale scale_of(const map *m, int cells)
{
  hg_colour_scale s = {.map = HG_VIRIDIS, .low = INFINITY, .logarithmic = true};
  for (int i = 1; i < cells; i++) s.low = fmin(s.low, m->gain[i]), s.high = fmax(s.high, m->gain[i]);
  if (m->pairs == 2) return (hg_colour_scale){HG_RED_BLUE, .5, 2, true, s.low<.5, s.high> 2};
  if (!(s.high > s.low)) s.high = 2 * s.low;
  return s;
}

static hg_status draw_map(const map *m, const choose_options *o, int cells)
{
  static const char *const units[] = {"s", "J", "J s", "J s²"};
  char title[400], label[64], side[2][HG_CONTEXT_NAME + 16];
  const char *by = hg_criterion_names[o->by];
  if (m->pairs == 2)
    snprintf(title, sizeof title, "%s + %s over %s + %s", m->context[0]->name, m->context[1]->name, m->context[2]->name,
             m->context[3]->name);
  else
    snprintf(title, sizeof title, "%s + %s", m->context[0]->name, m->context[1]->name);
  snprintf(label, sizeof label, m->pairs == 2 ? "gain by %s" : "%s (%s)", by, units[o->by]);
  for (int k = 0; k < 2; k++) snprintf(side[k], sizeof side[k], "nodes of %s", m->context[k]->name);
  const grid g = {m, scale_of(m, cells)};
  const double cell = fmin(40, 560. / (fmax(m->side[0], m->side[1]) + 1));
  const hg_chart chart = {.title = title,
                          .width = cell * (m->side[0] + 1),
                          .height = cell * (m->side[1] + 1),
                          .x = {.label = side[0], .low = -.5, .high = m->side[0] + .5, .whole = true},
                          .y = {.label = side[1], .low = -.5, .high = m->side[1] + .5, .whole = true},
                          .no_grid = true,
                          .scale = &g.scale,
                          .scale_label = label,
                          .draw = draw_cells,
                          .what = &g};
  return hg_charts_write(o->picture, 1, 1, &chart);
}

hg_status choose_map(const contexts *all, const choose_options *o)
{
  map m = {.pairs = 0};
  HG_TRY(find(all, o->map, &m));
  for (int k = 0; k < 2; k++) m.side[k] = side(&m, k, o);
  const int cells = (m.side[0] + 1) * (m.side[1] + 1);
  m.gain = malloc((size_t)cells * sizeof *m.gain);
  if (!m.gain) return hg_fail(HG_MEMORY, "no memory for %d cells", cells);
  m.gain[0] = NAN;
  hg_status status = print_map(&m, o);
  if (status == HG_OK && o->picture) status = draw_map(&m, o, cells);
  free(m.gain);
  return status;
}
