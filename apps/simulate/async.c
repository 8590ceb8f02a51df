/* SPDX-License-Identifier: MIT */
#include "async.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "chart/chart.h"
#include "energy/power.h"

/* Within a node: a copy. */
static const double COPY_LATENCY = 1e-6, COPY_BANDWIDTH = 1e10;

enum { LINES = SIMULATE_SIZES * SIMULATE_LIST };

/* Time of async relative to sync, over delays. */
typedef struct crossover {
  int lines;
  struct {
    char name[64];
    int points;
    double delay[SIMULATE_LIST], ratio[SIMULATE_LIST];
  } line[LINES];
} crossover;

/* One combination of mode, delay and slowness. */
typedef struct combination {
  const char *mode;
  int64_t side;
  double slower;
} combination;

double simulate_seconds(const simulate_slabs *s, int block, double first, int tasks)
{
  return s->slower[block] * (first + (tasks - 1) * s->device[block]->start);
}

double simulate_flight(const simulate_slabs *s, int from, int to, size_t bytes)
{
  if (s->rank[from] == s->rank[to]) return COPY_LATENCY + (double)bytes / COPY_BANDWIDTH;
  return s->delay + s->platform->latency + (double)bytes / hg_platform_bandwidth(s->platform);
}

/* --- slabs ----------------------------------------------------------------------------------- */

static void drop(simulate_slabs *s)
{
  free(s->device);
  free(s->rank);
  free(s->slower);
  free(s->first);
}

/* The last node is slower than described, which the division does not know. */
static void add_slab(simulate_slabs *s, const hg_device *device, int node, int *last, const hg_box *box, double slower)
{
  const int i = s->blocks++;
  const bool same = i > 0 && *last == node;
  s->device[i] = device;
  s->rank[i] = i == 0 ? 0 : s->rank[i - 1] + !same;
  s->slower[i] = node == s->platform->nodes - 1 ? slower : 1;
  s->first[i + 1] = box->hi[1];
  *last = node;
}

static hg_status fill(simulate_slabs *s, const hg_box *box, double slower)
{
  const hg_platform *p = s->platform;
  int worker = 0, last = -1;
  for (int n = 0; n < p->nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++, worker++) {
      if (hg_box_cells(&box[worker]) == 0) continue;
      if (box[worker].lo[1] != s->first[s->blocks])
        return hg_fail(HG_INVALID, "the slabs are not in the order of the processors");
      add_slab(s, &p->device[p->node[n].device[i]], n, &last, &box[worker], slower);
    }
  return HG_OK;
}

/* As many rows as the cube has planes, with as many cells each. One step is divided like many. */
static hg_status divide(const hg_platform *p, const simulate_case *c, double slower, simulate_slabs *s)
{
  const size_t most = (size_t)p->nodes * HG_PLATFORM_WORKERS;
  simulate_case rows = *c;
  hg_box *box = malloc(most * sizeof *box);
  rows.partition = "rows";
  rows.steps = c->block;
  if (c->app->kind == PROGRAM_CUBE) rows.size[0] = c->size[1] * c->size[1];
  *s = (simulate_slabs){.platform = p,
                        .device = malloc(most * sizeof *s->device),
                        .rank = malloc(most * sizeof *s->rank),
                        .slower = malloc(most * sizeof *s->slower),
                        .first = calloc(most + 1, sizeof *s->first)};
  hg_status status = box && s->device && s->rank && s->slower && s->first
                         ? HG_OK
                         : hg_fail(HG_MEMORY, "no memory for %d nodes", p->nodes);
  double predicted;
  if (status == HG_OK) status = simulate_divide(p, &rows, box, &predicted);
  if (status == HG_OK) status = fill(s, box, slower);
  free(box);
  if (status != HG_OK) drop(s);
  return status;
}

/* --- joules ---------------------------------------------------------------------------------- */

/* NaN if powers are missing. Slabs are in the order of processors, some of which have none. */
static double joules_of(const simulate_slabs *s, const simulate_iterated *r)
{
  const hg_platform *p = s->platform;
  hg_unit_use use[p->nodes * HG_PLATFORM_WORKERS];
  int unit = 0, block = 0;
  for (int n = 0; n < p->nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++, unit++) {
      const hg_device *d = &p->device[p->node[n].device[i]];
      if (d->full <= 0) return NAN;
      const bool has = block < s->blocks && s->device[block] == d;
      const double busy = has ? fmin(r->stats[block].busy, r->seconds) : 0; /* a last sweep may still be running */
      use[unit] = (hg_unit_use){busy, has ? r->seconds - busy : 0, has ? 0 : r->seconds};
      block += has;
    }
  const hg_energy_breakdown j = hg_power_joules(p, p->nodes, r->seconds, use);
  return j.base + j.network + j.cpu + j.gpu;
}

/* --- printing -------------------------------------------------------------------------------- */

static void print_header(bool csv)
{
  if (csv)
    puts("platform,app,n,steps,nodes,blocks,model,mode,delay,slower,seconds,joules,edp,sweeps_min,sweeps_max,snapshots,"
         "staleness,residual");
  else
    printf("%-8s %6s %-6s %10s %7s %12s %12s %18s %10s %10s\n", "app", "n", "mode", "delay s", "slower", "seconds",
           "joules", "sweeps of a block", "snapshots", "staleness");
}

static void print_row(const simulate_slabs *s, const simulate_case *c, const combination *k, const simulate_iterated *r,
                      bool csv)
{
  int64_t fewest = INT64_MAX, most = 0, staleness = 0;
  const double joules = joules_of(s, r);
  for (int i = 0; i < s->blocks; i++) {
    const hg_async_sim_stats *t = &r->stats[i];
    fewest = t->sweeps < fewest ? t->sweeps : fewest;
    most = t->sweeps > most ? t->sweeps : most;
    staleness = t->staleness > staleness ? t->staleness : staleness;
  }
  char energy[64] = ",", sweeps[48], drawn[24] = "-", platform[2 * HG_PLATFORM_NAME];
  if (!isnan(joules)) snprintf(energy, sizeof energy, "%.9g,%.9g", joules, joules * r->seconds);
  if (!isnan(joules)) snprintf(drawn, sizeof drawn, "%.6g", joules);
  snprintf(sweeps, sizeof sweeps, "%" PRId64 "..%" PRId64, fewest, most);
  if (csv)
    printf("%s,%s,%" PRId64 ",%" PRId64 ",%d,%d,%s,%s,%.9g,%.9g,%.9g,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
           ",%.6g\n",
           hg_text_csv(s->platform->name, platform, sizeof platform), c->app->name, k->side,
           c->app->kind == PROGRAM_CUBE ? c->steps : 0, s->platform->nodes, s->blocks, c->model, k->mode, s->delay,
           k->slower, r->seconds, energy, fewest, most, r->snapshots, staleness, r->residual);
  else
    printf("%-8s %6" PRId64 " %-6s %10g %7g %12.6g %12s %18s %10" PRId64 " %10" PRId64 "\n", c->app->name, k->side,
           k->mode, s->delay, k->slower, r->seconds, drawn, sweeps, r->snapshots, staleness);
  fflush(stdout);
}

/* --- all combinations ------------------------------------------------------------------------ */

static hg_status iterate(const simulate_slabs *s, const simulate_case *c, const combination *k, double tolerance,
                         simulate_iterated *r)
{
  const bool cube = c->app->kind == PROGRAM_CUBE;
  const simulate_iteration what = {.async = strcmp(k->mode, "async") == 0,
                                   .side = k->side,
                                   .inner = c->block,
                                   .steps = c->steps,
                                   .tolerance = tolerance > 0 ? tolerance
                                                : cube        ? 1e-8
                                                              : 20};
  *r = (simulate_iterated){.stats = calloc((size_t)s->blocks, sizeof *r->stats)};
  if (!r->stats) return hg_fail(HG_MEMORY, "no memory for %d blocks", s->blocks);
  return cube ? simulate_adr(s, &what, r) : simulate_jacobi(s, &what, r);
}

static hg_status run_one(const hg_platform *p, const simulate_case *c, const combination *k, double delay,
                         double tolerance, bool csv, double *seconds)
{
  simulate_slabs s;
  simulate_iterated r = {0};
  HG_TRY(divide(p, c, k->slower, &s));
  s.delay = delay;
  const hg_status status = iterate(&s, c, k, tolerance, &r);
  if (status == HG_OK) print_row(&s, c, k, &r, csv);
  *seconds = r.seconds;
  free(r.stats);
  drop(&s);
  return status;
}

/* A line for each side and slowness, even where two have one name. */
static void add_line(crossover *x, const combination *k)
{
  snprintf(x->line[x->lines++].name, sizeof x->line->name, "n = %" PRId64 ", last node %g times as slow", k->side,
           k->slower);
}

static void add_point(crossover *x, double delay, const double seconds[2])
{
  if (!(seconds[0] > 0) || !(seconds[1] > 0)) return;
  const int line = x->lines - 1, i = x->line[line].points++;
  x->line[line].delay[i] = delay;
  x->line[line].ratio[i] = seconds[1] / seconds[0];
}

static hg_status draw(const char *path, const hg_platform *p, const simulate_case *c, const crossover *x)
{
  char title[200];
  static const double ratio[] = {.05, .1, .2, .3, .5, .7, 1, 1.5, 2, 3, 5, 7, 10, 20}, one[] = {1, 1};
  hg_chart_line line[LINES + 1];
  double ends[2] = {INFINITY, 0};
  for (int i = 0; i < x->lines; i++)
    line[i] = (hg_chart_line){.name = x->line[i].name,
                              .points = x->line[i].points,
                              .colour = i,
                              .x = x->line[i].delay,
                              .y = x->line[i].ratio,
                              .marked = true};
  for (int i = 0; i < x->lines; i++)
    for (int k = 0; k < x->line[i].points; k++) {
      const double delay = x->line[i].delay[k];
      if (delay > 0) ends[0] = fmin(ends[0], delay);
      ends[1] = fmax(ends[1], delay);
    }
  line[x->lines] = (hg_chart_line){.points = 2, .colour = x->lines, .x = ends, .y = one, .dashed = true};
  snprintf(title, sizeof title, "%s on %s: asynchronous time over synchronous, simulated", c->app->name, p->name);
  const hg_chart chart = {
      .title = title,
      .x = {.label = "delay of a message", .unit = "s", .logarithmic = true},
      .y = {.label = "async / sync", .logarithmic = true, .values = sizeof ratio / sizeof *ratio, .value = ratio},
      .lines = x->lines + 1,
      .line = line};
  return hg_charts_write(path, 1, 1, &chart);
}

static hg_status run_modes(const hg_platform *p, const simulate_case *c, combination *k, double delay,
                           const simulate_modes *m, bool csv, crossover *x)
{
  double seconds[2] = {0, 0};
  for (int i = 0; i < m->modes; i++) {
    k->mode = m->mode[i];
    HG_TRY(run_one(p, c, k, delay, m->tolerance, csv, &seconds[strcmp(k->mode, "async") == 0]));
  }
  add_point(x, delay, seconds);
  return HG_OK;
}

hg_status simulate_async(const hg_platform *p, const simulate_case *common, int sizes, const int64_t (*size)[2],
                         const simulate_modes *m, bool csv, const char *picture)
{
  static crossover x;
  print_header(csv);
  for (int i = 0; i < sizes; i++)
    for (int w = 0; w < m->slowers; w++) {
      simulate_case c = *common;
      memcpy(c.size, size[i], sizeof c.size);
      combination k = {.side = size[i][1], .slower = m->slower[w]};
      add_line(&x, &k);
      for (int d = 0; d < m->delays; d++) HG_TRY(run_modes(p, &c, &k, m->delay[d], m, csv, &x));
    }
  return picture ? draw(picture, p, common, &x) : HG_OK;
}
