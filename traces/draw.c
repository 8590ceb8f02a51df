/* SPDX-License-Identifier: MIT */
#include "traces/draw.h"

#include <stdlib.h>

#include "chart/chart.h"
#include "base/memory.h"

enum { WIDTH = 860, SIDE = 560, ROW = 26, ROW_LEAST = 10, ROWS = 800, ARROWS = 400, NAME = 64 };
static const double NARROW = .25;          /* points */
static const double BAR = .7, STRIP = .15; /* of a row: its tasks, and what is not a task below them */
static const hg_colour TRANSFER = 0xcc79a7, OVERHEAD = 0x7f7f7f;

/* What both pictures are made of. */
typedef struct scene {
  const hg_trace *trace;
  const hg_trace_summary *summary;
  int64_t *order, *first; /* of the Gantt chart: tasks by worker */
  double *seconds;        /* of the map: of each tile and worker */
  char (*label)[NAME];    /* of workers */
  const char **name;      /* the same */
} scene;

static double height_of(const hg_plot *p)
{
  return p->height / p->y.names;
}

/* Tasks of one kind too close together to be told apart. */
typedef struct bar {
  double x0, x1;
  int kind;
} bar;

static void draw_bar(hg_canvas *c, const hg_trace *t, const bar *b, double y, double height)
{
  if (b->kind < 0) return;
  hg_canvas_fill(c, b->x0, y, fmax(b->x1 - b->x0, .1), height, t->kind[b->kind].colour, 1);
  if (b->x1 - b->x0 > 2) hg_canvas_box(c, b->x0, y, b->x1 - b->x0, height, HG_WHITE, .4);
}

static void draw_tasks(hg_canvas *c, const hg_plot *p, const scene *s, int worker)
{
  const hg_trace *t = s->trace;
  const double y = hg_plot_y(p, worker + (1 - BAR - STRIP) / 2), height = BAR * height_of(p);
  bar b = {.kind = -1};
  for (int64_t i = s->first[worker]; i < s->first[worker + 1]; i++) {
    const hg_trace_task *k = &t->task[s->order[i]];
    const double x0 = hg_plot_x(p, k->start - t->start), x1 = hg_plot_x(p, k->end - t->start);
    if (b.kind == k->kind && x0 - b.x1 < NARROW && x1 - b.x0 < 1) {
      b.x1 = fmax(b.x1, x1);
      continue;
    }
    draw_bar(c, t, &b, y, height);
    b = (bar){x0, x1, k->kind};
  }
  draw_bar(c, t, &b, y, height);
}

static void draw_states(hg_canvas *c, const hg_plot *p, const hg_trace *t)
{
  for (int64_t i = 0; i < t->intervals; i++) {
    const hg_trace_interval *v = &t->interval[i];
    const double x0 = hg_plot_x(p, fmax(v->start, t->start) - t->start),
                 x1 = hg_plot_x(p, fmin(v->end, t->end) - t->start);
    if (x1 - x0 >= NARROW)
      hg_canvas_fill(c, x0, hg_plot_y(p, v->worker + (1 + BAR - STRIP) / 2), x1 - x0, STRIP * height_of(p),
                     v->state == HG_TRACE_TRANSFER ? TRANSFER : OVERHEAD, 1);
  }
}

static int first_worker(const hg_trace *t, int rank)
{
  int w = 0;
  while (w < t->workers - 1 && t->worker[w].rank != rank) w++;
  return w;
}

/* Messages from rank to rank; of many, every so many-th. */
static void draw_messages(hg_canvas *c, const hg_plot *p, const hg_trace *t)
{
  int64_t every = 1, seen = 0;
  for (int64_t i = 0; i < t->copies; i++) seen += t->copy[i].network;
  every += seen / ARROWS;
  seen = 0;
  for (int64_t i = 0; i < t->copies; i++) {
    const hg_trace_copy *m = &t->copy[i];
    if (!m->network || m->end < t->start || m->start > t->end || seen++ % every) continue;
    hg_canvas_line(
        c, (double[]){hg_plot_x(p, fmax(m->start, t->start) - t->start), hg_plot_y(p, first_worker(t, m->from) + .5)},
        (double[]){hg_plot_x(p, fmin(m->end, t->end) - t->start), hg_plot_y(p, first_worker(t, m->to) + .5)}, HG_BLACK,
        .4);
  }
}

static void draw_rows(hg_canvas *c, const hg_plot *p, const void *what)
{
  const scene *s = what;
  for (int w = 0; w < s->trace->workers; w++) {
    hg_canvas_fill(c, p->left, hg_plot_y(p, w + (1 - BAR - STRIP) / 2), p->width, BAR * height_of(p), 0xf1f1f1, 1);
    draw_tasks(c, p, s, w);
  }
  draw_states(c, p, s->trace);
  draw_messages(c, p, s->trace);
}

/* Names of the workers, with the share of the run that each was busy. */
static hg_status name_workers(scene *s)
{
  const hg_trace *t = s->trace;
  HG_TRY(hg_allocate("names of workers", (size_t)t->workers * sizeof *s->label, (void **)&s->label));
  HG_TRY(hg_allocate("names of workers", (size_t)t->workers * sizeof *s->name, (void **)&s->name));
  for (int w = 0; w < t->workers; w++) {
    char rank[16] = "";
    if (t->ranks > 1) snprintf(rank, sizeof rank, "%d:", t->worker[w].rank);
    snprintf(s->label[w], NAME, "%s%.32s %.0f %%", rank, t->worker[w].name,
             s->summary->seconds > 0 ? 100 * s->summary->worker[w].busy / s->summary->seconds : 0);
    s->name[w] = s->label[w];
  }
  return HG_OK;
}

static void clear(scene *s)
{
  free(s->order);
  free(s->first);
  free(s->seconds);
  free(s->label);
  free(s->name);
}

/* Kinds of tasks, and what is not a task if it is there. */
static int make_keys(const hg_trace *t, hg_chart_key *key)
{
  bool there[2] = {false, false};
  int keys = 0;
  for (; keys < t->kinds; keys++) key[keys] = (hg_chart_key){t->kind[keys].name, t->kind[keys].colour};
  for (int64_t i = 0; i < t->intervals; i++) there[t->interval[i].state == HG_TRACE_OVERHEAD] = true;
  if (there[0]) key[keys++] = (hg_chart_key){"transfer", TRANSFER};
  if (there[1]) key[keys++] = (hg_chart_key){"overhead", OVERHEAD};
  return keys;
}

hg_status hg_trace_draw_gantt(hg_canvas *c, const hg_trace *t, const hg_trace_summary *sum)
{
  scene s = {.trace = t, .summary = sum};
  hg_chart_key *key = NULL;
  char title[100];
  hg_status status = hg_trace_by_worker(t, &s.order, &s.first);
  if (status == HG_OK) status = name_workers(&s);
  if (status == HG_OK) status = hg_allocate("a legend", (size_t)(t->kinds + 2) * sizeof *key, (void **)&key);
  if (status == HG_OK) {
    snprintf(title, sizeof title, "%.4g s, imbalance %.3f", sum->seconds, sum->imbalance);
    const double span = t->end > t->start ? t->end - t->start : 1e-9;
    const hg_chart chart = {.title = title,
                            .note = t->title,
                            .width = WIDTH,
                            .height = t->workers * fmin(ROW, fmax(ROW_LEAST, (double)ROWS / t->workers)),
                            .x = {.label = "time", .unit = "s", .high = span},
                            .y = {.high = t->workers, .down = true, .names = t->workers, .name = s.name},
                            .keys = make_keys(t, key),
                            .key = key,
                            .draw = draw_rows,
                            .what = &s};
    hg_chart_draw(c, 0, 0, &chart);
  }
  free(key);
  clear(&s);
  return status;
}

static void draw_tile(hg_canvas *c, const hg_plot *p, const hg_trace *t, const hg_trace_tile *tile,
                      const double *seconds)
{
  const double left = hg_plot_x(p, (double)tile->at[0]), top = hg_plot_y(p, (double)tile->at[1]),
               w = hg_plot_x(p, (double)(tile->at[0] + tile->extent[0])) - left,
               h = hg_plot_y(p, (double)(tile->at[1] + tile->extent[1])) - top;
  double sum = 0, x = left;
  for (int i = 0; i < t->workers; i++) sum += seconds[i];
  for (int i = 0; i < t->workers && sum > 0; i++) {
    const double part = w * seconds[i] / sum;
    if (part > 0) hg_canvas_fill(c, x, top, part, h, hg_colour_of(i), 1);
    x += part;
  }
  hg_canvas_box(c, left, top, w, h, HG_WHITE, fmin(1, fmin(w, h) / 8));
}

static void draw_tiles(hg_canvas *c, const hg_plot *p, const void *what)
{
  const scene *s = what;
  const hg_trace *t = s->trace;
  for (int64_t i = 0; i < t->tiles; i++)
    if (t->tile[i].at[2] == t->tile[0].at[2]) draw_tile(c, p, t, &t->tile[i], s->seconds + i * t->workers);
}

hg_status hg_trace_draw_map(hg_canvas *c, const hg_trace *t, const hg_trace_summary *sum)
{
  scene s = {.trace = t, .summary = sum};
  hg_chart_key *key = NULL;
  double cells[2] = {0, 0};
  if (t->written_count == 0) return hg_fail(HG_INVALID, "%s: no task wrote to a tile with coordinates", t->title);
  for (int64_t i = 0; i < t->tiles; i++)
    for (int a = 0; a < 2; a++) cells[a] = fmax(cells[a], (double)(t->tile[i].at[a] + t->tile[i].extent[a]));
  hg_status status = hg_trace_tile_times(t, &s.seconds);
  if (status == HG_OK) status = name_workers(&s);
  if (status == HG_OK) status = hg_allocate("a legend", (size_t)t->workers * sizeof *key, (void **)&key);
  if (status == HG_OK) {
    for (int w = 0; w < t->workers; w++) key[w] = (hg_chart_key){s.name[w], hg_colour_of(w)};
    const double scale = SIDE / fmax(cells[0], cells[1]);
    const hg_chart chart = {.title = "Who wrote which tile",
                            .note = t->title,
                            .width = fmax(cells[0] * scale, 24),
                            .height = fmax(cells[1] * scale, 24),
                            .x = {.label = "x", .unit = "cells", .high = cells[0], .whole = true},
                            .y = {.label = "y", .unit = "cells", .high = cells[1], .whole = true, .down = true},
                            .no_grid = true,
                            .keys = t->workers,
                            .key = key,
                            .draw = draw_tiles,
                            .what = &s};
    hg_chart_draw(c, 0, 0, &chart);
  }
  free(key);
  clear(&s);
  return status;
}

typedef struct order {
  hg_trace_drawing *drawing;
  const hg_trace *trace;
  const hg_trace_summary *summary;
} order;

static hg_status draw(hg_canvas *c, const void *what)
{
  const order *o = what;
  return o->drawing(c, o->trace, o->summary);
}

hg_status hg_trace_draw(const char *path, hg_trace_drawing *drawing, const hg_trace *t, const hg_trace_summary *s)
{
  return hg_canvas_draw(path, draw, &(order){drawing, t, s});
}
