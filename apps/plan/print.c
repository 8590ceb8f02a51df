/* SPDX-License-Identifier: MIT */
/* A plan as text, JSON and CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/shown.h"
#include "plan.h"

static double width(const hg_rect *r, int axis)
{
  return r->hi[axis] - r->lo[axis];
}

static double seconds_of(const plan *p, int i)
{
  return p->request.speed[i] > 0 ? p->part[i].cells / p->request.speed[i] : 0;
}

static void print_text_energy(const plan_options *o, const plan *p)
{
  double seconds, joules;
  hg_energy_division_point *front;
  int count;
  if (!o->unit || plan_energy(o, p, &seconds, &joules) != HG_OK || plan_front(o, &front, &count) != HG_OK) return;
  printf("energy by objective %s: %.6g s, %.6g J per step, %.6g J s\n", hg_criterion_names[o->objective], seconds,
         joules, seconds * joules);
  puts("Pareto front of time and energy: processors, s, J per step");
  for (int i = 0; i < count; i++) printf("%6d %12.6g %12.6g\n", front[i].units, front[i].seconds, front[i].joules);
  free(front);
}

/* Shares of capabilities are not speeds and give no makespan. */
static void print_text_times(const plan_options *o, const hg_partition_metrics *t)
{
  printf("predicted communication %.6g s per step", t->comm_seconds);
  if (!hg_factors_given(&o->factors))
    printf(", makespan %.6g s%s", t->makespan, o->speeds_typed ? " if speeds are cells/s" : "");
  putchar('\n');
}

static void print_text(const plan_options *o, const plan *p)
{
  const hg_partition_metrics *t = &p->total;
  const hg_partition_request *r = &p->request;
  printf("%s: %g x %g x %g divided among %d processors\n%6s %10s %10s %10s %10s %10s %10s %10s %12s %7s %5s %10s\n",
         p->name, r->size[0], r->size[1], r->size[2], r->parts, "part", "speed", "x", "y", "z", "w", "h", "d", "cells",
         "share", "near", "items");
  for (int i = 0; i < r->parts; i++) {
    const hg_rect *q = &p->rect[i];
    printf("%6d %10.5g %10.6g %10.6g %10.6g %10.6g %10.6g %10.6g %12.8g %6.2f%% %5d %10.6g\n", i, r->speed[i], q->lo[0],
           q->lo[1], q->lo[2], width(q, 0), width(q, 1), width(q, 2), p->part[i].cells,
           100 * p->part[i].cells / (r->size[0] * r->size[1] * r->size[2]), p->part[i].neighbours, p->part[i].border);
  }
  printf("cut %.8g, items per step %.8g; half perimeter %.8g, %.4f of its lower bound %.8g\n", t->cut, t->items,
         t->half_perimeter, t->half_perimeter / t->lower_bound, t->lower_bound);
  printf("%d neighbouring pair%s, at most %d neighbour%s: %d messages sent + received; imbalance %.4f\n", t->pairs,
         t->pairs == 1 ? "" : "s", t->max_neighbours, t->max_neighbours == 1 ? "" : "s", 2 * t->max_neighbours,
         t->imbalance);
  if (o->nodes_count)
    printf("between %d nodes %.8g, %.8g items per step\n", o->nodes_count, t->between[0], 2 * t->between[0]);
  if (p->box)
    printf(
        "halo of depth %d with corners: %.8g values received per exchange, %.8g bytes per step, at most %d message%s\n",
        o->halo, p->halo_cells, p->halo_cells * r->bytes_per_cell / o->halo, p->halo_messages,
        p->halo_messages == 1 ? "" : "s");
  if (r->bandwidth > 0 || r->link) print_text_times(o, t);
  print_text_energy(o, p);
}

/* JSON has only finite numbers; integers are written without a decimal point. */
json_t *plan_json(double x)
{
  if (!isfinite(x)) return json_null();
  return x == rint(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x);
}

static void put_json(const char *before, json_t *value)
{
  fputs(before, stdout);
  json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
  json_decref(value);
}

/* A line for each part. */
void plan_json_print(const plan_options *o, const char *name, json_t *parts, json_t *total, json_t *energy)
{
  const hg_partition_request *r = &o->request;
  json_t *grid = json_array(), *part;
  size_t i;
  for (int a = 0; a < r->dims; a++) json_array_append_new(grid, plan_json(r->size[a]));
  put_json("{\"grid\":", grid);
  put_json(",\"partition\":", json_string(name));
  fputs(",\"parts\":[", stdout);
  json_array_foreach(parts, i, part) put_json(i > 0 ? ",\n" : "\n", json_incref(part));
  json_decref(parts);
  put_json("],\n\"total\":", total);
  if (energy) put_json(",\n\"energy\":", energy);
  puts("}");
}

static json_t *json_of_part(const plan *p, int i)
{
  static const char *const low[] = {"x", "y", "z"}, *const extent[] = {"w", "h", "d"};
  const hg_rect *q = &p->rect[i];
  const hg_part_metrics *m = &p->part[i];
  json_t *part = json_pack("{s:i}", "id", i);
  if (p->request.levels > 0) json_object_set_new(part, "node", json_integer(p->request.group[0][i]));
  json_object_set_new(part, "speed", plan_json(p->request.speed[i]));
  for (int a = 0; a < 3; a++) json_object_set_new(part, low[a], plan_json(q->lo[a]));
  for (int a = 0; a < 3; a++) json_object_set_new(part, extent[a], plan_json(width(q, a)));
  json_object_update_new(part, json_pack("{s:o, s:i, s:i, s:o, s:o}", "cells", plan_json(m->cells), "neighbours",
                                         m->neighbours, "messages", 2 * m->neighbours, "items", plan_json(m->border),
                                         "seconds", plan_json(seconds_of(p, i))));
  return part;
}

/* The plan's own joules, then the Pareto front. */
static json_t *json_of_energy(const plan_options *o, const plan *p)
{
  double seconds, joules;
  hg_energy_division_point *front;
  int count;
  if (!o->unit || plan_energy(o, p, &seconds, &joules) != HG_OK || plan_front(o, &front, &count) != HG_OK) return NULL;
  json_t *points = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(points, json_pack("{s:i, s:o, s:o}", "processors", front[i].units, "seconds",
                                            plan_json(front[i].seconds), "joules", plan_json(front[i].joules)));
  free(front);
  return json_pack("{s:s, s:o, s:o, s:o, s:o}", "objective", hg_criterion_names[o->objective], "seconds",
                   plan_json(seconds), "joules", plan_json(joules), "edp", plan_json(seconds * joules), "front",
                   points);
}

static void print_json(const plan_options *o, const plan *p)
{
  const hg_partition_metrics *t = &p->total;
  const double makespan = hg_factors_given(&o->factors) ? NAN : t->makespan;
  const double bytes = p->box ? p->halo_cells * p->request.bytes_per_cell / o->halo : NAN;
  json_t *parts = json_array();
  for (int i = 0; i < p->request.parts; i++) json_array_append_new(parts, json_of_part(p, i));
  json_t *total = json_pack("{s:o, s:o, s:o, s:o, s:i, s:i, s:o*, s:o, s:o, s:o, s:i, s:o}", "cut", plan_json(t->cut),
                            "items", plan_json(t->items), "half_perimeter", plan_json(t->half_perimeter), "lower_bound",
                            plan_json(t->lower_bound), "pairs", t->pairs, "max_messages", 2 * t->max_neighbours,
                            "between_nodes", o->nodes_count ? plan_json(t->between[0]) : NULL, "comm_seconds",
                            plan_json(t->comm_seconds), "makespan", plan_json(makespan), "imbalance",
                            plan_json(t->imbalance), "halo", o->halo, "halo_bytes_per_step", plan_json(bytes));
  plan_json_print(o, p->name, parts, total, json_of_energy(o, p));
}

/* Joules of a part until the slowest part ends. */
static double joules_of(const plan_options *o, const plan *p, int i, double all)
{
  const hg_energy_division_unit *u = &o->unit[i];
  const double busy = seconds_of(p, i);
  return p->part[i].cells > 0 ? busy * u->full + (all - busy) * u->wait : all * u->idle;
}

static void print_csv(const plan_options *o, const plan *p)
{
  char name[2 * HG_PATH_MAX];
  double all = 0;
  hg_text_csv(p->name, name, sizeof name);
  for (int i = 0; i < p->request.parts; i++) all = fmax(all, seconds_of(p, i));
  printf("partition,part,speed,x,y,z,w,h,d,cells,neighbours,items,seconds%s\n", o->unit ? ",joules" : "");
  for (int i = 0; i < p->request.parts; i++) {
    const hg_rect *q = &p->rect[i];
    printf("%s,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%.17g,%.17g", name, i, p->request.speed[i],
           q->lo[0], q->lo[1], q->lo[2], width(q, 0), width(q, 1), width(q, 2), p->part[i].cells, p->part[i].neighbours,
           p->part[i].border, seconds_of(p, i));
    if (o->unit) printf(",%.17g", joules_of(o, p, i, all));
    putchar('\n');
  }
}

void plan_print(const plan_options *o, const plan *p)
{
  if (o->json)
    print_json(o, p);
  else if (o->csv)
    print_csv(o, p);
  else
    print_text(o, p);
}
