/* SPDX-License-Identifier: MIT */
#include "divisible/pass_log.h"

#include <stdio.h>
#include <stdlib.h>

#include "chart/chart.h"
#include "base/memory.h"

enum { WIDTH = 420, HEIGHT = 190, MOST = 1200, ROW = 20, TOLD_APART = 14, KINDS = 2, TEXT = 9 };
static const double BAR = .7, STRIP = .12; /* of a row's height: bars of computation; strips of transfers below */
static const double WIDE = 20;             /* ratio of largest to smallest speed from which logarithmic axes are used */

hg_status hg_passes_begin(int workers, hg_passes *out)
{
  *out = (hg_passes){.workers = workers};
  HG_TRY(hg_allocate("names of workers", (size_t)workers * sizeof *out->name, (void **)&out->name));
  return hg_allocate("kinds of workers", (size_t)workers * sizeof *out->cuda, (void **)&out->cuda);
}

static void clear(hg_pass *p)
{
  free(p->worker);
  free(p->chunk);
  *p = (hg_pass){.number = 0};
}

void hg_passes_end(hg_passes *p)
{
  for (int i = 0; i < p->count; i++) clear(&p->pass[i]);
  free(p->name);
  free(p->cuda);
  *p = (hg_passes){.workers = 0};
}

hg_status hg_passes_next(hg_passes *p, hg_pass **out)
{
  if (p->count < HG_PASSES_KEPT) p->count++;
  *out = &p->pass[p->count - 1];
  clear(*out);
  return hg_allocate("a pass", (size_t)p->workers * sizeof *(*out)->worker, (void **)&(*out)->worker);
}

void hg_pass_know(const hg_partial_speed *speed, hg_pass_worker *worker)
{
  worker->points = speed->count;
  for (int i = 0; i < speed->count; i++) {
    worker->at[i] = speed->point[i].w;
    worker->speed[i] = speed->point[i].speed;
  }
}

/* --- the picture -------------------------------------------------------------------------------------------------- */

/* A worker's curve: its points, and constant continuations. */
typedef struct curve {
  double x[HG_PARTIAL_POINTS + 2], y[HG_PARTIAL_POINTS + 2];
  double items, speed; /* of the pass */
} curve;

typedef struct scene {
  const hg_passes *passes;
  double items, low, high; /* of all passes: speeds, items/s */
  const char **name;       /* [workers] */
  curve *curve;            /* [passes][workers] */
  hg_chart_line *line;     /* [passes][3][workers]: curves, their points, the pass */
  char (*text)[4][200];    /* [passes] titles and notes of both charts */
  hg_chart_key key[KINDS];
} scene;

/* What to draw for a pass. */
typedef struct row {
  const scene *scene;
  const hg_pass *pass;
} row;

/* With many workers, colours only distinguish their kinds. */
static int colour_of(const hg_passes *p, int worker)
{
  return p->workers <= TOLD_APART ? worker : p->cuda[worker];
}

static void draw_chunk(hg_canvas *c, const hg_plot *p, const hg_passes *all, const hg_pass_chunk *k)
{
  char number[HG_NUMBER];
  const double x[3] = {hg_plot_x(p, k->begin), hg_plot_x(p, k->computed), hg_plot_x(p, k->end)},
               height = p->height / p->y.names, y = hg_plot_y(p, k->worker + (1 - BAR) / 2);
  const hg_colour colour = hg_colour_of(colour_of(all, (int)k->worker) % 7);
  hg_canvas_fill(c, x[0], y, fmax(x[1] - x[0], .3), BAR * height, colour, 1);
  if (x[1] - x[0] > 2) hg_canvas_box(c, x[0], y, x[1] - x[0], BAR * height, HG_WHITE, .6);
  hg_canvas_fill(c, x[1], y + BAR * height, x[2] - x[1], STRIP * height, HG_GREY, .7);
  snprintf(number, sizeof number, "%.0f", k->items);
  if (x[1] - x[0] > hg_canvas_text_width(c, TEXT, number) + 3 && BAR * height > TEXT)
    hg_canvas_text(c, (x[0] + x[1]) / 2, y + BAR * height / 2 + 3.2, TEXT, HG_CENTRED, hg_colour_on(colour), number);
}

static void draw_chunks(hg_canvas *c, const hg_plot *p, const void *what)
{
  const row *r = what;
  const double height = p->height / p->y.names;
  for (int w = 0; w < p->y.names; w++)
    hg_canvas_fill(c, p->left, hg_plot_y(p, w + (1 - BAR) / 2), p->width, BAR * height, 0xf1f1f1, 1);
  for (int64_t i = 0; i < r->pass->chunks; i++) draw_chunk(c, p, r->scene->passes, &r->pass->chunk[i]);
}

static void take_speed(scene *s, double speed)
{
  if (!(speed > 0)) return;
  s->low = fmin(s->low, speed);
  s->high = fmax(s->high, speed);
}

/* Speeds are constant beyond the points. */
static void make_curve(scene *s, const hg_pass_worker *w, curve *c)
{
  const int points = (int)w->points;
  for (int i = 0; i < points; i++) {
    c->x[i + 1] = w->at[i];
    c->y[i + 1] = w->speed[i];
    take_speed(s, w->speed[i]);
  }
  c->x[0] = 0;
  c->y[0] = c->y[1];
  c->x[points + 1] = fmax(s->items, c->x[points]);
  c->y[points + 1] = c->y[points];
  c->items = w->items;
  c->speed = w->items > 0 ? w->items / w->seconds : NAN;
  take_speed(s, c->speed);
}

static void make_lines(scene *s, int pass)
{
  static const bool hollow = true;
  const hg_passes *p = s->passes;
  hg_chart_line *line = s->line + (size_t)pass * 3 * (size_t)p->workers;
  for (int w = 0; w < p->workers; w++) {
    curve *c = &s->curve[pass * p->workers + w];
    const hg_pass_worker *known = &p->pass[pass].worker[w];
    const int points = (int)known->points, colour = colour_of(p, w) % 7;
    make_curve(s, known, c);
    line[w] = (hg_chart_line){.name = p->workers <= TOLD_APART ? s->name[w] : NULL,
                              .colour = colour,
                              .points = points > 0 ? points + 2 : 0,
                              .x = c->x,
                              .y = c->y};
    line[p->workers + w] =
        (hg_chart_line){.colour = colour, .points = points, .x = c->x + 1, .y = c->y + 1, .dots = true};
    line[2 * p->workers + w] = (hg_chart_line){
        .colour = colour, .points = c->speed > 0, .x = &c->items, .y = &c->speed, .hollow = &hollow, .dots = true};
  }
}

static double longest(const hg_pass *p)
{
  double s = fmax(p->seconds, 1e-9);
  for (int64_t i = 0; i < p->chunks; i++) s = fmax(s, p->chunk[i].end);
  return s;
}

static hg_status make(const hg_passes *p, scene *s)
{
  const size_t passes = (size_t)p->count + 1, workers = (size_t)p->workers;
  HG_TRY(hg_allocate("a picture", workers * sizeof *s->name, (void **)&s->name));
  HG_TRY(hg_allocate("a picture", passes * workers * sizeof *s->curve, (void **)&s->curve));
  HG_TRY(hg_allocate("a picture", passes * 3 * workers * sizeof *s->line, (void **)&s->line));
  HG_TRY(hg_allocate("a picture", passes * sizeof *s->text, (void **)&s->text));
  for (int w = 0; w < p->workers; w++) s->name[w] = p->name[w];
  for (int i = 0; i < p->count; i++) make_lines(s, i);
  return HG_OK;
}

static void free_scene(scene *s)
{
  free(s->name);
  free(s->curve);
  free(s->line);
  free(s->text);
}

static bool any_cuda(const hg_passes *p)
{
  for (int w = 0; w < p->workers; w++)
    if (p->cuda[w]) return true;
  return false;
}

/* Both charts of a pass. */
static void make_charts(const scene *s, const char *title, const row *r, int pass, hg_chart *chart)
{
  const hg_passes *p = s->passes;
  const hg_pass *now = r->pass;
  char(*text)[200] = s->text[pass];
  const double height = fmin(fmax(HEIGHT, p->workers * (double)ROW), MOST);
  const bool logarithmic = s->high > WIDE * s->low;
  snprintf(text[0], sizeof text[0], "%.80s: speeds known after pass %d", title, now->number);
  snprintf(text[1], sizeof text[1], "hollow: what the pass measured of the worker's share");
  snprintf(text[2], sizeof text[2], "Pass %d: %.3g s, imbalance %.1f %%, %s", now->number, now->seconds,
           100 * now->imbalance, now->state);
  snprintf(text[3], sizeof text[3], "with the items of each chunk%s",
           any_cuda(p) ? "; grey: results on their way to main memory" : "");
  chart[0] = (hg_chart){.title = text[0],
                        .note = text[1],
                        .width = WIDTH,
                        .height = height,
                        .x = {.label = "items", .high = fmax(s->items, 1)},
                        .y = {.label = "speed",
                              .unit = "items/s",
                              .low = logarithmic ? s->low / 1.5 : 0,
                              .high = (logarithmic ? 1.5 : 1.08) * s->high,
                              .logarithmic = logarithmic},
                        .lines = 3 * p->workers,
                        .line = s->line + (size_t)pass * 3 * (size_t)p->workers,
                        .keys = p->workers <= TOLD_APART ? 0 : KINDS,
                        .key = s->key};
  chart[1] = (hg_chart){.title = text[2],
                        .note = text[3],
                        .width = WIDTH,
                        .height = height,
                        .x = {.label = "time", .unit = "s", .high = longest(now)},
                        .y = {.high = p->workers, .down = true, .names = p->workers, .name = s->name},
                        .draw = draw_chunks,
                        .what = r};
}

hg_status hg_passes_draw(const char *path, const char *title, int64_t items, const hg_passes *p)
{
  scene s = {.passes = p,
             .items = (double)items,
             .low = INFINITY,
             .key = {{"CPU", hg_colour_of(0)}, {"CUDA", hg_colour_of(1)}}};
  hg_chart chart[2 * HG_PASSES_KEPT];
  row r[HG_PASSES_KEPT];
  hg_status status = make(p, &s);
  if (!(s.high > 0)) s.low = s.high = 1;
  for (int i = 0; i < p->count && status == HG_OK; i++) {
    r[i] = (row){&s, &p->pass[i]};
    make_charts(&s, title, &r[i], i, &chart[2 * i]);
  }
  if (status == HG_OK) status = hg_charts_write(path, 2, 2 * p->count, chart);
  free_scene(&s);
  return status;
}
