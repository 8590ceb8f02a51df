/* SPDX-License-Identifier: MIT */
/* Workers are measured together, so that each has the memory and the caches that it will have. */
#include "matmul/shares.h"

#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "matmul/divide.h"
#include "matmul/product.h"
#include "speed/fpm.h"
#include "speed/guess.h"
#include "speed/measure.h"
#include "speed/sample.h"

enum { LEAST_STEPS = 2, MOST_STEPS = 12, TABLE_POINTS = 12, BENCHMARK = 16 };
static const double measurable = 5e7; /* flops of a worker in a step */
enum { MOST_TASKS = 128 };            /* of a step: tiny ones cost some 5 us each, which can be measured then */

hg_status hg_matmul_bench_make(const hg_session *s, const hg_matmul_problem *p, hg_matmul_part *part,
                               hg_matmul_bench *b)
{
  const double step = 2. * (double)p->m * (double)p->n * (double)(p->nb < p->k ? p->nb : p->k);
  *b = (hg_matmul_bench){.session = s, .problem = p, .part = part};
  b->repeat = (int)fmin(ceil(measurable * s->all_workers / step), MOST_TASKS);
  b->box = calloc((size_t)s->all_workers, sizeof *b->box);
  b->rank = calloc((size_t)s->ranks, sizeof *b->rank);
  b->partial = calloc((size_t)s->all_workers, sizeof *b->partial);
  if (b->box && b->rank && b->partial) return HG_OK;
  hg_matmul_bench_free(b);
  return hg_fail(HG_MEMORY, "no memory for the parts of %d workers", s->all_workers);
}

void hg_matmul_bench_free(hg_matmul_bench *b)
{
  free(b->box);
  free(b->rank);
  free(b->partial);
  hg_matmul_part_free(&b->spare);
  *b = (hg_matmul_bench){.session = NULL};
}

/* Any values that are no special case for a processor. */
static void fill(void *memory, size_t bytes, hg_precision precision)
{
  if (precision == HG_FLOAT)
    for (size_t i = 0; i < bytes / sizeof(float); i++) ((float *)memory)[i] = .5f + (float)(i % 7);
  else
    for (size_t i = 0; i < bytes / sizeof(double); i++) ((double *)memory)[i] = .5 + (double)(i % 7);
}

static hg_status step_in_product(hg_matmul_bench *b, double *busy)
{
  const hg_matmul_run run = {.part = b->part,
                             .box = b->box,
                             .first = b->panel,
                             .end = b->panel + b->repeat,
                             .fresh = b->panel == 0,
                             .goes_on = true,
                             .busy = busy};
  b->panel += b->repeat;
  return hg_matmul_compute(&run);
}

/* Memory for a step, with values in it. */
static hg_status make_matrices(hg_matmul_bench *b)
{
  hg_matmul_part *part = &b->spare;
  bool grown;
  HG_TRY(hg_matmul_part_make(b->session, b->problem, &b->rank[b->session->rank], 1, part, &grown));
  for (int i = 0; i < 3 && grown; i++) fill(part->memory[i].memory, part->memory[i].bytes, b->problem->precision);
  return HG_OK;
}

/* The first panel again and again; the first time of all is not counted. */
static hg_status step_apart(hg_matmul_bench *b, double *busy)
{
  double once[b->session->workers + 1];
  const hg_matmul_run run = {.part = &b->spare, .box = b->box + b->session->first_worker, .end = 1, .busy = once};
  hg_status status = hg_session_agree(b->session, make_matrices(b));
  hg_session_barrier(b->session);
  for (int i = b->warm ? 0 : -1; i < b->repeat && status == HG_OK; i++) {
    status = hg_matmul_compute(&run);
    for (int w = 0; w < b->session->workers && i >= 0; w++) busy[w] += once[w];
  }
  b->warm = true;
  return status;
}

/* A worker whose share came to nothing is taken to be as slow as the slowest. */
static void complete(const hg_matmul_bench *b, const int64_t *units, double *seconds)
{
  double slowest = 0;
  for (int i = 0; i < b->session->all_workers; i++) {
    const double done = hg_matmul_units_of(b->problem, &b->box[i]);
    if (done > 0) slowest = fmax(slowest, seconds[i] / done);
  }
  for (int i = 0; i < b->session->all_workers; i++) {
    const double done = hg_matmul_units_of(b->problem, &b->box[i]);
    const double unit = done > 0 && seconds[i] > 0 ? seconds[i] / done : slowest;
    seconds[i] = fmax(unit, 1e-12) * (double)units[i];
  }
}

/* A hg_step_fn: s of one panel for each worker's units. */
static hg_status measure(void *arg, const int64_t *units, double *seconds)
{
  hg_matmul_bench *b = arg;
  const hg_session *s = b->session;
  memset(seconds, 0, (size_t)s->all_workers * sizeof *seconds);
  HG_TRY(hg_session_agree(s, hg_matmul_divide(s, b->problem, units, b->box, b->rank)));
  const hg_status status = (b->part ? step_in_product : step_apart)(b, seconds + s->first_worker);
  HG_TRY(hg_session_agree(s, status));
  hg_session_sum_all(s, seconds, s->all_workers);
  for (int i = 0; i < s->all_workers; i++) seconds[i] /= b->repeat;
  complete(b, units, seconds);
  return HG_OK;
}

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

/* Units per second of each worker. */
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

static hg_status share_by_benchmark(hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  const int workers = b->session->all_workers;
  double speed[workers];
  const double start = hg_now();
  share_evenly(hg_matmul_units(b->problem), workers, units);
  for (int i = 0; i < workers && b->problem->layout == HG_LAYOUT_ROWS; i++) units[i] = (units[i] - 1) / BENCHMARK + 1;
  HG_TRY(measure(b, units, speed));
  for (int i = 0; i < workers; i++) speed[i] = (double)units[i] / speed[i];
  out->tables_s = hg_now() - start;
  return share_by_speeds(b, speed, units, out);
}

/* --- GPUs beside cores, between which even parts would take some 1000 times as long --- */

/* flop of a unit in a panel */
static double unit_flops(const hg_matmul_problem *p)
{
  return 2. * (double)p->m * (double)p->n * (double)p->nb / (double)hg_matmul_units(p);
}

static int64_t within(double x, int64_t least, int64_t most)
{
  return most < least ? least : x < (double)least ? least : x > (double)most ? most : (int64_t)x;
}

/* Of a core few, of a GPU so many that its launches do not count. */
static void sample_units(const hg_matmul_bench *b, int64_t *units)
{
  const double CORE = 5e8, GPU = 1e10; /* flop */
  const hg_session *s = b->session;
  const double unit = unit_flops(b->problem);
  const int64_t all = hg_matmul_units(b->problem), core = within(CORE / unit, 1, all / (2 * s->all_workers));
  const int64_t left = all - core * s->cpu_workers;
  for (int i = 0; i < s->all_workers; i++)
    units[i] = s->kind[i] == HG_CUDA_WORKER ? within(GPU / unit, 1, left / s->cuda_workers) : core;
}

/* s of the product by GPUs and cores that do so many units of a panel a second: A and B come while earlier panels are
 * computed, C goes at the end. */
static double time_by(const hg_matmul_bench *b, double gpus, double cores)
{
  const hg_matmul_problem *p = b->problem;
  const double panels = hg_matmul_panels(p), value = (double)hg_precision_bytes(p->precision);
  const double seconds = panels * (double)hg_matmul_units(p) / (gpus + cores);
  const unsigned devices = starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
  if (!(gpus > 0)) return seconds;
  const unsigned node = starpu_worker_get_memory_node(0);
  const double rows = (double)p->m * gpus / (gpus + cores) / devices, cols = (double)p->n;
  const double to = starpu_transfer_predict(STARPU_MAIN_RAM, node, (size_t)((rows + cols) * p->nb * value));
  const double from = starpu_transfer_predict(node, STARPU_MAIN_RAM, (size_t)(rows * cols * value));
  return fmax(seconds, 1e-6 * panels * to) + 1e-6 * from;
}

/* By workers of such speeds. */
static hg_outlook outlook_of(const hg_matmul_bench *b, const double *speed)
{
  double sum[2] = {0};
  for (int i = 0; i < b->session->all_workers; i++) sum[b->session->kind[i]] += speed[i];
  const double cores = sum[HG_CPU_WORKER], gpus = sum[HG_CUDA_WORKER];
  return (hg_outlook){time_by(b, gpus, 0), cores > 0 ? time_by(b, 0, cores) : INFINITY, time_by(b, gpus, cores)};
}

/* A hg_doubt_fn: a GPU is left out for good, so that it is looked at again first. */
static bool cores_win(void *arg, const double *speed)
{
  const hg_outlook o = outlook_of(arg, speed);
  return o.cores < o.gpus;
}

/* Of the side that is left out nobody works. */
static hg_status share_by_sample(hg_matmul_bench *b, int64_t *units, hg_matmul_learnt *out)
{
  const hg_session *s = b->session;
  int64_t few[s->all_workers];
  double speed[s->all_workers];
  bool gpus, cores;
  const double start = hg_now();
  sample_units(b, few);
  HG_TRY(hg_sample_speeds(s->all_workers, few, measure, cores_win, b, speed));
  const hg_outlook o = outlook_of(b, speed);
  hg_outlook_choose(&o, "the product", &gpus, &cores);
  for (int i = 0; i < s->all_workers; i++)
    if (!(s->kind[i] == HG_CUDA_WORKER ? gpus : cores)) speed[i] = 0;
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
    sum += part[i] = 1 / hg_guess_seconds(unit_flops(b->problem) * (double)all, s->kind[i] == HG_CUDA_WORKER);
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
  if (s->ranks == 1 && !b->part && all >= s->all_workers) return share_by_sample(b, units, out);
  if (most < 1 || s->all_workers == 1) {
    share_evenly(all, s->all_workers, units);
    return HG_OK;
  }
  const double start = hg_now();
  HG_TRY(hg_dfpa(s->all_workers, all, first_division(b, first), how->epsilon, most, measure, b, units, &result));
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
  HG_TRY(measure(p->bench, units, first));
  HG_TRY(measure(p->bench, units, second));
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
