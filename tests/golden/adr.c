/* SPDX-License-Identifier: MIT */
/* Golden cases of adr, solved as one block: values at nodes, sums, errors and orders. Tolerances of
 * these cases (`tol`) are relative to max(1, |value|), for diurnal to |value|; orders may differ by
 * 0.05. */
#include "tests/golden/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/adr/adr.h"
#include "adr/serial.h"

typedef struct golden {
  hg_golden_case *c;
  hg_adr_problem problem;
  hg_adr_settings settings;
  double tolerance, floor; /* |got - wanted| <= tolerance max(floor, |wanted|) */
} golden;

static hg_status read_settings(golden *g)
{
  const json_t *input = g->c->input, *tolerance = json_object_get(g->c->json, "tol");
  g->settings = (hg_adr_settings)HG_ADR_SETTINGS_DEFAULTS;
  HG_TRY(hg_golden_double(input, "T", &g->settings.time));
  HG_TRY(hg_golden_double_or(input, "tolerance", 1e-11, &g->settings.tolerance));
  if (json_is_string(json_object_get(input, "scheme")))
    g->settings.bdf2 = strcmp(json_string_value(json_object_get(input, "scheme")), "bdf2") == 0;
  g->tolerance = json_is_number(tolerance) ? json_number_value(tolerance) : 1e-8;
  return HG_OK;
}

static hg_status solve(golden *g, int number, const int64_t n[3], int64_t steps, hg_adr_result *out)
{
  static const double MOST = 1e7;
  g->settings.steps = steps;
  HG_TRY(hg_adr_settings_check(&g->settings));
  HG_TRY(hg_adr_problem_make(number, n, &g->problem));
  if ((double)n[0] * (double)n[1] * (double)n[2] > MOST)
    return hg_fail(HG_INVALID, "%g nodes, must be <= %g", (double)n[0] * (double)n[1] * (double)n[2], MOST);
  g->floor = number == 2 ? 0 : 1;
  return hg_adr_serial(&g->problem, &g->settings, hg_adr_kernel_find("auto"), g->settings.steps, out);
}

static void check(const golden *g, const char *fact, double got, double wanted)
{
  const double room = g->tolerance * fmax(g->floor, fabs(wanted));
  hg_golden_check(g->c, fabs(got - wanted) <= room, fact, got, wanted);
}

/* Compares it if the case expects it. */
static void check_sum(const golden *g, const char *fact, double got)
{
  const json_t *wanted = json_object_get(g->c->expect, fact);
  if (json_is_number(wanted)) check(g, fact, got, json_number_value(wanted));
}

/* --- values --- */

static hg_status check_probe(const golden *g, const hg_adr_result *r, const json_t *probe)
{
  const int64_t *n = g->problem.n;
  int64_t at[4];
  if (!json_is_array(probe) || json_array_size(probe) != 5)
    return hg_fail(HG_FORMAT, "a probe is [species, z, y, x, value]");
  for (size_t i = 0; i < 4; i++) {
    const int64_t most = i == 0 ? 2 : n[3 - i];
    at[i] = json_integer_value(json_array_get(probe, i));
    if (at[i] < 0 || at[i] >= most)
      return hg_fail(HG_FORMAT, "a probe at %lld, must be 0..%lld", (long long)at[i], (long long)most - 1);
  }
  check(g, "probes_s_k_j_i_value", r->value[((at[0] * n[2] + at[1]) * n[1] + at[2]) * n[0] + at[3]],
        json_number_value(json_array_get(probe, 4)));
  return HG_OK;
}

static hg_status check_values(const golden *g, const hg_adr_result *r)
{
  const int64_t *n = g->problem.n, values = 2 * n[0] * n[1] * n[2];
  const json_t *probes = json_object_get(g->c->expect, "probes_s_k_j_i_value"), *probe;
  double sum = 0, start = 0, square = 0;
  size_t i;
  json_array_foreach(probes, i, probe) HG_TRY(check_probe(g, r, probe));
  for (int64_t k = 0; k < values; k++) {
    const int64_t at[3] = {k % n[0], k / n[0] % n[1], k % (values / 2) / n[0] / n[1]};
    sum += r->value[k];
    square += r->value[k] * r->value[k];
    start += hg_adr_initial(&g->problem, (int)(k / (values / 2)), at);
  }
  check_sum(g, "sum", sum);
  check_sum(g, "norm2", sqrt(square));
  check_sum(g, "sum_initial", start);
  check_sum(g, "max_error_vs_exact",
            hg_adr_error(&g->problem, (const double *[]){r->value, r->value + values / 2}, g->settings.time));
  return HG_OK;
}

/* --- diurnal: bottom left, middle, top right of both species, and the total of c2 in a plane --- */

static hg_status check_corners(const golden *g, const hg_adr_result *r)
{
  static const char key[] = "c1_bl_mid_tr_c2_bl_mid_tr";
  const int64_t *n = g->problem.n, cells = n[0] * n[1] * n[2];
  const int64_t x[3] = {0, n[0] / 2 - 1, n[0] - 1}, z[3] = {0, n[2] / 2 - 1, n[2] - 1};
  double wanted[6], total = 0;
  int count;
  if (!json_object_get(g->c->expect, key)) return HG_OK;
  HG_TRY(hg_golden_doubles(g->c->expect, key, 6, wanted, &count));
  for (int i = 0; i < count; i++) check(g, key, r->value[i / 3 * cells + z[i % 3] * n[1] * n[0] + x[i % 3]], wanted[i]);
  for (int64_t k = 0; k < n[2]; k++)
    for (int64_t i = 0; i < n[0]; i++) total += r->value[cells + k * n[1] * n[0] + i];
  check_sum(g, "total_c2_one_plane", total);
  return HG_OK;
}

/* --- orders --- */

enum { GRIDS_MAX = 8 };

static hg_status check_orders(golden *g, int number, const json_t *list)
{
  double wanted[GRIDS_MAX], orders[GRIDS_MAX], error[GRIDS_MAX];
  int count, pairs = (int)json_array_size(list);
  if (pairs < 2 || pairs > GRIDS_MAX)
    return hg_fail(HG_FORMAT, "n_steps has %d pairs, must be 2..%d", pairs, GRIDS_MAX);
  HG_TRY(hg_golden_doubles(g->c->expect, "max_errors", GRIDS_MAX, wanted, &count));
  for (int i = 0; i < pairs; i++) {
    const json_t *pair = json_array_get(list, (size_t)i);
    const int64_t n = json_integer_value(json_array_get(pair, 0));
    hg_adr_result r;
    HG_TRY(solve(g, number, (int64_t[]){n, n, n}, json_integer_value(json_array_get(pair, 1)), &r));
    error[i] = hg_adr_error(&g->problem, (const double *[]){r.value, r.value + n * n * n}, g->settings.time);
    free(r.value);
    if (i < count)
      hg_golden_check(g->c, fabs(error[i] - wanted[i]) <= g->tolerance * wanted[i], "max_errors", error[i], wanted[i]);
  }
  HG_TRY(hg_golden_doubles(g->c->expect, "orders", GRIDS_MAX, orders, &count));
  for (int i = 0; i < count && i + 1 < pairs; i++) {
    const double order = log2(error[i] / error[i + 1]);
    hg_golden_check(g->c, fabs(order - orders[i]) <= .05, "orders", order, orders[i]);
  }
  return HG_OK;
}

static hg_status run(hg_golden_case *c, int number)
{
  golden g = {.c = c};
  int64_t n[3], steps;
  hg_adr_result r;
  const json_t *grids = json_object_get(c->input, "n_steps");
  HG_TRY(read_settings(&g));
  if (grids) return check_orders(&g, number, grids);
  HG_TRY(hg_golden_int(c->input, "nx", &n[0]));
  HG_TRY(hg_golden_int(c->input, "ny", &n[1]));
  HG_TRY(hg_golden_int(c->input, "nz", &n[2]));
  HG_TRY(hg_golden_int(c->input, "steps", &steps));
  HG_TRY(solve(&g, number, n, steps, &r));
  hg_status status = check_values(&g, &r);
  if (status == HG_OK) status = check_corners(&g, &r);
  free(r.value);
  return status;
}

static hg_status run_mms(hg_golden_case *c)
{
  return run(c, 0);
}

static hg_status run_conserve(hg_golden_case *c)
{
  return run(c, 1);
}

static hg_status run_diurnal(hg_golden_case *c)
{
  return run(c, 2);
}

hg_status adr_golden(const char *path)
{
  static const hg_golden_kind kinds[] = {
      {"mms", run_mms}, {"conserve", run_conserve}, {"diurnal", run_diurnal}, {NULL, NULL}};
  return hg_golden_run(path, kinds);
}
