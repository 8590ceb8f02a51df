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
#include "speed/sample.h"

/* The shortest of some, since the first of a kind is cold. The columns are updated at once, one by each worker.
 * @param[in,out] seconds  of the panel, and of the columns; they only fall */
static hg_status time_step(hg_elimination *e, int first, int workers, double seconds[2])
{
  enum { TIMES = 3 };
  for (int i = 0; i < TIMES; i++) {
    const double begin = hg_now();
    e->worker = first;
    HG_TRY(hg_lu_submit_panel(e, 0));
    HG_TRY(hg_lu_wait(e));
    seconds[0] = fmin(seconds[0], hg_now() - begin);
    hg_lu_read_pivots(e, 0);
    const double between = hg_now();
    for (int w = 0; w < workers; w++) {
      e->worker = first + w;
      HG_TRY(hg_lu_submit_column(e, 0, 1 + w, 1));
    }
    HG_TRY(hg_lu_wait(e));
    seconds[1] = fmin(seconds[1], hg_now() - between);
  }
  return HG_OK;
}

/* As a described processor, whose speeds are those of double precision. */
static void describe(const hg_elimination *e, const double seconds[2], hg_device *d)
{
  const double nb = e->problem.nb, rows = (double)e->n, kind = (double)e->value_bytes / sizeof(double);
  d->panel = kind * nb * nb * (rows - nb / 3) / seconds[0];
  d->update = (hg_speed_model){.kind = HG_SPEED_SATURATING,
                               .smax = kind * (nb * nb * nb + 2 * (rows - nb) * nb * nb) / seconds[1] /
                                       (2 * HG_PLATFORM_DEPTH)};
}

/* Workers first .. first + count - 1 of a kind, which are measured one after the other, so that none is cold, or all at
 * once. */
typedef struct group {
  int first, count;
  bool at_once;
} group;

static hg_status sample_matrix(const hg_session *s, const hg_lu_problem *problem, const group *g, hg_device *d)
{
  hg_elimination *e = NULL;
  double seconds[2] = {INFINITY, INFINITY};
  hg_status status = hg_elimination_make(s, problem, &e);
  if (status == HG_OK) status = hg_elimination_load(e);
  for (int w = 0; w < (g->at_once ? 1 : g->count) && status == HG_OK; w++)
    status = time_step(e, g->first + w, g->at_once ? g->count : 1, seconds);
  if (status == HG_OK) describe(e, seconds, d);
  hg_elimination_free(e);
  return status;
}

/* This rank's without the others, in a matrix of few tiles. */
static hg_status sample(const hg_session *s, hg_precision precision, int nb, const group *g, hg_device *d)
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
    status = sample_matrix(&alone, &problem, g, d);
    hg_matrix_close(a);
  }
  hg_tile_map_free(&map);
  return status;
}

static hg_status sample_gpus(const hg_session *s, hg_precision precision, int nb, int gpus, hg_device *d)
{
  const unsigned node = starpu_worker_get_memory_node(0);
  const size_t tile = (size_t)nb * (size_t)nb * (size_t)hg_precision_bytes(precision);
  *d = (hg_device){.cuda = true,
                   .latency = 1e-6 * starpu_transfer_latency(STARPU_MAIN_RAM, node),
                   .to = (double)tile * 1e6 / starpu_transfer_predict(STARPU_MAIN_RAM, node, tile),
                   .from = (double)tile * 1e6 / starpu_transfer_predict(node, STARPU_MAIN_RAM, tile)};
  return sample(s, precision, nb, &(group){0, gpus, false}, d);
}

/* s by so many GPUs and cores. */
static hg_status predict(const hg_device *gpu, int gpus, const hg_device *core, int cores, int64_t n, double *seconds)
{
  const int workers = gpus + cores;
  const hg_device *device[workers];
  int rank[workers], best;
  double share[workers];
  for (int w = 0; w < workers; w++) device[w] = w < gpus ? gpu : core, rank[w] = 0, share[w] = 1;
  const hg_lu_machine m = {.workers = workers, .ranks = 1, .device = device, .rank = rank, .bandwidth = 1};
  return hg_lu_choose_tiles(&m, n, hg_choose_nb(n, gpus > 0), share, &best, seconds);
}

static hg_status use(hg_session *s, bool gpus, bool cores)
{
  bool who[s->all_workers];
  for (int w = 0; w < s->all_workers; w++) who[w] = s->kind[w] == HG_CUDA_WORKER ? gpus : cores;
  return hg_use_only(s, who);
}

static hg_status look(const hg_device *gpu, const hg_device *core, int cores, int64_t n, hg_outlook *o)
{
  const int devices = (int)starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
  HG_TRY(predict(gpu, devices, core, 0, n, &o->gpus));
  HG_TRY(predict(gpu, 0, core, cores, n, &o->cores));
  return predict(gpu, devices, core, cores, n, &o->both);
}

static hg_status choose(hg_session *s, int64_t n, const hg_outlook *o)
{
  bool gpus, cores;
  char what[32];
  snprintf(what, sizeof what, "%lld columns", (long long)n);
  hg_outlook_choose(o, what, &gpus, &cores);
  return use(s, gpus, cores);
}

/* A GPU is left out for good, so that it is looked at again first: other programs may have disturbed its sample. */
static hg_status look_at_gpus_again(const hg_session *s, hg_precision precision, const hg_device *core, int64_t n,
                                    hg_device *gpu, hg_outlook *o)
{
  enum { LOOKS = 3 };
  const int cores = hg_use_count(s, HG_CPU_WORKER), gpus = hg_use_count(s, HG_CUDA_WORKER);
  for (int i = 0; i < LOOKS && o->cores < o->gpus; i++) {
    hg_device again;
    HG_TRY(sample_gpus(s, precision, hg_choose_nb(n, true), gpus, &again));
    gpu->panel = fmax(gpu->panel, again.panel);
    gpu->update.smax = fmax(gpu->update.smax, again.update.smax);
    HG_TRY(look(gpu, core, cores, n, o));
  }
  return HG_OK;
}

hg_status hg_lu_choose_workers(hg_session *s, int64_t n, hg_precision precision)
{
  const double FEW = .001, CORE = 2e10; /* s, flop/s */
  enum { CORE_NB = 128 };
  const int cores = hg_use_count(s, HG_CPU_WORKER), gpus = hg_use_count(s, HG_CUDA_WORKER);
  const double flops = 2. / 3 * (double)n * (double)n * (double)n;
  hg_device gpu, core = {.cuda = false};
  hg_outlook o;
  if (hg_simulated || gpus == 0) return HG_OK;
  if (cores > 0 && flops <= FEW * CORE * cores) return use(s, false, true);
  HG_TRY(sample_gpus(s, precision, hg_choose_nb(n, true), gpus, &gpu));
  if (cores == 0) return HG_OK;
  HG_TRY(sample(s, precision, CORE_NB, &(group){s->workers - cores, cores, true}, &core));
  HG_TRY(look(&gpu, &core, cores, n, &o));
  HG_TRY(look_at_gpus_again(s, precision, &core, n, &gpu, &o));
  return choose(s, n, &o);
}
