/* SPDX-License-Identifier: MIT */
#include "elimination/choose_workers.h"

#include <math.h>
#include <starpu.h>
#include <stdio.h>

#include "base/clock.h"
#include "codelets/simulated_costs.h"
#include "elimination/graph.h"
#include "elimination/predict.h"
#include "elimination/tiles.h"
#include "placement/choose.h"
#include "runtime/worker_usage.h"
#include "speed/guess.h"
#include "speed/sample.h"

/* Workers first .. first + count - 1 of a kind, measured one after another so that none is cold, or all at once. */
typedef struct group {
  int first, count;
  bool at_once;
} group;

/* A sample's matrix, and the workers on it. */
typedef struct bench {
  hg_elimination *e;
  group group;
} bench;

enum { PANEL, COLUMN, KINDS };

/* Times a panel on a worker, and then columns at once, one on each of `workers` workers. */
static hg_status time_tasks(hg_elimination *e, int first, int workers, double *seconds)
{
  const double begin = hg_now();
  e->worker = first;
  HG_TRY(hg_lu_submit_panel(e, 0));
  HG_TRY(hg_lu_wait(e));
  seconds[PANEL] = fmin(seconds[PANEL], hg_now() - begin);
  hg_lu_read_pivots(e, 0);
  const double between = hg_now();
  for (int w = 0; w < workers; w++) {
    e->worker = first + w;
    HG_TRY(hg_lu_submit_columns(e, 0, 1 + w, 1, 1));
  }
  HG_TRY(hg_lu_wait(e));
  seconds[COLUMN] = fmin(seconds[COLUMN], hg_now() - between);
  return HG_OK;
}

/* A hg_step_fn: of workers measured one after another, the fastest counts. */
static hg_status run_step(void *arg, const int64_t *units, double *seconds)
{
  const bench *b = arg;
  const group *g = &b->group;
  (void)units;
  seconds[PANEL] = seconds[COLUMN] = INFINITY;
  for (int w = 0; w < (g->at_once ? 1 : g->count); w++)
    HG_TRY(time_tasks(b->e, g->first + w, g->at_once ? g->count : 1, seconds));
  return HG_OK;
}

/* Describes a processor with these rates; descriptions hold speeds in double precision. @param rate  [KINDS] tasks/s */
static void describe(const hg_elimination *e, const double *rate, hg_device *d)
{
  const double nb = e->problem.nb, rows = (double)e->n, kind = (double)e->value_bytes / sizeof(double);
  d->panel = kind * nb * nb * (rows - nb / 3) * rate[PANEL];
  d->update = (hg_speed_model){.kind = HG_SPEED_SATURATING,
                               .smax = kind * (nb * nb * nb + 2 * (rows - nb) * nb * nb) * rate[COLUMN] /
                                       (2 * HG_PLATFORM_DEPTH)};
}

static hg_status sample_matrix(const hg_session *s, const hg_lu_problem *problem, const group *g, double *rate,
                               hg_device *d)
{
  const int64_t one[KINDS] = {1, 1};
  bench b = {.group = *g};
  hg_status status = hg_elimination_make(s, problem, &b.e);
  if (status == HG_OK) status = hg_elimination_load(b.e);
  if (status == HG_OK) status = hg_sample_speeds(KINDS, one, run_step, &b, rate);
  if (status == HG_OK) describe(b.e, rate, d);
  hg_elimination_free(b.e);
  return status;
}

/* Samples this rank alone, on a matrix of few tiles. @param[in,out] rate  [KINDS] of earlier samples */
static hg_status sample(const hg_session *s, hg_precision precision, int nb, const group *g, double *rate, hg_device *d)
{
  enum { LEAST_TILES = 3 };
  const int columns = g->at_once ? g->count + 1 : 2, tiles = columns > LEAST_TILES ? columns : LEAST_TILES;
  hg_session alone = *s;
  hg_lu_problem problem = {.precision = precision, .nb = nb};
  hg_matrix *a;
  hg_tile_map map;
  alone.rank = 0;
  alone.ranks = 1;
  alone.mpi = false;
  HG_TRY(hg_tile_map_grid(1, 1, &map));
  hg_status status = hg_matrix_random((int64_t)tiles * nb, (int64_t)tiles * nb, 1, &a);
  if (status == HG_OK) {
    problem.a = a;
    problem.map = &map;
    status = sample_matrix(&alone, &problem, g, rate, d);
    hg_matrix_close(a);
  }
  hg_tile_map_free(&map);
  return status;
}

/* What is known about the elimination to be run. */
typedef struct looking {
  const hg_session *session;
  hg_precision precision;
  int64_t n;
  hg_device gpu, core;
  double gpu_rate[KINDS], core_rate[KINDS]; /* tasks/s; 0: not sampled yet */
} looking;

static void describe_bus(double tile, hg_device *d)
{
  const unsigned node = starpu_worker_get_memory_node(0);
  d->cuda = true;
  d->latency = 1e-6 * starpu_transfer_latency(STARPU_MAIN_RAM, node);
  d->to = tile / hg_use_transfer(STARPU_MAIN_RAM, node, tile);
  d->from = tile / hg_use_transfer(node, STARPU_MAIN_RAM, tile);
}

static hg_status sample_side(looking *l, bool gpus)
{
  enum { CORE_NB = 128 };
  const hg_session *s = l->session;
  const int nb = gpus ? hg_choose_nb(l->n, true) : CORE_NB, cores = hg_use_count(s, HG_CPU_WORKER);
  const group first = {0, hg_use_count(s, HG_CUDA_WORKER), false}, last = {s->workers - cores, cores, true};
  if (gpus) describe_bus((double)nb * nb * (double)hg_precision_bytes(l->precision), &l->gpu);
  return gpus ? sample(s, l->precision, nb, &first, l->gpu_rate, &l->gpu)
              : sample(s, l->precision, nb, &last, l->core_rate, &l->core);
}

/* Predicted seconds with so many GPUs and cores. */
static hg_status predict(const looking *l, int gpus, int cores, double *seconds)
{
  const int workers = gpus + cores;
  const hg_device *device[workers];
  int rank[workers], best;
  double share[workers];
  for (int w = 0; w < workers; w++) device[w] = w < gpus ? &l->gpu : &l->core, rank[w] = 0, share[w] = 1;
  const hg_lu_machine m = {.workers = workers, .ranks = 1, .device = device, .rank = rank, .bandwidth = 1};
  return hg_lu_choose_tiles(&m, l->n, hg_choose_nb(l->n, gpus > 0), share, &best, seconds);
}

/* A hg_sample_sides_fn. */
static hg_status look(void *arg, bool gpus, hg_side_times *o)
{
  looking *l = arg;
  const int devices = (int)starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM),
            cores = hg_use_count(l->session, HG_CPU_WORKER);
  HG_TRY(sample_side(l, gpus));
  HG_TRY(predict(l, gpus ? devices : 0, gpus ? 0 : cores, gpus ? &o->gpus : &o->cores));
  return l->core_rate[PANEL] > 0 && l->gpu_rate[PANEL] > 0 ? predict(l, devices, cores, &o->both) : HG_OK;
}

hg_status hg_lu_choose_workers(hg_session *s, int64_t n, hg_precision precision, int runs, bool warm)
{
  char what[32];
  bool gpus, cores, who[s->all_workers];
  const double columns = (double)n;
  looking l = {.session = s, .precision = precision, .n = n};
  const hg_prospect p = {.what = what,
                         .flops = 2. / 3 * columns * columns * columns,
                         .core = hg_guess_core(hg_precision_bytes(precision)),
                         .gpu = hg_use_gpu_rate(s, precision == HG_FLOAT),
                         .gpus = (int)starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM),
                         .cores = hg_use_count(s, HG_CPU_WORKER),
                         .runs = runs,
                         .cold = warm ? 0 : HG_COLD_LIBRARY};
  if (hg_simulated || p.gpus == 0 || p.cores == 0 || n == 0) return HG_OK;
  snprintf(what, sizeof what, "%lld columns", (long long)n);
  HG_TRY(hg_choose_sides(&p, look, &l, &gpus, &cores));
  for (int w = 0; w < s->all_workers; w++) who[w] = s->kind[w] == HG_CUDA_WORKER ? gpus : cores;
  return hg_use_only(s, who);
}
