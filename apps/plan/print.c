/* SPDX-License-Identifier: MIT */
/* A plan as text, JSON and CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
  printf("energy by objective %s: %.6g s, %.6g J a step, %.6g J s\n", hg_criterion_names[o->objective], seconds, joules,
         seconds * joules);
  puts("faster or greener than any other: processors, s, J a step");
  for (int i = 0; i < count; i++) printf("%6d %12.6g %12.6g\n", front[i].units, front[i].seconds, front[i].joules);
  free(front);
}

/* Shares of capabilities are no speeds: they make no makespan. */
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

void plan_json_number(const char *name, double value)
{
  if (isfinite(value))
    printf("\"%s\":%.17g", name, value);
  else
    printf("\"%s\":null", name);
}

void plan_json_begin(const plan_options *o, const char *name)
{
  const hg_partition_request *r = &o->request;
  printf("{\"grid\":[%.17g", r->size[0]);
  for (int a = 1; a < r->dims; a++) printf(",%.17g", r->size[a]);
  printf("],\"partition\":\"%s\",\"parts\":[", name);
}

static void print_json_part(const plan *p, int i)
{
  static const char *const low[] = {"x", "y", "z"}, *const extent[] = {"w", "h", "d"};
  const hg_rect *q = &p->rect[i];
  printf("%s\n{\"id\":%d,", i ? "," : "", i);
  if (p->request.levels > 0) printf("\"node\":%d,", p->request.group[0][i]);
  plan_json_number("speed", p->request.speed[i]);
  for (int a = 0; a < 3; a++) printf(",\"%s\":%.17g", low[a], q->lo[a]);
  for (int a = 0; a < 3; a++) printf(",\"%s\":%.17g", extent[a], width(q, a));
  printf(",\"cells\":%.17g,\"neighbours\":%d,\"messages\":%d,\"items\":%.17g,", p->part[i].cells, p->part[i].neighbours,
         2 * p->part[i].neighbours, p->part[i].border);
  plan_json_number("seconds", seconds_of(p, i));
  putchar('}');
}

/* The plan's own joules, then the front. */
static void print_json_energy(const plan_options *o, const plan *p)
{
  double seconds, joules;
  hg_energy_division_point *front;
  int count;
  if (!o->unit || plan_energy(o, p, &seconds, &joules) != HG_OK || plan_front(o, &front, &count) != HG_OK) return;
  printf(",\n\"energy\":{\"objective\":\"%s\",\"seconds\":%.17g,\"joules\":%.17g,\"edp\":%.17g,\"front\":[",
         hg_criterion_names[o->objective], seconds, joules, seconds * joules);
  for (int i = 0; i < count; i++)
    printf("%s{\"processors\":%d,\"seconds\":%.17g,\"joules\":%.17g}", i ? "," : "", front[i].units, front[i].seconds,
           front[i].joules);
  fputs("]}", stdout);
  free(front);
}

static void print_json(const plan_options *o, const plan *p)
{
  const hg_partition_metrics *t = &p->total;
  const bool timed = p->request.bandwidth > 0 || p->request.link;
  plan_json_begin(o, p->name);
  for (int i = 0; i < p->request.parts; i++) print_json_part(p, i);
  printf("],\n\"total\":{\"cut\":%.17g,\"items\":%.17g,\"half_perimeter\":%.17g,\"lower_bound\":%.17g,"
         "\"pairs\":%d,\"max_messages\":%d",
         t->cut, t->items, t->half_perimeter, t->lower_bound, t->pairs, 2 * t->max_neighbours);
  if (o->nodes_count) printf(",\"between_nodes\":%.17g", t->between[0]);
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"comm_seconds", t->comm_seconds},
                 {"makespan", hg_factors_given(&o->factors) && timed ? NAN : t->makespan},
                 {"imbalance", t->imbalance}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    putchar(',');
    plan_json_number(numbers[k].name, numbers[k].value);
  }
  printf(",\"halo\":%d,", o->halo);
  plan_json_number("halo_bytes_per_step", p->box ? p->halo_cells * p->request.bytes_per_cell / o->halo : NAN);
  putchar('}');
  print_json_energy(o, p);
  puts("}");
}

/* Of a part until the slowest ends. */
static double joules_of(const plan_options *o, const plan *p, int i, double all)
{
  const hg_energy_division_unit *u = &o->unit[i];
  const double busy = seconds_of(p, i);
  return p->part[i].cells > 0 ? busy * u->full + (all - busy) * u->wait : all * u->idle;
}

static void print_csv(const plan_options *o, const plan *p)
{
  double all = 0;
  for (int i = 0; i < p->request.parts; i++) all = fmax(all, seconds_of(p, i));
  printf("partition,part,speed,x,y,z,w,h,d,cells,neighbours,items,seconds%s\n", o->unit ? ",joules" : "");
  for (int i = 0; i < p->request.parts; i++) {
    const hg_rect *q = &p->rect[i];
    printf("%s,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%.17g,%.17g", p->name, i, p->request.speed[i],
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
