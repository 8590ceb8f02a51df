/* SPDX-License-Identifier: MIT */
/* What StarPU's models say of a task. To ask takes a footprint of its data and a search in the model's history on each
 * kind of worker, 1600 instructions or more; what was said of tasks of the same shape is kept. */
#include <math.h>
#include <string.h>

#include "schedulers/model_cache.h"

/* Implementations of the task that a worker can run; StarPU asks the program where it said how. */
static unsigned able(const hg_policy *p, struct starpu_task *task, int w)
{
  unsigned mask = 0;
  return starpu_worker_can_execute_task_impl((unsigned)p->worker[w].id, task, &mask) ? mask : 0;
}

/* s of the fastest of these, and which it is. */
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
  return best;
}

double hg_sched_model(const hg_policy *p, const hg_ready *r, int w, unsigned *implementation)
{
  *implementation = r->implementation;
  if (r->model > 0 && p->worker[hg_sched_index(p, r->counted)].perf_class == p->worker[w].perf_class) return r->model;
  return fastest(p, r->task, w, able(p, r->task, w), implementation);
}

/* Whether workers that StarPU describes alike may have other models. */
static bool has_own_models(const struct starpu_task *task)
{
  return task->cl->model && task->cl->model->type == STARPU_PER_WORKER;
}

/* Whether some of them may not run the task, or not all of its implementations. */
static bool is_choosy(const struct starpu_task *task)
{
  return task->cl->can_execute || task->workerids_len > 0;
}

/* --- asking --- */

void hg_sched_ask_models(const hg_policy *p, struct starpu_task *task, hg_model_estimate *m)
{
  m->epoch = p->epoch; /* first: what is said while workers come or go is not kept */
  const int workers = p->workers;
  const bool own = has_own_models(task), choosy = is_choosy(task);
  unsigned mask[STARPU_NMAXWORKERS], implementation;
  m->workers = workers;
  m->particular = own;
  for (int w = 0; w < workers; w++) {
    const int like = p->worker[w].perf_class;
    const bool member = p->worker[w].member, modelled = w > like && p->worker[like].member;
    mask[w] = !member ? 0 : modelled && !choosy ? mask[like] : able(p, task, w);
    m->particular = m->particular || (member && modelled && mask[w] != mask[like]);
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

static void mix(uint64_t *shape, uint64_t value)
{
  *shape = (*shape ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  *shape ^= *shape >> 29;
}

enum { OF_ANOTHER_KIND = 1 };

/* What StarPU's footprints are made of. */
static uint64_t layout_of(starpu_data_handle_t data)
{
  const void *at = starpu_data_get_interface_on_node(data, STARPU_MAIN_RAM);
  const struct starpu_matrix_interface *m = at;
  const struct starpu_block_interface *b = at;
  const struct starpu_tensor_interface *t = at;
  const enum starpu_data_interface_id id = starpu_data_get_interface_id(data);
  uint64_t layout = 0;
  mix(&layout, (uint64_t)id + 1);
  switch (id) {
  case STARPU_VOID_INTERFACE_ID: break;
  case STARPU_VARIABLE_INTERFACE_ID: mix(&layout, ((const struct starpu_variable_interface *)at)->elemsize); break;
  case STARPU_VECTOR_INTERFACE_ID: mix(&layout, ((const struct starpu_vector_interface *)at)->nx); break;
  case STARPU_MATRIX_INTERFACE_ID: mix(&layout, m->nx), mix(&layout, m->ny); break;
  case STARPU_BLOCK_INTERFACE_ID: mix(&layout, b->nx), mix(&layout, b->ny), mix(&layout, b->nz); break;
  case STARPU_TENSOR_INTERFACE_ID:
    mix(&layout, t->nx), mix(&layout, t->ny), mix(&layout, t->nz), mix(&layout, t->nt);
    break;
  default: return OF_ANOTHER_KIND;
  }
  return layout;
}

/* false: what models say of such data is not known by their layout. */
static bool mix_data(uint64_t *shape, starpu_data_handle_t data)
{
  const uint64_t layout = layout_of(data);
  mix(shape, layout);
  return layout != OF_ANOTHER_KIND;
}

/* Whether models know tasks by their data alone. */
static bool goes_by_data(const struct starpu_perfmodel *m)
{
  return (m->type == STARPU_HISTORY_BASED || m->type == STARPU_REGRESSION_BASED ||
          m->type == STARPU_NL_REGRESSION_BASED) &&
         !m->size_base && !m->footprint;
}

static bool mix_all_data(uint64_t *shape, struct starpu_task *task)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_NOFOOTPRINT) && !mix_data(shape, STARPU_TASK_GET_HANDLE(task, b)))
      return false;
  return true;
}

uint64_t hg_sched_who(const hg_policy *p, struct starpu_task *task)
{
  uint64_t who = (uintptr_t)task->cl;
  if (task->cl->model && !goes_by_data(task->cl->model)) return 0;
  mix(&who, (uint64_t)task->where);
  for (int w = 0; is_choosy(task) && w < p->workers; w++) mix(&who, able(p, task, w));
  return who;
}

uint64_t hg_sched_footprint(hg_policy *p, struct starpu_task *task, uint64_t who)
{
  if (!who || (task->cl->model && !mix_all_data(&who, task))) mix(&who, ++p->singular);
  return who;
}

/* --- remembering --- */

static hg_cached_model *place_of(hg_policy *p, uint64_t shape)
{
  return &p->cached[shape % HG_CACHED];
}

/* There is room for many more workers than there are. */
static void copy(const hg_model_estimate *from, hg_model_estimate *to)
{
  to->workers = from->workers;
  to->epoch = from->epoch;
  to->particular = from->particular;
  memcpy(to->seconds, from->seconds, (size_t)from->workers * sizeof *from->seconds);
  memcpy(to->implementation, from->implementation, (size_t)from->workers);
}

/* Whether models may say more soon, or go by something else than data on some kind of worker. */
static bool is_passing(const hg_policy *p, const struct starpu_task *task, const hg_model_estimate *m)
{
  struct starpu_perfmodel *model = task->cl->model;
  for (int w = 0; w < m->workers; w++) {
    if (isnan(m->seconds[w])) return true;
    if (!model || !goes_by_data(model) || isinf(m->seconds[w])) continue;
    struct starpu_perfmodel_arch *arch = starpu_worker_get_perf_archtype(p->worker[w].id, p->context);
    const struct starpu_perfmodel_per_arch *here =
        starpu_perfmodel_get_model_per_arch(model, arch, m->implementation[w]);
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
  copy(m, &t->model);
}

bool hg_sched_lookup_model(hg_policy *p, uint64_t shape, bool fresh, hg_model_estimate *m)
{
  enum { OFTEN = 32 };
  hg_cached_model *t = place_of(p, shape);
  if (t->shape != shape || t->model.epoch != p->epoch || (fresh && ++t->tasks > OFTEN)) return false;
  copy(&t->model, m);
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
