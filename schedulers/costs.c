/* SPDX-License-Identifier: MIT */
/* How long each worker takes for a task, and when the task would be finished. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "speed/guess.h"
#include "schedulers/constants.h"
#include "schedulers/costs.h"
#include "schedulers/hints.h"
#include "schedulers/model_cache.h"
#include "schedulers/transfers.h"

/* Measured on the worker, or on the first one of the same class. */
static const hg_measured_estimate *find_measured(const hg_policy *p, int w, const void *kind)
{
  const hg_measured_estimate *m = &p->worker[w].measured[hg_sched_kind_place(kind)];
  if (m->kind != kind) m = &p->worker[p->worker[w].perf_class].measured[hg_sched_kind_place(kind)];
  return m->kind == kind ? m : NULL;
}

/* With GPUs, flops count; otherwise all tasks are taken as equal. */
double hg_sched_guess(double flops, bool on_gpu, unsigned gpus)
{
  static const double EQUAL = 1e-3;
  if (gpus == 0 || !(flops > 0)) return EQUAL;
  return hg_guess_seconds(flops, on_gpu);
}

/* Seconds of a task of this many flops (0: unknown), from measurements of its kind. */
static double by_flops(const hg_measured_estimate *m, double flops)
{
  return m->flops > 0 && flops > 0 ? m->seconds / m->flops * flops : m->seconds;
}

/* Without a calibrated model, times measured on the worker, or on identical ones, are used. */
static double corrected(const hg_policy *p, const struct starpu_task *task, int w, double model)
{
  if (isinf(model)) return model;
  const void *kind = hg_sched_kind(task);
  const hg_measured_estimate *m = find_measured(p, w, kind);
  if (model > 0) return m ? model * m->ratio : model;
  if (m && m->seconds > 0) return by_flops(m, task->flops);
  return hg_sched_guess(task->flops, starpu_worker_get_type(p->worker[w].id) == STARPU_CUDA_WORKER, hg_sched_gpus());
}

void hg_sched_keep(hg_ready *r, const hg_costs *c)
{
  const int workers = c->model.workers;
  r->epoch = c->model.epoch;
  r->moving = (float *)(r->on + workers);
  for (int w = 0; w < workers; w++)
    r->on[w] = (hg_estimate){(float)c->seconds[w], (float)c->model.seconds[w], c->model.implementation[w]};
  for (int n = 0; n < STARPU_MAXNODES; n++) r->moving[n] = (float)c->transfer[n].weighted;
}

/* A free one that is large enough. */
static hg_ready *take_spare(hg_policy *p)
{
  hg_ready *r = p->spare;
  if (!r) return NULL;
  p->spare = r->next;
  if (r->workers >= p->workers) return r;
  free(r);
  return NULL;
}

hg_ready *hg_sched_new_ready(hg_policy *p, struct starpu_task *task, int owner)
{
  const int workers = p->workers;
  hg_ready *spare = take_spare(p), *r = spare;
  if (!r) r = malloc(sizeof *r + (size_t)workers * sizeof *r->on + STARPU_MAXNODES * sizeof(float));
  if (!r) STARPU_ABORT_MSG("hetgrid: no memory for ready tasks");
  *r = (hg_ready){.task = task,
                  .tile = -1,
                  .node = -1,
                  .owner = (short)owner,
                  .priority = task->priority,
                  .order = (uint64_t)p->pushed++,
                  .workers = spare ? spare->workers : workers};
  return r;
}

void hg_sched_free_ready(hg_policy *p, hg_ready *r)
{
  r->next = p->spare;
  p->spare = r;
}

void hg_sched_free_spare(hg_policy *p)
{
  for (hg_ready *r; (r = p->spare);) {
    p->spare = r->next;
    free(r);
  }
}

bool hg_sched_is_known(const hg_policy *p, const hg_ready *r)
{
  return r->epoch == p->epoch;
}

double hg_sched_expected(const hg_policy *p, const hg_ready *r, int w)
{
  unsigned implementation;
  if (hg_sched_is_known(p, r)) return (double)r->on[w].seconds;
  return corrected(p, r->task, w, hg_sched_model(p, r->task, w, &implementation));
}

void hg_sched_correct(const hg_policy *p, struct starpu_task *task, hg_costs *c)
{
  bool known = true;
  for (int w = 0; w < p->workers; w++) known = known && c->model.seconds[w] > 0;
  for (int w = 0; w < p->workers; w++)
    c->seconds[w] = corrected(p, task, w, known ? c->model.seconds[w] : isinf(c->model.seconds[w]) ? INFINITY : 0);
}

bool hg_sched_is_cold(const hg_sched_worker *w, const struct starpu_task *task)
{
  const void *kind = hg_sched_kind(task);
  return w->measured[hg_sched_kind_place(kind)].kind != kind;
}

/* The first time of a kind may be a thousand times too long; the second one replaces it. */
void hg_sched_measured(hg_policy *p, struct starpu_task *task, int w, double model, double seconds)
{
  const void *kind = hg_sched_kind(task);
  hg_measured_estimate *m = &p->worker[w].measured[hg_sched_kind_place(kind)];
  const double ratio = model > 0 ? fmin(fmax(seconds / model, 1 / HG_STALL), HG_STALL) : 1;
  const double flops = fmax(task->flops, 0);
  if (m->kind != kind || !m->warm) *m = (hg_measured_estimate){kind, 1, seconds, flops, m->kind == kind};
  if (!m->warm) return;
  hg_average(&m->ratio, ratio, HG_SOON);
  hg_average(&m->seconds, seconds, HG_RECENT);
  hg_average(&m->flops, flops, HG_RECENT);
}

double hg_sched_transfer_time(const hg_policy *p, const hg_ready *r, int w)
{
  if (hg_sched_is_known(p, r)) return (double)r->moving[p->worker[w].node];
  return hg_sched_transfer(p, r->task, hg_sched_is_last(p, r->node), p->worker[w].node, hg_sched_find_again(p, r->task))
      .weighted;
}

/* --- joules ---
 * STARPU_SCHED_GAMMA is the value of a joule in us, as in StarPU's dmda; unset, it is 0 here and energy does not
 * count. STARPU_IDLE_POWER is the power in W that the machine draws as long as anything runs. A task's joules come
 * from the codelet's energy model if it has one, otherwise from the worker's full power, if known, times the expected
 * time. */

static double full_power[STARPU_NMAXWORKERS]; /* W, by StarPU's worker ids; 0: unknown */

void hg_sched_set_powers(int workers, const double *watts)
{
  memset(full_power, 0, sizeof full_power);
  for (int i = 0; i < workers && i < STARPU_NMAXWORKERS; i++) full_power[i] = watts[i];
}

double hg_sched_energy_penalty(const hg_policy *p, struct starpu_task *task, int w, double seconds, double longer)
{
  if (p->gamma <= 0 || !isfinite(seconds)) return 0;
  const int id = p->worker[w].id;
  const double modelled = starpu_task_worker_expected_energy(task, (unsigned)id, p->context, 0);
  return p->gamma * ((modelled > 0 ? modelled : full_power[id] * seconds) + p->idle_power * fmax(longer, 0));
}
