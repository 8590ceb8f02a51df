/* SPDX-License-Identifier: MIT */
/* What StarPU's models expect of a task. A query computes a footprint of the task's data and searches the model's
 * history for each kind of worker: 1600 instructions or more. So answers are kept for tasks of the same shape. */
#include <math.h>

#include "schedulers/constants.h"
#include "schedulers/model_cache.h"

/* Implementations of the task that a worker can run; StarPU asks the program if it has a can_execute function. */
static unsigned able(const hg_policy *p, struct starpu_task *task, int w)
{
  unsigned mask = 0;
  return starpu_worker_can_execute_task_impl((unsigned)p->worker[w].id, task, &mask) ? mask : 0;
}

/* Seconds of the fastest of these, and which one it is; infinite only if there is none. */
static double fastest(const hg_policy *p, struct starpu_task *task, int w, unsigned mask, unsigned *implementation)
{
  double best = INFINITY;
  *implementation = 0;
  for (unsigned i = 0; mask >> i; i++) {
    if (!(mask >> i & 1)) continue;
    double seconds = starpu_task_worker_expected_length(task, (unsigned)p->worker[w].id, p->context, i) * 1e-6;
    if (seconds < best || isnan(seconds) || best == INFINITY) {
      best = seconds;
      *implementation = i;
    }
    if (isnan(seconds)) break;
  }
  return mask && best > HG_NEVER ? HG_NEVER : best;
}

double hg_sched_model(const hg_policy *p, struct starpu_task *task, int w, unsigned *implementation)
{
  return fastest(p, task, w, able(p, task, w), implementation);
}

/* Whether workers that StarPU describes alike may have different models. */
static bool has_own_models(const struct starpu_task *task)
{
  return task->cl->model && task->cl->model->type == STARPU_PER_WORKER;
}

/* Whether some of these workers may not run the task, or not all of its implementations. */
static bool is_choosy(const struct starpu_task *task)
{
  return task->cl->can_execute || task->workerids_len > 0;
}

/* --- asking --- */

void hg_sched_ask_models(const hg_policy *p, struct starpu_task *task, hg_model_estimate *m)
{
  m->epoch = p->epoch; /* first: answers from while workers join or leave are not kept */
  const int workers = p->workers;
  const bool own = has_own_models(task), choosy = is_choosy(task);
  unsigned mask[STARPU_NMAXWORKERS], implementation;
  m->workers = workers;
  for (int w = 0; w < workers; w++) {
    const int like = p->worker[w].perf_class;
    const bool member = p->worker[w].member, modelled = w > like && p->worker[like].member;
    mask[w] = !member ? 0 : modelled && !choosy ? mask[like] : able(p, task, w);
    if (modelled && !own && mask[w] == mask[like]) {
      m->seconds[w] = m->seconds[like];
      m->implementation[w] = m->implementation[like];
    } else {
      m->seconds[w] = fastest(p, task, w, mask[w], &implementation);
      m->implementation[w] = (uint8_t)implementation;
    }
  }
}

double hg_sched_typical(const hg_model_estimate *m)
{
  double rate = 0;
  int count = 0;
  for (int w = 0; w < m->workers; w++) {
    if (!(m->seconds[w] > 0) || isinf(m->seconds[w])) continue;
    rate += 1 / m->seconds[w];
    count++;
  }
  return count > 0 ? count / rate : 0;
}

/* --- shapes --- */

/* Whether the model depends on a task's data alone. */
static bool goes_by_data(const struct starpu_perfmodel *m)
{
  return (m->type == STARPU_HISTORY_BASED || m->type == STARPU_REGRESSION_BASED ||
          m->type == STARPU_NL_REGRESSION_BASED) &&
         !m->size_base && !m->footprint;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
  const uint64_t product = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return product ^ product >> 29;
}

/* A codelet may lie where another was, which had other implementations or another model. */
static uint64_t identity(const struct starpu_codelet *cl)
{
  uint64_t hash = mix((uintptr_t)cl, (uintptr_t)cl->model);
  for (int i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
    hash = mix(mix(hash, (uintptr_t)cl->cpu_funcs[i]), (uintptr_t)cl->cuda_funcs[i]);
    hash = mix(mix(hash, (uintptr_t)cl->hip_funcs[i]), (uintptr_t)cl->opencl_funcs[i]);
  }
  return hash;
}

uint64_t hg_sched_shape(struct starpu_task *task)
{
  const struct starpu_perfmodel *m = task->cl->model;
  if (is_choosy(task) || (m && !goes_by_data(m))) return 0;
  const uint64_t data = m ? starpu_task_data_footprint(task) : 0;
  return mix(identity(task->cl), (data << 32) + (uint64_t)task->where);
}

/* --- remembering --- */

static hg_cached_model *place_of(hg_policy *p, uint64_t shape)
{
  return &p->cached[shape % HG_CACHED];
}

/* Whether models may know more soon, or depend on something other than data for some kind of worker. */
static bool is_passing(const hg_policy *p, const struct starpu_task *task, const hg_model_estimate *m)
{
  for (int w = 0; w < m->workers; w++) {
    if (isnan(m->seconds[w])) return true;
    if (!task->cl->model || !goes_by_data(task->cl->model) || isinf(m->seconds[w])) continue;
    struct starpu_perfmodel_arch *arch = starpu_worker_get_perf_archtype(p->worker[w].id, p->context);
    const struct starpu_perfmodel_per_arch *here =
        starpu_perfmodel_get_model_per_arch(task->cl->model, arch, m->implementation[w]);
    if (here && here->size_base) return true;
  }
  return false;
}

void hg_sched_store_model(hg_policy *p, const struct starpu_task *task, uint64_t shape, const hg_model_estimate *m)
{
  hg_cached_model *t = place_of(p, shape);
  if (is_passing(p, task, m) || m->epoch != p->epoch) return;
  t->shape = shape;
  t->tasks = 0;
  t->model = *m;
}

bool hg_sched_lookup_model(hg_policy *p, uint64_t shape, bool fresh, hg_model_estimate *m)
{
  enum { OFTEN = 32 };
  hg_cached_model *t = place_of(p, shape);
  if (t->shape != shape || t->model.epoch != p->epoch || (fresh && ++t->tasks > OFTEN)) return false;
  *m = t->model;
  return true;
}

const void *hg_sched_kind(const struct starpu_task *task)
{
  return task->cl->model ? (const void *)task->cl->model : (const void *)task->cl;
}

size_t hg_sched_kind_place(const void *kind)
{
  return (size_t)(((uintptr_t)kind >> 4) * 2654435761u >> 7) % HG_KINDS;
}
