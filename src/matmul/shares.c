/* SPDX-License-Identifier: MIT */
#include "matmul/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "matmul/predict.h"
#include "network/network.h"
#include "speed/fpm.h"
#include "speed/guess.h"
#include "speed/measure.h"

enum { LEAST_STEPS = 2, MOST_STEPS = 12, TABLE_POINTS = 12, BENCHMARK = 16 };
static void share_evenly(int64_t all, int workers, int64_t *units)
{
  for (int i = 0; i < workers; i++) units[i] = all / workers + (i < all % workers);
}

/* Most steps to measure: in a product, half of its panels; separately, as much work as a quarter of them. */
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

/* Copies to GPUs, of which nothing is known, get typical times. */
static hg_status choose(const hg_matmul_sharing *how, const hg_matmul_bench *b, const hg_speed_model *model,
                        const hg_network *network, int64_t *units, hg_matmul_learnt *out)
{
  const double TO_GPU = 12e9, LATENCY = 10e-6, bytes = (double)hg_precision_bytes(b->problem->precision);
  const hg_session *s = b->session;
  hg_division division = *how->division;
  hg_gpu_port port[s->all_workers];
  double seconds;
  hg_matmul_machine m = {.session = s, .units = (double)hg_matmul_units(b->problem), .model = model, .port = port};
  for (int i = 0; i < s->all_workers; i++)
    port[i] = s->kind[i] == HG_CUDA_WORKER ? (hg_gpu_port){LATENCY, bytes / TO_GPU, bytes / TO_GPU} : (hg_gpu_port){0};
  division.network = network;
  hg_division_link(s, &division, &m.wire.latency, &m.wire.bandwidth);
  return hg_matmul_choose(&m, b->problem, true, how->layouts, units, &out->layout, &seconds);
}

static hg_status choose_with_network(const hg_matmul_sharing *how, const hg_matmul_bench *b,
                                     const hg_speed_model *model, int64_t *units, hg_matmul_learnt *out)
{
  hg_network network;
  bool given;
  HG_TRY(hg_network_open(NULL, &network, &given));
  const hg_status status = choose(how, b, model, given ? &network : NULL, units, out);
  if (given) hg_network_free(&network);
  return status;
}

/* The shares that take the least time, messages included. Rank 0 decides, and only it needs the models. */
static hg_status share_by_cost(const hg_matmul_sharing *how, const hg_matmul_bench *b, const hg_speed_model *model,
                               int64_t *units, hg_matmul_learnt *out)
{
  const hg_session *s = b->session;
  double chosen[s->all_workers + 1];
  if (s->ranks == 1) return HG_OK;
  memset(chosen, 0, sizeof chosen);
  const hg_status status = s->rank == 0 ? choose_with_network(how, b, model, units, out) : HG_OK;
  HG_TRY(hg_session_agree(s, status));
  for (int i = 0; i < s->all_workers && s->rank == 0; i++) chosen[i] = (double)units[i];
  if (s->rank == 0) chosen[s->all_workers] = out->layout;
  hg_session_sum_all(s, chosen, s->all_workers + 1);
  for (int i = 0; i < s->all_workers; i++) units[i] = (int64_t)chosen[i];
  out->layout = (hg_matmul_layout)chosen[s->all_workers];
  return HG_OK;
}

static hg_status share_by_speeds(const hg_matmul_bench *b, const double *speed, int64_t *units, hg_matmul_learnt *out)
{
  const int workers = b->session->all_workers;
  hg_speed_model model[workers];
  double largest = 0;
  for (int i = 0; i < workers; i++) largest = fmax(largest, speed[i]);
  if (!(largest > 0)) return hg_fail(HG_INVALID, "--speeds: all are 0");
  for (int i = 0; i < workers; i++) /* a model's speed must be positive; with 1e-30 the worker gets nothing */
    model[i] = (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = fmax(speed[i] / largest, 1e-30)};
  out->points = 1;
  return share_by_models(b, model, units, out);
}

/* Shares on one rank with GPUs, before the product. */
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

/* Measures a step and keeps its times. */
static hg_status learn_step(void *arg, const int64_t *units, double *seconds)
{
  hg_matmul_bench *b = arg;
  HG_TRY(hg_matmul_step(b, units, seconds));
  for (int i = 0; i < b->session->all_workers && b->session->ranks > 1; i++)
    if (units[i] > 0) HG_TRY(hg_partial_learn(&b->partial[i], (double)units[i], seconds[i]));
  return HG_OK;
}

/* The learnt models; a worker of which nothing is known stays without work. */
static hg_status list_models(hg_matmul_bench *b, hg_speed_model *model)
{
  for (int i = 0; i < b->session->all_workers; i++) {
    model[i] = (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = &b->partial[i]};
    if (b->partial[i].count == 0) HG_TRY(hg_partial_learn(&b->partial[i], 1, 1e30));
  }
  return HG_OK;
}

/* By guessed speeds; NULL: equal shares, since all workers are of one kind. */
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
  hg_speed_model model[s->all_workers];
  hg_dfpa_result result;
  if (s->ranks == 1 && !b->part && all >= s->all_workers) return share_by_sides(how, b, units, out);
  if (most < 1 || s->all_workers == 1) {
    share_evenly(all, s->all_workers, units);
    return HG_OK;
  }
  const double start = hg_now();
  HG_TRY(hg_dfpa(s->all_workers, all, first_division(b, first), how->epsilon, most, learn_step, b, units, &result));
  out->dfpa_s = hg_now() - start;
  out->steps = out->points = result.iterations;
  if (s->ranks == 1) return HG_OK;
  HG_TRY(list_models(b, model));
  return share_by_cost(how, b, model, units, out);
}

/* One worker gets a given number of units, the others the rest of C. */
typedef struct point {
  hg_matmul_bench *bench;
  int worker;
} point;

/* A hg_measure_fn: the shorter of two steps. All ranks must measure the same points, so repetitions must not depend on
 * the local spread of times. */
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

/* Uses the tables that rank 0 has read. */
static hg_status share_by_given_tables(const hg_matmul_sharing *how, const hg_matmul_bench *b, int64_t *units,
                                       hg_matmul_learnt *out)
{
  const hg_session *s = b->session;
  hg_speed_model *model = NULL;
  hg_status status = s->rank == 0 ? hg_division_models(s, how->division, &model) : HG_OK;
  if (status == HG_OK && model) status = share_by_models(b, model, units, out);
  status = hg_session_agree(s, status);
  if (model) count_points(s->all_workers, model, out);
  if (status == HG_OK) status = share_by_cost(how, b, model, units, out);
  if (model) hg_speed_models_free(model, s->all_workers);
  return status;
}

static hg_status share_by_own_tables(const hg_matmul_sharing *how, hg_matmul_bench *b, int64_t *units,
                                     hg_matmul_learnt *out)
{
  const int workers = b->session->all_workers;
  hg_speed_model *model = calloc((size_t)workers, sizeof *model);
  if (!model) return hg_fail(HG_MEMORY, "no memory for the tables of %d workers", workers);
  hg_status status = measure_tables(b, model, out);
  if (status == HG_OK) status = share_by_models(b, model, units, out);
  if (status == HG_OK) status = share_by_cost(how, b, model, units, out);
  count_points(workers, model, out);
  hg_speed_models_free(model, workers);
  return status;
}

hg_status hg_matmul_shares(const hg_matmul_sharing *how, hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  const hg_session *s = b->session;
  double speed[s->all_workers];
  *out = (hg_matmul_learnt){.layout = b->problem->layout};
  const bool few = s->all_workers == 1 || hg_matmul_units(b->problem) < s->all_workers;
  if (how->model == HG_MATMUL_FPM && how->division->tables) return share_by_given_tables(how, b, units, out);
  if (how->model == HG_MATMUL_CPM && how->division->speeds) {
    HG_TRY(hg_division_of_workers(s, how->division, speed));
    return share_by_speeds(b, speed, units, out);
  }
  if (how->model == HG_MATMUL_DFPA) return share_by_dfpa(how, b, units, out);
  if (how->model == HG_MATMUL_CPM && !few) return share_by_benchmark(b, units, out);
  if (how->model == HG_MATMUL_FPM && !few) return share_by_own_tables(how, b, units, out);
  share_evenly(hg_matmul_units(b->problem), s->all_workers, units);
  return HG_OK;
}

hg_status hg_matmul_adapt(const hg_matmul_sharing *how, hg_matmul_bench *b, const double *seconds, int64_t *units)
{
  const int workers = b->session->all_workers;
  hg_speed_model model[workers];
  double shortest = INFINITY, longest = 0;
  for (int i = 0; i < workers; i++) {
    if (units[i] == 0 || !(seconds[i] > 0)) continue;
    HG_TRY(hg_partial_learn(&b->partial[i], (double)units[i], seconds[i]));
    shortest = fmin(shortest, seconds[i]);
    longest = fmax(longest, seconds[i]);
  }
  HG_TRY(list_models(b, model));
  if (longest <= shortest * (1 + how->epsilon)) return HG_OK;
  return hg_fpm(workers, model, NULL, hg_matmul_units(b->problem), units);
}
