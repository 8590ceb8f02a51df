/* SPDX-License-Identifier: MIT */
/* Chooses who computes a product where GPUs and cores are present; at equal shares their times would differ by a
 * factor of some 1000. */
#include <math.h>
#include <starpu.h>
#include <string.h>

#include "base/log.h"
#include "matmul/part.h"
#include "matmul/shares.h"
#include "runtime/worker_usage.h"
#include "speed/guess.h"
#include "speed/sample.h"

static int64_t within(double x, int64_t least, int64_t most)
{
  return most < least ? least : x < (double)least ? least : x > (double)most ? most : (int64_t)x;
}

/* Units of a sample step on one side, the other's being 0: few for a core, for a GPU enough to hide its launches. */
static void sample_units(const hg_matmul_bench *b, bool gpus, int64_t *units)
{
  const double CORE = 5e8, GPU = 1e10; /* flop */
  const hg_session *s = b->session;
  const int workers = gpus ? s->cuda_workers : s->cpu_workers;
  const int64_t most = hg_matmul_units(b->problem) / workers;
  const int64_t mine = within((gpus ? GPU : CORE) / hg_matmul_unit_flops(b->problem), 1, most);
  for (int i = 0; i < s->all_workers; i++) units[i] = (s->kind[i] == HG_CUDA_WORKER) == gpus ? mine : 0;
}

/* A product to be computed, and a bench for a smaller one. */
typedef struct looking {
  const hg_matmul_problem *problem;
  hg_matmul_bench *bench;
  double *speed; /* [all_workers] units of the smaller one's panels per second; 0: not sampled yet */
} looking;

static double flops_of(const hg_matmul_problem *p)
{
  return (double)hg_matmul_panels(p) * (double)hg_matmul_units(p) * hg_matmul_unit_flops(p);
}

/* Seconds of the product with these flop/s of GPUs and cores: B, and A for each strip of C, are copied while earlier
 * panels are computed, the last strip of C at the end. */
static double time_by(const hg_matmul_problem *p, double gpus, double cores)
{
  const double panels = hg_matmul_panels(p), value = (double)hg_precision_bytes(p->precision);
  const double seconds = flops_of(p) / (gpus + cores);
  const unsigned devices = starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
  if (!(gpus > 0)) return seconds;
  const unsigned node = starpu_worker_get_memory_node(0);
  const double rows = (double)p->m * gpus / (gpus + cores) / devices, cols = (double)p->n;
  const double strips = hg_matmul_strips_in(p, (int64_t)ceil(rows), p->n, hg_use_gpu_room(0));
  const double to = hg_use_transfer(STARPU_MAIN_RAM, node, (strips * rows + cols) * p->nb * value);
  const double from = hg_use_transfer(node, STARPU_MAIN_RAM, rows * cols / strips * value);
  return fmax(seconds, panels * to) + from;
}

/* A hg_sample_sides_fn. */
static hg_status look(void *arg, bool gpus, hg_side_times *o)
{
  const looking *l = arg;
  const hg_session *s = l->bench->session;
  int64_t units[s->all_workers];
  double sum[2] = {0};
  sample_units(l->bench, gpus, units);
  HG_TRY(hg_sample_speeds(s->all_workers, units, hg_matmul_step, l->bench, l->speed));
  for (int i = 0; i < s->all_workers; i++) sum[s->kind[i]] += l->speed[i] * hg_matmul_unit_flops(l->bench->problem);
  const double by_gpus = sum[HG_CUDA_WORKER], by_cores = sum[HG_CPU_WORKER];
  if (by_gpus > 0) o->gpus = time_by(l->problem, by_gpus, 0);
  if (by_cores > 0) o->cores = time_by(l->problem, 0, by_cores);
  if (by_gpus > 0 && by_cores > 0) o->both = time_by(l->problem, by_gpus, by_cores);
  return HG_OK;
}

/* Whether the GPUs can hold strips of C in equal shares. */
static bool gpus_hold(const hg_session *s, const hg_matmul_problem *p)
{
  for (int w = 0; w < s->cuda_workers; w++) {
    const double room = hg_use_gpu_room(w);
    if (hg_matmul_strips_in(p, (p->m - 1) / s->cuda_workers + 1, p->n, room) > 0) continue;
    hg_log(HG_WARN, "the product: GPU %d has no room for columns of its share in %.3g GB; computed on cores", w,
           room / 1e9);
    return false;
  }
  return true;
}

static hg_status choose_sides(const hg_matmul_sharing *how, const hg_matmul_bench *b, double *speed, bool *gpus,
                              bool *cores)
{
  enum { SIDE = 1024 };
  const hg_session *s = b->session;
  hg_matmul_problem small = *b->problem;
  hg_matmul_bench sample;
  small.m = within((double)small.m, 1, SIDE);
  small.n = within((double)small.n, 1, SIDE);
  HG_TRY(hg_matmul_bench_make(s, &small, NULL, &sample));
  sample.rank[0] = (hg_box){{0, 0, 0}, {small.n, small.m, 1}};
  looking l = {.problem = b->problem, .bench = &sample, .speed = speed};
  const hg_prospect p = {.what = "the product",
                         .flops = flops_of(b->problem),
                         .core = hg_guess_core(hg_precision_bytes(small.precision)),
                         .gpu = hg_use_gpu_rate(s, small.precision == HG_FLOAT),
                         .gpus = s->cpu_workers == 0 || gpus_hold(s, b->problem) ? s->cuda_workers : 0,
                         .cores = s->cpu_workers,
                         .runs = how->runs,
                         .cold = how->warm ? 0 : HG_COLD_LIBRARY};
  const hg_status status = hg_choose_sides(&p, look, &l, gpus, cores);
  hg_matmul_bench_free(&sample);
  return status;
}

/* A side that is left out gets speed 0; a side that was not sampled gets equal speeds. */
hg_status hg_matmul_choose_sides(const hg_matmul_sharing *how, const hg_matmul_bench *b, double *speed)
{
  const hg_session *s = b->session;
  double sampled = 0;
  bool gpus, cores;
  memset(speed, 0, (size_t)s->all_workers * sizeof *speed);
  HG_TRY(choose_sides(how, b, speed, &gpus, &cores));
  for (int i = 0; i < s->all_workers; i++) {
    if (!(s->kind[i] == HG_CUDA_WORKER ? gpus : cores)) speed[i] = 0;
    sampled += speed[i];
  }
  for (int i = 0; i < s->all_workers && !(sampled > 0); i++) speed[i] = s->kind[i] == HG_CUDA_WORKER ? gpus : cores;
  return HG_OK;
}
