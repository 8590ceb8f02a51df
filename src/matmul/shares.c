/* SPDX-License-Identifier: MIT */
#include "matmul/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "speed/fpm.h"
#include "speed/guess.h"
#include "speed/measure.h"

enum { LEAST_STEPS = 2, MOST_STEPS = 12, TABLE_POINTS = 12, BENCHMARK = 16 };
static void share_evenly(int64_t all, int workers, int64_t *units)
{
  for (int i = 0; i < workers; i++) units[i] = all / workers + (i < all % workers);
}

/* Steps that can be measured: in a product, half of its panels at most; apart, as much work as a quarter of them. */
static int most_steps(const hg_matmul_bench *b)
{
  const int panels = hg_matmul_panels(b->problem);
  if (hg_matmul_units(b->problem) < b->session->all_workers) return 0;
  const int most = b->part ? panels / (2 * b->repeat) : panels / (4 * b->repeat);
  const int least = b->part ? 0 : LEAST_STEPS;
  return most < least ? least : most < MOST_STEPS ? most : MOST_STEPS;
}

static hg_status share_by_models(const hg_matmul_bench *b, const hg_speed_model *model, int64_t *units,
                                 hg_matmul_learnt *out)
{
  const double start = hg_now();
  HG_TRY(hg_fpm(b->session->all_workers, model, NULL, hg_matmul_units(b->problem), units));
  out->fpm_s = hg_now() - start;
  return HG_OK;
}

static hg_status share_by_speeds(const hg_matmul_bench *b, const double *speed, int64_t *units, hg_matmul_learnt *out)
{
  const int workers = b->session->all_workers;
  hg_speed_model model[workers];
  double largest = 0;
  for (int i = 0; i < workers; i++) largest = fmax(largest, speed[i]);
  if (!(largest > 0)) return hg_fail(HG_INVALID, "--speeds: all are 0");
  for (int i = 0; i < workers; i++) /* a model's speed is positive; of 1e-30 nothing comes */
    model[i] = (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = fmax(speed[i] / largest, 1e-30)};
  out->points = 1;
  return share_by_models(b, model, units, out);
}

/* On one rank with GPUs, before the product. */
static hg_status share_by_sides(const hg_matmul_sharing *how, hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  double speed[b->session->all_workers];
  const double start = hg_now();
  HG_TRY(hg_matmul_choose_sides(how, b, speed));
  out->tables_s = hg_now() - start;
  return share_by_speeds(b, speed, units, out);
}

static hg_status share_by_benchmark(hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  const int workers = b->session->all_workers;
  double speed[workers];
  const double start = hg_now();
  share_evenly(hg_matmul_units(b->problem), workers, units);
  for (int i = 0; i < workers && b->problem->layout == HG_LAYOUT_ROWS; i++) units[i] = (units[i] - 1) / BENCHMARK + 1;
  HG_TRY(hg_matmul_step(b, units, speed));
  for (int i = 0; i < workers; i++) speed[i] = (double)units[i] / speed[i];
  out->tables_s = hg_now() - start;
  return share_by_speeds(b, speed, units, out);
}

/* By guessed speeds; NULL: evenly, since all workers are of one kind. */
static const int64_t *first_division(const hg_matmul_bench *b, int64_t *units)
{
  const hg_session *s = b->session;
  const int64_t all = hg_matmul_units(b->problem);
  double part[s->all_workers], sum = 0;
  if (s->cuda_workers == 0 || s->cpu_workers == 0) return NULL;
  for (int i = 0; i < s->all_workers; i++)
    sum += part[i] = 1 / hg_guess_seconds(hg_matmul_unit_flops(b->problem) * (double)all, s->kind[i] == HG_CUDA_WORKER);
  int64_t left = all;
  for (int i = 0; i < s->all_workers; i++) left -= units[i] = (int64_t)((double)all * part[i] / sum);
  for (int i = 0; left > 0; i = (i + 1) % s->all_workers)
    if (s->kind[i] == HG_CUDA_WORKER) units[i]++, left--;
  return units;
}

static hg_status share_by_dfpa(const hg_matmul_sharing *how, hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  const int most = most_steps(b);
  const hg_session *s = b->session;
  const int64_t all = hg_matmul_units(b->problem);
  int64_t first[s->all_workers];
  hg_dfpa_result result;
  if (s->ranks == 1 && !b->part && all >= s->all_workers) return share_by_sides(how, b, units, out);
  if (most < 1 || s->all_workers == 1) {
    share_evenly(all, s->all_workers, units);
    return HG_OK;
  }
  const double start = hg_now();
  HG_TRY(hg_dfpa(s->all_workers, all, first_division(b, first), how->epsilon, most, hg_matmul_step, b, units, &result));
  out->dfpa_s = hg_now() - start;
  out->steps = out->points = result.iterations;
  return HG_OK;
}

/* A worker with so many units, the others with the rest of C. */
typedef struct point {
  hg_matmul_bench *bench;
  int worker;
} point;

/* A hg_measure_fn: the shorter of two steps. All ranks must measure the same points, which times with a spread of
 * their own would not promise. */
static hg_status measure_point(void *arg, double x, int visit, hg_timing *out)
{
  const point *p = arg;
  const int workers = p->bench->session->all_workers;
  const int64_t all = hg_matmul_units(p->bench->problem), mine = (int64_t)llround(x);
  int64_t units[workers], others[workers];
  double first[workers], second[workers];
  (void)visit;
  if (workers > 1) share_evenly(all - mine, workers - 1, others);
  for (int i = 0; i < workers; i++) units[i] = i == p->worker ? mine : others[i - (i > p->worker)];
  HG_TRY(hg_matmul_step(p->bench, units, first));
  HG_TRY(hg_matmul_step(p->bench, units, second));
  const double seconds = fmin(first[p->worker], second[p->worker]) * x / (double)mine;
  *out = (hg_timing){.seconds = seconds, .low = seconds, .high = seconds, .agreed = true};
  return HG_OK;
}

static hg_status measure_tables(hg_matmul_bench *b, hg_speed_model *model, hg_matmul_learnt *out)
{
  const double all = (double)hg_matmul_units(b->problem), start = hg_now();
  const hg_measure_plan plan = {.x0 = 1, .xmax = all, .d = ceil(all / 4), .error = .05, .most = TABLE_POINTS};
  for (int i = 0; i < b->session->all_workers; i++) {
    hg_measure_report report;
    point p = {.bench = b, .worker = i};
    model[i].kind = HG_SPEED_TABLE;
    HG_TRY(hg_speed_table_measure(measure_point, &p, &plan, &model[i].table, &report));
  }
  out->tables_s = hg_now() - start;
  return HG_OK;
}

static void count_points(int workers, const hg_speed_model *model, hg_matmul_learnt *out)
{
  for (int i = 0; i < workers; i++)
    if (model[i].table.nw > out->points) out->points = model[i].table.nw;
}

/* What rank 0 has read. */
static hg_status share_by_given_tables(const hg_matmul_sharing *how, const hg_matmul_bench *b, int64_t *units,
                                       hg_matmul_learnt *out)
{
  const hg_session *s = b->session;
  hg_speed_model *model;
  hg_status status = HG_OK;
  if (s->rank == 0 && (status = hg_division_models(s, how->division, &model)) == HG_OK) {
    status = share_by_models(b, model, units, out);
    count_points(s->all_workers, model, out);
    hg_speed_models_free(model, s->all_workers);
  }
  HG_TRY(hg_session_agree(s, status));
  hg_session_share(s, units, (size_t)s->all_workers * sizeof *units);
  return HG_OK;
}

static hg_status share_by_own_tables(hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  const int workers = b->session->all_workers;
  hg_speed_model *model = calloc((size_t)workers, sizeof *model);
  if (!model) return hg_fail(HG_MEMORY, "no memory for the tables of %d workers", workers);
  hg_status status = measure_tables(b, model, out);
  if (status == HG_OK) status = share_by_models(b, model, units, out);
  count_points(workers, model, out);
  hg_speed_models_free(model, workers);
  return status;
}

hg_status hg_matmul_shares(const hg_matmul_sharing *how, hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  const hg_session *s = b->session;
  double speed[s->all_workers];
  *out = (hg_matmul_learnt){0};
  const bool few = s->all_workers == 1 || hg_matmul_units(b->problem) < s->all_workers;
  if (how->model == HG_MATMUL_FPM && how->division->tables) return share_by_given_tables(how, b, units, out);
  if (how->model == HG_MATMUL_CPM && how->division->speeds) {
    HG_TRY(hg_division_of_workers(s, how->division, speed));
    return share_by_speeds(b, speed, units, out);
  }
  if (how->model == HG_MATMUL_DFPA) return share_by_dfpa(how, b, units, out);
  if (how->model == HG_MATMUL_CPM && !few) return share_by_benchmark(b, units, out);
  if (how->model == HG_MATMUL_FPM && !few) return share_by_own_tables(b, units, out);
  share_evenly(hg_matmul_units(b->problem), s->all_workers, units);
  return HG_OK;
}

hg_status hg_matmul_adapt(const hg_matmul_sharing *how, hg_matmul_bench *b, const double *seconds, int64_t *units)
{
  const int workers = b->session->all_workers;
  hg_speed_model model[workers];
  double shortest = INFINITY, longest = 0;
  for (int i = 0; i < workers; i++) {
    model[i] = (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = &b->partial[i]};
    if (units[i] == 0 || !(seconds[i] > 0)) continue;
    HG_TRY(hg_partial_learn(&b->partial[i], (double)units[i], seconds[i]));
    shortest = fmin(shortest, seconds[i]);
    longest = fmax(longest, seconds[i]);
  }
  for (int i = 0; i < workers; i++) /* one that nothing is known of stays without work */
    if (b->partial[i].count == 0) HG_TRY(hg_partial_learn(&b->partial[i], 1, 1e30));
  if (longest <= shortest * (1 + how->epsilon)) return HG_OK;
  return hg_fpm(workers, model, NULL, hg_matmul_units(b->problem), units);
}
