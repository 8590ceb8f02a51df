/* SPDX-License-Identifier: MIT */
/* Golden cases of partitions and models. Only results independent of the order of equal processors are compared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "speed/cpm.h"
#include "partition/groups.h"
#include "partition/points.h"
#include "tests/golden/plan.h"

/* expect[key] = [value, tolerance], or a plain number. */
void golden_check_value(golden_case *c, const char *key, double got)
{
  const json_t *e = json_object_get(c->expect, key);
  if (!e) return;
  double wanted = json_number_value(json_is_array(e) ? json_array_get(e, 0) : e);
  double tolerance = json_is_array(e) ? json_number_value(json_array_get(e, 1)) : 1e-9;
  hg_golden_check(c->c, fabs(got - wanted) <= tolerance, key, got, wanted);
}

void golden_check_most(hg_golden_case *c, const char *key, double got)
{
  const json_t *e = json_object_get(c->expect, key);
  if (e) hg_golden_check(c, got <= json_number_value(e) * (1 + 1e-9), key, got, json_number_value(e));
}

static void check_areas(golden_case *c)
{
  const json_t *sorted = json_object_get(c->expect, "areas_sorted"),
               *shares = json_object_get(c->expect, "areas_by_speed");
  const hg_partition_request *r = &c->options.request;
  double *area = calloc((size_t)r->parts + 1, sizeof *area), sum = 0;
  for (int i = 0; i < r->parts; i++) {
    area[i] = c->plan.part[i].cells;
    sum += r->speed[i];
    if (r->speed[i] > 0 && json_is_true(json_object_get(c->expect, "nonempty")))
      hg_golden_check(c->c, area[i] > 0, "cells of a part", area[i], 1);
  }
  for (int i = 0; i < r->parts && shares; i++) {
    double ideal = r->speed[i] / sum * r->size[0] * r->size[1] * r->size[2];
    double slack =
        json_number_value(json_object_get(shares, "abs")) + ideal * json_number_value(json_object_get(shares, "rel"));
    hg_golden_check(c->c, fabs(area[i] - ideal) <= slack, "area by speed", area[i], ideal);
  }
  qsort(area, (size_t)r->parts, sizeof *area, hg_by_value);
  double tolerance = json_number_value(json_object_get(c->expect, "areas_tol"));
  for (int i = 0; i < r->parts && sorted; i++) {
    double wanted = json_number_value(json_array_get(sorted, (size_t)i));
    hg_golden_check(c->c, fabs(area[i] - wanted) <= tolerance + 1e-12, "sorted area", area[i], wanted);
  }
  free(area);
}

/* Neighbours and sent items of each part, in order. */
static void check_parts(golden_case *c)
{
  const json_t *near = json_object_get(c->expect, "neighbours"), *sent = json_object_get(c->expect, "sent");
  for (int i = 0; i < c->options.request.parts; i++) {
    if (near)
      hg_golden_check(c->c, c->plan.part[i].neighbours == json_integer_value(json_array_get(near, (size_t)i)),
                      "neighbours", c->plan.part[i].neighbours, i);
    if (sent)
      hg_golden_check(c->c, fabs(c->plan.part[i].border - json_number_value(json_array_get(sent, (size_t)i))) < 1e-9,
                      "sent", c->plan.part[i].border, i);
  }
}

static void check_plan(golden_case *c)
{
  const hg_partition_metrics *t = &c->plan.total;
  golden_check_value(c, "cut", t->cut);
  golden_check_value(c, "items", t->items);
  golden_check_value(c, "hp", t->half_perimeter);
  golden_check_most(c->c, "cut_max", t->cut);
  golden_check_most(c->c, "items_max", t->items);
  golden_check_most(c->c, "hp_max", t->half_perimeter);
  golden_check_value(c, "max_comm", t->max_neighbours);
  golden_check_most(c->c, "max_comm_max", t->max_neighbours);
  golden_check_value(c, "max_comm_sendrecv", 2 * t->max_neighbours);
  golden_check_value(c, "pairs", t->pairs);
  golden_check_value(c, "messages", t->messages);
  check_areas(c);
  check_parts(c);
}

static const char *our_name(const char *name)
{
  static const char *const names[][2] = {{"perisum", "column-based"},
                                         {"na", "recursive"},
                                         {"cols", "columns"},
                                         {"basic", "two-factor"},
                                         {"auto3", "auto"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i][0]) == 0) return names[i][1];
  return name;
}

/* Begins a case and frees the previous one. */
static hg_status begin(hg_golden_case *golden, golden_case **out)
{
  static golden_case c;
  const json_t *grid = json_object_get(golden->json, "grid"), *options = json_object_get(golden->json, "options");
  plan_options *o = &c.options;
  memset(&c, 0, sizeof c);
  c.c = golden;
  c.json = golden->json;
  c.expect = golden->expect;
  *out = &c;
  o->halo = 1;
  o->request = (hg_partition_request){.size = {1, 1, 1},
                                      .speed = o->speed,
                                      .tolerance = 1e-12 /* the cases group exactly equal speeds */,
                                      .thesis = json_object_get(options, "mu") != NULL};
  if (grid) HG_TRY(hg_golden_doubles(c.json, "grid", 3, o->request.size, &o->request.dims));
  if (!json_object_get(c.json, "speeds")) return HG_OK;
  return hg_golden_doubles(c.json, "speeds", PLAN_SPEEDS_MAX, o->speed, &o->request.parts);
}

static hg_status plan_and_check(golden_case *c, const char *algorithm)
{
  HG_TRY(plan_make(&c->options, our_name(algorithm), &c->plan));
  if (c->plan.box) {
    int64_t n[3];
    for (int a = 0; a < 3; a++) n[a] = (int64_t)c->options.request.size[a];
    HG_TRY(hg_partition_check_cover(c->options.request.parts, c->plan.box, n));
  }
  check_plan(c);
  return HG_OK;
}

static hg_status run_plan(hg_golden_case *golden)
{
  golden_case *c;
  const char *algorithm;
  HG_TRY(begin(golden, &c));
  HG_TRY(hg_golden_text(c->json, "algorithm", &algorithm));
  c->options.continuous = strstr(golden->name, "_int") == NULL;
  const hg_status status = plan_and_check(c, algorithm);
  plan_free(&c->plan);
  return status;
}

/* A rectangle or a box: its origin and extents. */
static hg_status read_box(golden_case *c, const json_t *list, int dims, int i)
{
  hg_rect *r = &c->plan.rect[i];
  double *size = c->options.request.size, numbers[6];
  if (json_array_size(list) != 2 * (size_t)dims)
    return hg_fail(HG_FORMAT, "box %d has %zu numbers, must have %d", i, json_array_size(list), 2 * dims);
  for (size_t a = 0; a < 2 * (size_t)dims; a++) numbers[a] = json_number_value(json_array_get(list, a));
  r->hi[2] = 1;
  for (int a = 0; a < dims; a++) {
    r->lo[a] = numbers[a];
    r->hi[a] = numbers[a] + numbers[a + dims];
    size[a] = fmax(size[a], r->hi[a]);
  }
  c->options.speed[i] = 1;
  return HG_OK;
}

static hg_status measure_boxes(golden_case *c, const json_t *list, int dims)
{
  plan_options *o = &c->options;
  const size_t count = json_array_size(list);
  if (count < 1 || count > PLAN_SPEEDS_MAX)
    return hg_fail(HG_FORMAT, "%zu boxes, must be 1..%d", count, PLAN_SPEEDS_MAX);
  o->request.parts = (int)count;
  o->request.dims = dims;
  for (int a = 0; a < dims; a++) o->request.size[a] = 0;
  c->plan.rect = calloc(count, sizeof *c->plan.rect);
  c->plan.part = calloc(count, sizeof *c->plan.part);
  if (!c->plan.rect || !c->plan.part) return hg_fail(HG_MEMORY, "no memory for %zu boxes", count);
  for (size_t i = 0; i < count; i++) HG_TRY(read_box(c, json_array_get(list, i), dims, (int)i));
  HG_TRY(hg_partition_measure(&o->request, c->plan.rect, c->plan.part, &c->plan.total));
  check_plan(c);
  return HG_OK;
}

/* Given rectangles, of which only the metrics are compared. */
static hg_status run_metrics(hg_golden_case *golden)
{
  golden_case *c;
  HG_TRY(begin(golden, &c));
  const json_t *rects = json_object_get(c->json, "rects"), *boxes = json_object_get(c->json, "boxes");
  if (!rects && !boxes) return hg_fail(HG_UNSUPPORTED, "metrics of neither rects nor boxes");
  const hg_status status = measure_boxes(c, boxes ? boxes : rects, boxes ? 3 : 2);
  plan_free(&c->plan);
  return status;
}

/* The axes of the grid, beginning with the one along which cells are numbered first: x, or in column order the last. */
static hg_status read_order(const golden_case *c, int64_t n[3])
{
  const hg_partition_request *r = &c->options.request;
  const char *order = json_string_value(json_object_get(json_object_get(c->json, "options"), "order"));
  const bool columns = order && strcmp(order, "column") == 0;
  if (order && !columns && strcmp(order, "row") != 0)
    return hg_fail(HG_UNSUPPORTED, "the order '%s', must be row or column", order);
  for (int a = 0; a < 3; a++) n[a] = (int64_t)r->size[columns && a < r->dims ? r->dims - 1 - a : a];
  return HG_OK;
}

static hg_status run_owner(hg_golden_case *golden)
{
  golden_case *c;
  int64_t n[3];
  HG_TRY(begin(golden, &c));
  HG_TRY(read_order(c, n));
  const hg_partition_request *r = &c->options.request;
  int64_t start[r->parts + 1];
  hg_points_metrics m;
  const json_t *counts = json_object_get(c->expect, "counts");
  HG_TRY(hg_partition_check(r));
  HG_TRY(hg_points_divide(n, r->parts, r->speed, start));
  HG_TRY(hg_points_measure(n, NULL, r->parts, start, &m));
  for (int i = 0; i < r->parts && counts; i++)
    hg_golden_check(c->c, start[i + 1] - start[i] == json_integer_value(json_array_get(counts, (size_t)i)), "count",
                    (double)(start[i + 1] - start[i]), i);
  golden_check_value(c, "pairs", m.pairs);
  golden_check_value(c, "max_comm", m.max_neighbours);
  golden_check_value(c, "max_comm_sendrecv", 2 * m.max_neighbours);
  golden_check_value(c, "comm_sendrecv_total", 4 * m.pairs);
  golden_check_value(c, "messages", 2 * m.pairs);
  golden_check_value(c, "items_cells", (double)m.items_cells);
  golden_check_value(c, "items_edges", (double)m.items_edges);
  return HG_OK;
}

/* One expected number of a list; "inf" is written as a string. */
static void check_item(golden_case *c, size_t i, double got)
{
  const json_t *e = json_array_get(json_object_get(c->expect, "value"), i);
  double wanted = json_is_string(e) ? INFINITY : json_number_value(e),
         rel = json_number_value(json_object_get(c->expect, "rel"));
  hg_golden_check(c->c, got == wanted || fabs(got - wanted) <= rel * fabs(wanted), "value", got, wanted);
}

enum { WORKERS_MAX = 1024 };

static hg_status run_cpm(golden_case *c)
{
  const json_t *workers = json_object_get(c->json, "workers"), *factors = json_object_get(c->json, "factors"), *x;
  const double factor[3] = {json_number_value(json_object_get(factors, "alpha")),
                            json_number_value(json_object_get(factors, "beta")),
                            json_number_value(json_object_get(factors, "delta"))};
  size_t i, count = json_array_size(workers);
  if (count < 1 || count > WORKERS_MAX) return hg_fail(HG_FORMAT, "%zu workers, must be 1..%d", count, WORKERS_MAX);
  double quantity[WORKERS_MAX][3], share[WORKERS_MAX];
  json_array_foreach(workers, i, x) for (size_t q = 0; q < 3; q++) quantity[i][q] =
      json_number_value(json_array_get(x, q));
  HG_TRY(hg_cpm_shares((int)count, (const double(*)[3])quantity, factor, share));
  for (i = 0; i < count; i++) check_item(c, i, share[i]);
  return HG_OK;
}

static hg_status run_value(hg_golden_case *golden)
{
  golden_case *c;
  const char *algorithm;
  const json_t *x, *params = json_object_get(golden->json, "params");
  size_t i;
  HG_TRY(begin(golden, &c));
  HG_TRY(hg_golden_text(c->json, "algorithm", &algorithm));
  if (strcmp(algorithm, "cpm") == 0) return run_cpm(c);
  if (strcmp(algorithm, "mu") == 0) {
    json_array_foreach(json_object_get(c->json, "p"), i, x) check_item(c, i, hg_asgp_mu((int)json_integer_value(x)));
    return HG_OK;
  }
  if (strcmp(algorithm, "comm_time") != 0) return hg_fail(HG_UNSUPPORTED, "the value '%s'", algorithm);
  json_array_foreach(json_object_get(c->json, "pairs"), i, x)
  {
    double messages = json_number_value(json_array_get(x, 0)), items = json_number_value(json_array_get(x, 1));
    check_item(c, i,
               hg_communication_time(messages, items * json_number_value(json_object_get(params, "bytes_per_item")),
                                     json_number_value(json_object_get(params, "sigma")),
                                     json_number_value(json_object_get(params, "bandwidth"))));
  }
  return HG_OK;
}

hg_status plan_golden(const char *path)
{
  static const hg_golden_kind kinds[] = {
      {"rects", run_plan},       {"rects_int", run_plan},     {"boxes", run_plan},  {"boxes_int", run_plan},
      {"metrics", run_metrics},  {"owner", run_owner},        {"value", run_value}, {"fpm", golden_run_fpm},
      {"fpmc", golden_run_fpmc}, {"table", golden_run_table}, {NULL, NULL}};
  return hg_golden_run(path, kinds);
}
