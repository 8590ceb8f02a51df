/* SPDX-License-Identifier: MIT */
/* The workers of a context: which there are, which are alike, which share a memory. */
#include <math.h>
#include <stdlib.h>

#include "schedulers/constants.h"
#include "schedulers/queues.h"
#include "schedulers/workers.h"

/* Two workers have the same models if StarPU describes them alike. Cores differ only if StarPU is told so
 * (STARPU_PERF_MODEL_HOMOGENEOUS_CPU=0). */
static bool alike(const hg_policy *p, int id, const hg_sched_worker *other)
{
  const struct starpu_perfmodel_arch *a = starpu_worker_get_perf_archtype(id, p->context),
                                     *b = starpu_worker_get_perf_archtype(other->id, p->context);
  return starpu_worker_get_memory_node((unsigned)id) == other->node && a->ndevices == 1 && b->ndevices == 1 &&
         a->devices[0].type == b->devices[0].type && a->devices[0].devid == b->devices[0].devid;
}

void hg_sched_add_worker(hg_policy *p, int id)
{
  if (id >= STARPU_NMAXWORKERS) return;
  int w = hg_sched_index(p, id);
  if (w < 0) {
    w = p->workers;
    hg_sched_worker *fresh = &p->worker[w];
    fresh->id = id;
    fresh->node = starpu_worker_get_memory_node((unsigned)id);
    fresh->type = starpu_worker_get_type(id);
    while (p->worker[fresh->group].node != fresh->node || p->worker[fresh->group].type != fresh->type) fresh->group++;
    p->groups += fresh->group == w;
    fresh->speed = fresh->slowdown = 1;
    for (fresh->perf_class = 0; fresh->perf_class < w && !alike(p, id, &p->worker[fresh->perf_class]);)
      fresh->perf_class++;
    atomic_store(&p->workers, w + 1);
    atomic_store(&p->index[id], w);
  }
  atomic_store(&p->worker[w].member, true);
}

void hg_sched_count_workers(hg_policy *p)
{
  atomic_fetch_add(&p->epoch, 1);
  p->limited = p->members = 0;
  p->capacity = 0;
  for (int w = 0; w < p->workers; w++) {
    if (!p->worker[w].member) continue;
    p->limited += p->memory[p->worker[w].node].bytes > 0;
    p->members++;
    p->capacity += p->worker[w].speed;
  }
}

bool hg_sched_workers_changed(const hg_policy *p)
{
  return (int)starpu_sched_ctx_get_nworkers(p->context) != atomic_load(&p->members);
}

void hg_sched_find_workers(hg_policy *p)
{
  int *ids = NULL;
  const unsigned count = starpu_sched_ctx_get_workers_list(p->context, &ids);
  for (int w = 0; w < p->workers; w++) p->worker[w].member = false;
  for (unsigned i = 0; i < count; i++)
    if (hg_sched_index(p, ids[i]) >= 0) p->worker[hg_sched_index(p, ids[i])].member = true;
  free(ids);
  hg_sched_count_workers(p);
  for (int w = 0; w < p->workers; w++)
    if (p->worker[w].member) hg_sched_alert(p, w); /* it may adopt tasks of workers that have left */
}

bool hg_sched_are_equal(const hg_policy *p)
{
  return p->groups == 1 && !p->heterogeneous;
}

static double least(const hg_policy *p, const double *seconds)
{
  double found = INFINITY;
  for (int w = 0; w < p->workers; w++) found = fmin(found, seconds[w]);
  return found;
}

/* Measured times of identical cores differ by chance; models' times do not. */
double hg_sched_compare_workers(hg_policy *p, const hg_costs *c)
{
  const double fastest = least(p, c->seconds), expected = least(p, c->model.seconds);
  p->capacity = 0;
  p->heterogeneous = false;
  for (int w = 0; w < p->workers; w++) {
    hg_sched_worker *m = &p->worker[w];
    if (!m->member) continue;
    if (c->seconds[w] > 0 && isfinite(c->seconds[w])) hg_average(&m->speed, fastest / c->seconds[w], HG_RECENT);
    p->capacity += m->speed;
    const double model = c->model.seconds[w];
    if (m->speed * HG_NOISE < 1 || (isfinite(model) && expected * HG_DIFFERS < model)) p->heterogeneous = true;
  }
  return isfinite(fastest) ? fastest : 0;
}
