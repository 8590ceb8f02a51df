/* SPDX-License-Identifier: MIT */
/* Where a task goes: to the owner that the program named for the tile it writes, otherwise where it finishes first. */
#include <math.h>

#include "schedulers/availability.h"
#include "schedulers/constants.h"
#include "schedulers/costs.h"
#include "schedulers/hints.h"
#include "schedulers/model_cache.h"
#include "schedulers/placement.h"
#include "schedulers/ranks.h"
#include "schedulers/workers.h"

static atomic_int given[STARPU_NMAXWORKERS]; /* number of data with a named owner, by StarPU's worker id */

void hg_sched_set_owner(starpu_data_handle_t handle, int worker_id)
{
  const intptr_t before = (intptr_t)starpu_data_get_sched_data(handle) - 1;
  if (before >= 0 && before < STARPU_NMAXWORKERS) given[before]--;
  if (worker_id >= 0 && worker_id < STARPU_NMAXWORKERS) given[worker_id]++;
  starpu_data_set_sched_data(handle, (void *)(intptr_t)(worker_id + 1));
}

double hg_sched_rounds(const hg_policy *p, int w)
{
  const int count = given[p->worker[w].id];
  return count > 0 ? (double)p->worker[w].done / count : INFINITY;
}

/* Values below HG_SCHED_ANYWHERE encode homes. */
void hg_sched_set_home(starpu_data_handle_t handle, int worker_id)
{
  starpu_data_set_sched_data(handle, (void *)(intptr_t)(HG_SCHED_ANYWHERE - worker_id));
}

/* A tile whose owner was set beforehand has its data there from the start. */
static void set_owner(hg_policy *p, int tile, intptr_t owner)
{
  const int w = owner > 0 ? hg_sched_index(p, (int)owner - 1) : -1;
  if (w < 0) return;
  p->owners.tile[tile].worker = w;
  p->owners.tile[tile].settled = true;
  p->worker[w].owned++;
  p->user_owned = true;
}

int hg_sched_owner(const hg_policy *p, struct starpu_task *task, bool home)
{
  const unsigned buffers = STARPU_TASK_GET_NBUFFERS(task);
  for (unsigned i = 0; i < buffers; i++) {
    if (!(STARPU_TASK_GET_MODE(task, i) & STARPU_W)) continue;
    const intptr_t said = (intptr_t)starpu_data_get_sched_data(STARPU_TASK_GET_HANDLE(task, i));
    if (!home && said > 0) return hg_sched_index(p, (int)said - 1);
    if (home && said <= HG_SCHED_ANYWHERE) return hg_sched_index(p, (int)(HG_SCHED_ANYWHERE - said));
  }
  return -1;
}

/* The tile that a task writes, or -1. */
int hg_sched_tile(hg_policy *p, struct starpu_task *task)
{
  const unsigned buffers = p->nphp ? STARPU_TASK_GET_NBUFFERS(task) : 0;
  for (unsigned i = 0; i < buffers; i++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, i);
    int at[3];
    if (!(STARPU_TASK_GET_MODE(task, i) & STARPU_W)) continue;
    const intptr_t owner = (intptr_t)starpu_data_get_sched_data(handle);
    const unsigned dims = starpu_data_get_coordinates_array(handle, 3, at);
    if (dims == 0 || owner < 0) continue; /* anywhere, or it has a home */
    const int tile = hg_owners_tile(&p->owners, handle, (int)dims, at);
    if (tile >= 0 && p->owners.tile[tile].written == 0) set_owner(p, tile, owner);
    return tile;
  }
  return -1;
}

/* Owners are used if the program has named them, or as long as all tiles are written equally often. */
bool hg_sched_regions_of_use(hg_policy *p)
{
  p->regions = p->owners.known > 0 && (p->user_owned || hg_owners_uniform(&p->owners));
  return p->regions;
}

static void note_tile(hg_policy *p, int tile)
{
  hg_owners_submitted(&p->owners, tile);
  if (p->complete || p->owners.tile[tile].written != 2) return;
  p->complete = true;
  if (p->rule->known) p->rule->known(p);
}

int hg_sched_submitted(hg_policy *p, struct starpu_task *task, const hg_model_estimate *model)
{
  const double seconds = hg_sched_typical(model);
  const int tile = hg_sched_tile(p, task), n = hg_sched_record(p, task, seconds);
  if (n >= 0) p->graph.node[n].tile = tile;
  if (n >= 0 && tile >= 0) note_tile(p, tile);
  p->resumed = p->resumed || p->waited_for;
  if (hg_task_graph_has_grown(&p->graph)) hg_sched_rank(p);
  return n;
}

void hg_sched_forget_owners(hg_policy *p)
{
  hg_owners_free(&p->owners);
  hg_task_graph_forget_tiles(&p->graph);
  p->regions = p->user_owned = p->complete = false;
  p->waited_for = p->resumed = false;
  for (int w = 0; w < p->workers; w++) {
    p->worker[w].owned = 0;
    p->worker[w].done = 0;
  }
  for (int id = 0; id < STARPU_NMAXWORKERS; id++) given[id] = 0;
}

/* The worker expected to finish the task first (with energy: at the lowest cost of time and joules), behind all that
 * waits there. A more urgent task overtakes the waiting ones in the end, but they must be run, too. -1: none can run
 * it. */
int hg_sched_earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c)
{
  const double time = hg_sched_now();
  double best = INFINITY, longest = 0;
  int found = -1;
  for (int w = 0; w < p->workers && p->gamma > 0; w++) longest = fmax(longest, hg_sched_available(p, w, time, true));
  for (int w = 0; w < p->workers; w++) {
    if (!isfinite(c->seconds[w])) continue;
    const double transfer = c->transfer[p->worker[w].node].weighted;
    const double finish = hg_sched_available(p, w, time, transfer > 0) + c->seconds[w] + transfer;
    const double cost = finish + hg_sched_energy_penalty(p, task, w, c->seconds[w], finish - longest);
    if (found < 0 || cost < best) {
      best = cost;
      found = w;
    }
  }
  return found;
}

/* Whether the task may wait in the shared queue. With several kinds of workers, each has its own queue so that the
 * estimates hold. */
static bool for_all(const hg_policy *p, const hg_costs *c)
{
  bool able = p->groups == 1 && p->members > 1;
  for (int w = 0; w < p->workers && able; w++)
    able = !p->worker[w].member || fmax(c->seconds[w], c->model.seconds[w]) < HG_NEVER;
  return able;
}

/* Whether a task may wait for one of several cores: while none is idle or slower and nothing is urgent, each core
 * continues with the tasks that its own have made ready, whose data are in its caches. */
static bool waits_for_one(const hg_policy *p, int node)
{
  return p->steals && node >= 0 && hg_sched_are_equal(p) && atomic_load(&p->idlers) == 0 &&
         !hg_sched_is_urgent(p, node);
}

/* The owner named by the program, the only worker with the tile in its memory or caches; otherwise the worker that
 * finishes first. */
int hg_sched_place(hg_policy *p, const hg_ready *ready, const hg_costs *c, bool *shared)
{
  *shared = false;
  if (ready->owner >= 0 && isfinite(c->seconds[ready->owner])) return ready->owner;
  const int self = hg_sched_index(p, starpu_worker_get_id());
  const bool for_one = waits_for_one(p, ready->node);
  if (for_one && self >= 0 && p->worker[self].member && for_all(p, c)) return self;
  const int w = hg_sched_earliest(p, ready->task, c);
  *shared = !for_one && w >= 0 && for_all(p, c);
  return w;
}
