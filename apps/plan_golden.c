/* SPDX-License-Identifier: MIT */
/* Golden cases: inputs and expected facts in JSON (schema 1), run through the library, reported as TAP. Only facts that
 * do not depend on the order of equal processors are compared. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_golden.h"

void golden_check(golden_case *c, bool good, const char *fact, double got, double wanted)
{
  if (!good && !c->fault[0]) snprintf(c->fault, sizeof c->fault, "%s is %.10g, expected %.10g", fact, got, wanted);
}

/* expect[key] = [value, tolerance], or a plain number. */
void golden_check_value(golden_case *c, const char *key, double got)
{
  const json_t *e = json_object_get(c->expect, key);
  if (!e) return;
  double wanted = json_number_value(json_is_array(e) ? json_array_get(e, 0) : e);
  double tolerance = json_is_array(e) ? json_number_value(json_array_get(e, 1)) : 1e-9;
  golden_check(c, fabs(got - wanted) <= tolerance, key, got, wanted);
}

void golden_check_most(golden_case *c, const char *key, double got)
{
  const json_t *e = json_object_get(c->expect, key);
  if (e) golden_check(c, got <= json_number_value(e) * (1 + 1e-9), key, got, json_number_value(e));
}

static int by_value(const void *a, const void *b)
{
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
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
      golden_check(c, area[i] > 0, "cells of a part", area[i], 1);
  }
  for (int i = 0; i < r->parts && shares; i++) {
    double ideal = r->speed[i] / sum * r->size[0] * r->size[1] * r->size[2];
    double slack =
        json_number_value(json_object_get(shares, "abs")) + ideal * json_number_value(json_object_get(shares, "rel"));
    golden_check(c, fabs(area[i] - ideal) <= slack, "area by speed", area[i], ideal);
  }
  qsort(area, (size_t)r->parts, sizeof *area, by_value);
  double tolerance = json_number_value(json_object_get(c->expect, "areas_tol"));
  for (int i = 0; i < r->parts && sorted; i++) {
    double wanted = json_number_value(json_array_get(sorted, (size_t)i));
    golden_check(c, fabs(area[i] - wanted) <= tolerance + 1e-12, "sorted area", area[i], wanted);
  }
  free(area);
}

/* Neighbours and sent items of each part, in order. */
static void check_parts(golden_case *c)
{
  const json_t *near = json_object_get(c->expect, "neighbours"), *sent = json_object_get(c->expect, "sent");
  for (int i = 0; i < c->options.request.parts; i++) {
    if (near)
      golden_check(c, c->plan.part[i].neighbours == json_integer_value(json_array_get(near, (size_t)i)), "neighbours",
                   c->plan.part[i].neighbours, i);
    if (sent)
      golden_check(c, fabs(c->plan.part[i].border - json_number_value(json_array_get(sent, (size_t)i))) < 1e-9, "sent",
                   c->plan.part[i].border, i);
  }
}

static void check_plan(golden_case *c)
{
  const hg_partition_metrics *t = &c->plan.total;
  golden_check_value(c, "cut", t->cut);
  golden_check_value(c, "items", t->items);
  golden_check_value(c, "hp", t->half_perimeter);
  golden_check_most(c, "cut_max", t->cut);
  golden_check_most(c, "items_max", t->items);
  golden_check_most(c, "hp_max", t->half_perimeter);
  golden_check_value(c, "max_comm", t->max_neighbours);
  golden_check_most(c, "max_comm_max", t->max_neighbours);
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

static void read_inputs(golden_case *c)
{
  const json_t *grid = json_object_get(c->json, "grid"), *speeds = json_object_get(c->json, "speeds"), *x;
  plan_options *o = &c->options;
  size_t i;
  o->halo = 1;
  o->request = (hg_partition_request){.dims = (int)json_array_size(grid),
                                      .size = {1, 1, 1},
                                      .parts = (int)json_array_size(speeds),
                                      .speed = o->speed,
                                      .tolerance = 1e-12 /* the cases group exactly equal speeds */};
  json_array_foreach(grid, i, x) if (i < 3) o->request.size[i] = json_number_value(x);
  json_array_foreach(speeds, i, x) if (i < PLAN_SPEEDS_MAX) o->speed[i] = json_number_value(x);
  o->request.thesis = json_object_get(json_object_get(c->json, "options"), "mu") != NULL;
}

static hg_status run_plan(golden_case *c, const char *kind)
{
  c->options.continuous = strstr(kind, "_int") == NULL;
  hg_status status =
      plan_make(&c->options, our_name(json_string_value(json_object_get(c->json, "algorithm"))), &c->plan);
  if (status == HG_OK && c->plan.box) {
    int64_t n[3];
    for (int a = 0; a < 3; a++) n[a] = (int64_t)c->options.request.size[a];
    status = hg_partition_check_cover(c->options.request.parts, c->plan.box, n);
  }
  if (status == HG_OK) check_plan(c);
  plan_free(&c->plan);
  return status;
}

/* Given rectangles, only measured. */
static hg_status run_metrics(golden_case *c)
{
  const json_t *rects = json_object_get(c->json, "rects"), *boxes = json_object_get(c->json, "boxes"), *x;
  const size_t dims = boxes ? 3 : 2;
  plan_options *o = &c->options;
  size_t i;
  if (!rects) rects = boxes;
  if (!rects) return hg_fail(HG_UNSUPPORTED, "metrics of something else than rects and boxes");
  o->request.parts = (int)json_array_size(rects);
  o->request.dims = (int)dims;
  c->plan.rect = calloc((size_t)o->request.parts, sizeof *c->plan.rect);
  c->plan.part = calloc((size_t)o->request.parts, sizeof *c->plan.part);
  for (size_t a = 0; a < dims; a++) o->request.size[a] = 0;
  json_array_foreach(rects, i, x)
  {
    hg_rect *r = &c->plan.rect[i];
    o->speed[i] = 1;
    r->hi[2] = 1;
    for (size_t a = 0; a < dims; a++) {
      r->lo[a] = json_number_value(json_array_get(x, a));
      r->hi[a] = r->lo[a] + json_number_value(json_array_get(x, a + dims));
      o->request.size[a] = fmax(o->request.size[a], r->hi[a]);
    }
  }
  hg_status status = hg_partition_measure(&o->request, c->plan.rect, c->plan.part, &c->plan.total);
  if (status == HG_OK) check_plan(c);
  plan_free(&c->plan);
  return status;
}

static hg_status run_owner(golden_case *c)
{
  const hg_partition_request *r = &c->options.request;
  const int64_t n[3] = {(int64_t)r->size[0], (int64_t)r->size[1], (int64_t)r->size[2]};
  int64_t start[r->parts + 1];
  hg_points_metrics m;
  const json_t *counts = json_object_get(c->expect, "counts");
  HG_TRY(hg_partition_check(r));
  HG_TRY(hg_points_divide(n, r->parts, r->speed, start));
  HG_TRY(hg_points_measure(n, r->parts, start, &m));
  for (int i = 0; i < r->parts && counts; i++)
    golden_check(c, start[i + 1] - start[i] == json_integer_value(json_array_get(counts, (size_t)i)), "count",
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
  golden_check(c, got == wanted || fabs(got - wanted) <= rel * fabs(wanted), "value", got, wanted);
}

static hg_status run_cpm(golden_case *c)
{
  const json_t *workers = json_object_get(c->json, "workers"), *factors = json_object_get(c->json, "factors"), *x;
  const double factor[3] = {json_number_value(json_object_get(factors, "alpha")),
                            json_number_value(json_object_get(factors, "beta")),
                            json_number_value(json_object_get(factors, "delta"))};
  size_t i, count = json_array_size(workers);
  double quantity[count + 1][3], share[count + 1];
  json_array_foreach(workers, i, x) for (size_t q = 0; q < 3; q++) quantity[i][q] =
      json_number_value(json_array_get(x, q));
  HG_TRY(hg_cpm_shares((int)count, (const double(*)[3])quantity, factor, share));
  for (i = 0; i < count; i++) check_item(c, i, share[i]);
  return HG_OK;
}

static hg_status run_value(golden_case *c, const char *algorithm)
{
  const json_t *x, *params = json_object_get(c->json, "params");
  size_t i;
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

static hg_status run_case(golden_case *c)
{
  const char *kind = json_string_value(json_object_get(c->json, "kind")),
             *algorithm = json_string_value(json_object_get(c->json, "algorithm"));
  if (!kind || !algorithm) return hg_fail(HG_FORMAT, "a case without kind or algorithm");
  c->expect = json_object_get(c->json, "expect");
  read_inputs(c);
  if (strncmp(kind, "rects", 5) == 0 || strncmp(kind, "boxes", 5) == 0) return run_plan(c, kind);
  if (strcmp(kind, "metrics") == 0) return run_metrics(c);
  if (strcmp(kind, "owner") == 0) return run_owner(c);
  if (strcmp(kind, "value") == 0) return run_value(c, algorithm);
  if (strcmp(kind, "fpm") == 0 || strcmp(kind, "fpmc") == 0 || strcmp(kind, "table") == 0)
    return golden_run_model(c, kind, algorithm);
  return hg_fail(HG_UNSUPPORTED, "the kind '%s'", kind);
}

int plan_golden(const char *path)
{
  static golden_case c;
  json_error_t error;
  FILE *f;
  if (hg_file_open(path, &f) != HG_OK) {
    fprintf(stderr, "hetgrid-plan: %s\n", hg_message());
    return 1;
  }
  json_t *root = json_loadf(f, 0, &error), *x;
  fclose(f);
  const json_t *cases = json_is_object(root) ? json_object_get(root, "cases") : root;
  size_t i;
  int failed = 0;
  if (!root || !json_is_array(cases)) {
    fprintf(stderr, "hetgrid-plan: %s:%d: %s\n", path, root ? 1 : error.line, root ? "no list of cases" : error.text);
    json_decref(root);
    return 1;
  }
  json_array_foreach(cases, i, x)
  {
    const char *id = json_string_value(json_object_get(x, "id"));
    memset(&c, 0, sizeof c);
    c.json = x;
    hg_status status = run_case(&c);
    bool good = status == HG_OK && !c.fault[0];
    if (status == HG_UNSUPPORTED)
      printf("ok %zu - %s # SKIP %s\n", i + 1, id, hg_message());
    else
      printf("%sok %zu - %s %s\n", good ? "" : "not ", i + 1, id ? id : "", status != HG_OK ? hg_message() : c.fault);
    failed += !good && status != HG_UNSUPPORTED;
  }
  printf("1..%zu\n", json_array_size(cases));
  json_decref(root);
  return failed > 0;
}
