/* SPDX-License-Identifier: MIT */
/* Golden cases of the speed models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "speed/fpm.h"
#include "speed/measure.h"
#include "placement/fpmc.h"
#include "tests/golden/plan.h"

enum { MODELS_MAX = 256 };

static double number(const json_t *object, const char *key)
{
  return json_number_value(json_object_get(object, key));
}

static hg_status read_table(const json_t *m, hg_speed_table *t)
{
  const json_t *w = json_object_get(m, "w"), *c = json_object_get(m, "c"), *time = json_object_get(m, "time");
  HG_TRY(hg_speed_table_make((int)json_array_size(w), (int)json_array_size(c), t));
  for (int i = 0; i < t->nw; i++) {
    t->w[i] = json_number_value(json_array_get(w, (size_t)i));
    for (int j = 0; j < t->nc; j++) {
      t->c[j] = json_number_value(json_array_get(c, (size_t)j));
      t->time[i * t->nc + j] = json_number_value(json_array_get(json_array_get(time, (size_t)i), (size_t)j));
    }
  }
  const hg_status status = hg_speed_table_check(t, "golden table");
  if (status != HG_OK) hg_speed_table_free(t);
  return status;
}

static hg_status read_model(const json_t *m, hg_speed_model *out)
{
  const char *type = json_string_value(json_object_get(m, "type"));
  *out = (hg_speed_model){.smax = number(m, "smax"),
                          .t0 = number(m, "t0"),
                          .tc = number(m, "tc"),
                          .mem = number(m, "mem"),
                          .r = number(m, "r"),
                          .k = number(m, "k")};
  if (!type) return hg_fail(HG_FORMAT, "a model without type");
  if (strcmp(type, "gpu") == 0) return HG_OK;
  out->kind = HG_SPEED_CLIFF;
  if (strcmp(type, "cliff") == 0) return HG_OK;
  out->kind = HG_SPEED_TABLE;
  return strcmp(type, "table") == 0 ? read_table(m, &out->table) : hg_fail(HG_UNSUPPORTED, "the model '%s'", type);
}

static int by_value(const void *a, const void *b)
{
  return (*(const int64_t *)a > *(const int64_t *)b) - (*(const int64_t *)a < *(const int64_t *)b);
}

static void check_division(hg_golden_case *c, int parts, const hg_speed_model *m, int64_t n, int64_t *w)
{
  const json_t *sorted = json_object_get(c->expect, "w_sorted");
  double best = number(c->expect, "makespan_opt"), rel = number(c->expect, "rel"),
         makespan = hg_makespan(parts, m, NULL, w);
  int64_t sum = 0;
  for (int i = 0; i < parts; i++) sum += w[i];
  hg_golden_check(c, sum == n, "sum of the parts", (double)sum, (double)n);
  hg_golden_check(c, makespan <= best * (1 + rel), "makespan", makespan, best);
  qsort(w, (size_t)parts, sizeof *w, by_value);
  for (int i = 0; i < parts && sorted; i++) {
    double wanted = json_number_value(json_array_get(sorted, (size_t)i));
    hg_golden_check(c, fabs((double)w[i] - wanted) <= number(c->expect, "w_tol"), "sorted part", (double)w[i], wanted);
  }
}

/* A step of a machine that behaves exactly as the models. */
typedef struct machine {
  int parts;
  const hg_speed_model *model;
} machine;

static hg_status run_step(void *arg, const int64_t *w, double *seconds)
{
  const machine *m = arg;
  for (int i = 0; i < m->parts; i++) seconds[i] = hg_speed_time(&m->model[i], (double)w[i], 0);
  return HG_OK;
}

/* Reads the models of a case and their number. The caller frees their tables, also after a failure. */
static hg_status read_models(const hg_golden_case *c, hg_speed_model model[MODELS_MAX], int *count)
{
  const json_t *models, *x;
  size_t i;
  *count = 0;
  HG_TRY(hg_golden_part(c->json, "models", JSON_ARRAY, &models));
  if (json_array_size(models) < 1 || json_array_size(models) > MODELS_MAX)
    return hg_fail(HG_FORMAT, "%zu models, must be 1..%d", json_array_size(models), MODELS_MAX);
  json_array_foreach(models, i, x)
  {
    HG_TRY(read_model(x, &model[i]));
    ++*count;
  }
  return HG_OK;
}

static hg_status divide(hg_golden_case *c, int parts, const hg_speed_model *m)
{
  const char *algorithm;
  int64_t n, w[MODELS_MAX];
  HG_TRY(hg_golden_text(c->json, "algorithm", &algorithm));
  HG_TRY(hg_golden_int(c->json, "n", &n));
  if (strcmp(algorithm, "dfpa") == 0) {
    hg_dfpa_result r;
    machine all = {parts, m};
    HG_TRY(hg_dfpa(parts, n, NULL, number(c->json, "eps"), (int)number(c->json, "max_iter"), run_step, &all, w, &r));
    golden_check_most(c, "gap_max", r.gap);
    golden_check_most(c, "iterations_max", r.iterations);
  } else {
    HG_TRY(hg_fpm(parts, m, NULL, n, w));
  }
  check_division(c, parts, m, n, w);
  return HG_OK;
}

static hg_status divide_grid(hg_golden_case *c, int parts, const hg_speed_model *m)
{
  double size[3];
  int64_t n[3] = {1, 1, 1};
  hg_box box[MODELS_MAX];
  hg_fpmc_result r;
  int dims;
  HG_TRY(hg_golden_doubles(c->json, "grid", 3, size, &dims));
  for (int a = 0; a < dims; a++) n[a] = (int64_t)size[a];
  HG_TRY(hg_fpmc(dims, n, &(hg_machine){.parts = parts, .model = m}, NULL, box, &r));
  HG_TRY(hg_partition_check_cover(parts, box, n));
  golden_check_most(c, "makespan_max", r.makespan);
  golden_check_most(c, "fpm_makespan", r.makespan);
  golden_check_most(c, "even_makespan", r.makespan);
  golden_check_most(c, "cpm_makespan", r.makespan);
  return HG_OK;
}

static hg_status with_models(hg_golden_case *c, hg_status (*run)(hg_golden_case *c, int parts, const hg_speed_model *m))
{
  static hg_speed_model model[MODELS_MAX];
  int count;
  hg_status status = read_models(c, model, &count);
  if (status == HG_OK) status = run(c, count, model);
  for (int i = 0; i < count; i++) hg_speed_table_free(&model[i].table);
  return status;
}

hg_status golden_run_fpm(hg_golden_case *c)
{
  return with_models(c, divide);
}

hg_status golden_run_fpmc(hg_golden_case *c)
{
  return with_models(c, divide_grid);
}

typedef struct measured {
  const hg_speed_model *model;
  double seen[1024];
  int count, again;
} measured;

static hg_status measure(void *arg, double x, int visit, hg_timing *out)
{
  measured *m = arg;
  (void)visit;
  for (int i = 0; i < m->count; i++) m->again += m->seen[i] == x;
  if (m->count < 1024) m->seen[m->count++] = x;
  out->seconds = out->low = out->high = hg_speed_time(m->model, x, 0);
  out->agreed = true;
  return HG_OK;
}

hg_status golden_run_table(hg_golden_case *c)
{
  enum { SAMPLES = 5000 };
  hg_speed_model model, table = {.kind = HG_SPEED_TABLE};
  hg_measure_report report;
  double x0 = number(c->json, "x0"), xmax = number(c->json, "xmax"), worst = 0;
  HG_TRY(read_model(json_object_get(c->json, "model"), &model));
  measured m = {.model = &model};
  const hg_measure_plan wanted = {
      .x0 = x0, .xmax = xmax, .d = number(c->json, "d"), .error = number(c->json, "h"), .most = 1024};
  HG_TRY(hg_speed_table_measure(measure, &m, &wanted, &table.table, &report));
  for (int i = 0; i <= SAMPLES; i++) {
    double x = x0 + (xmax - x0) * i / SAMPLES, s = x / hg_speed_time(&model, x, 0);
    worst = fmax(worst, fabs(x / hg_speed_time(&table, x, 0) - s) / s);
  }
  hg_golden_check(c, m.again == 0, "points measured twice", m.again, 0);
  golden_check_most(c, "points_max", m.count);
  golden_check_most(c, "rel_error_max", worst);
  hg_speed_table_free(&table.table);
  return HG_OK;
}
