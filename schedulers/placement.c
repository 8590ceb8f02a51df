/* SPDX-License-Identifier: MIT */
/* Where a task goes: to the owner of the tile it writes, where tiles have regions, else where it is done first; and
 * what the tiles that are done say of these regions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedulers/availability.h"
#include "schedulers/costs.h"
#include "schedulers/energy.h"
#include "schedulers/hints.h"
#include "schedulers/links.h"
#include "schedulers/placement.h"
#include "schedulers/prefetch.h"
#include "schedulers/queues.h"
#include "schedulers/ranks.h"
#include "schedulers/speeds.h"
#include "schedulers/workers.h"

void hg_sched_set_owner(starpu_data_handle_t handle, int worker_id)
{
  starpu_data_set_sched_data(handle, (void *)(intptr_t)(worker_id + 1));
}

/* Below what says ANYWHERE. */
void hg_sched_set_home(starpu_data_handle_t handle, int worker_id)
{
  starpu_data_set_sched_data(handle, (void *)(intptr_t)(HG_SCHED_ANYWHERE - worker_id));
}

/* The worker where the program wants a task, or -1. */
static int home_of(const hg_policy *p, struct starpu_task *task)
{
  const unsigned buffers = STARPU_TASK_GET_NBUFFERS(task);
  for (unsigned i = 0; i < buffers; i++) {
    if (!(STARPU_TASK_GET_MODE(task, i) & STARPU_W)) continue;
    const intptr_t said = (intptr_t)starpu_data_get_sched_data(STARPU_TASK_GET_HANDLE(task, i));
    if (said <= HG_SCHED_ANYWHERE) return hg_sched_index(p, (int)(HG_SCHED_ANYWHERE - said));
  }
  return -1;
}

/* A tile whose owner was set beforehand lies there from the beginning. */
static void set_owner(hg_policy *p, int tile, intptr_t owner)
{
  const int w = owner > 0 ? hg_sched_index(p, (int)owner - 1) : -1;
  if (w < 0) return;
  p->owners.tile[tile].worker = w;
  p->owners.tile[tile].owner_tag = owner;
  p->owners.tile[tile].settled = true;
  p->worker[w].owned++;
  p->user_owned = true;
}

/* The tile a task writes, or -1. */
int hg_sched_tile(hg_policy *p, struct starpu_task *task)
{
  const unsigned buffers = STARPU_TASK_GET_NBUFFERS(task);
  for (unsigned i = 0; i < buffers; i++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, i);
    int at[3];
    if (!(STARPU_TASK_GET_MODE(task, i) & STARPU_W)) continue;
    const intptr_t owner = (intptr_t)starpu_data_get_sched_data(handle);
    const unsigned dims = starpu_data_get_coordinates_array(handle, 3, at);
    if (dims == 0 || owner < 0) continue; /* anywhere, or with a home */
    const bool known = hg_owners_find(&p->owners, handle) >= 0;
    const int twin = known ? -1 : hg_owners_twin(&p->owners, handle, (int)dims, at, owner);
    const int tile = twin >= 0 ? twin : hg_owners_tile(&p->owners, handle, (int)dims, at);
    if (tile >= 0 && p->owners.tile[tile].written == 0) set_owner(p, tile, owner);
    return tile;
  }
  return -1;
}

static void count_owned(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++) p->worker[w].owned = 0, p->worker[w].done = 0;
  for (int i = 0; i < p->owners.tiles; i++) {
    const hg_tile_owner *t = &p->owners.tile[i];
    if (!t->key || t->worker < 0) continue;
    p->worker[t->worker].owned++;
    p->worker[t->worker].done += t->written - t->live;
  }
  for (int w = 0; w < p->workers; w++) p->worker[w].helped = p->worker[w].done;
}

/* The owner of a waiting task's tile, if another worker's queue has it and the owner can run it, or -1. */
static int wanted_elsewhere(hg_policy *p, const hg_ready *r, int w, double *seconds)
{
  const int owner = r->tile >= 0 ? p->owners.tile[r->tile].worker : w;
  if (owner == w || owner < 0) return -1;
  *seconds = hg_sched_expected(p, r, owner);
  return isfinite(*seconds) ? owner : -1;
}

/* The tasks of a queue follow their tiles' new owners. */
static void follow_from(hg_policy *p, hg_queue *q, int w)
{
  int *number = malloc((size_t)(q->count + 1) * sizeof *number);
  if (!number) return;
  const int count = hg_queue_head(q, q->count, number);
  for (int i = 0; i < count; i++) {
    double seconds;
    const int owner = wanted_elsewhere(p, hg_queue_at(q, number[i]), w, &seconds);
    if (owner < 0) continue;
    hg_ready moved = hg_sched_take(p, q, number[i]);
    if (w >= 0) hg_sched_release_link(p, w, &moved);
    if (moved.prefetched && w >= 0) hg_sched_release(p, w, &moved);
    moved.prefetched = false;
    moved.bringing = 0;
    moved.seconds = seconds;
    moved.model = 0;
    hg_sched_put(p, &p->worker[owner].queue, owner, &moved);
  }
  free(number);
}

void hg_sched_assign(hg_policy *p)
{
  hg_sched_divide(p);
  if (hg_owners_assign(&p->owners, p->workers, p->seconds) != HG_OK) return;
  count_owned(p);
  for (int g = 0; g < p->groups; g++) follow_from(p, &p->group[g].queue, -1);
  for (int w = 0; w < p->workers; w++) follow_from(p, &p->worker[w].queue, w);
}

/* Owners that the program has set, and the thesis' baselines, hold while tiles are written equally often. */
bool hg_sched_regions_of_use(hg_policy *p)
{
  const bool wanted = p->user_owned || p->refines || p->owners.rule != HG_OWNERS_REGIONS;
  p->regions = p->owners.known > 0 && wanted && hg_owners_uniform(&p->owners);
  return p->regions;
}

/* hetgrid-dfpa: each time all tiles have been done once or so, the workers' busy times are compared; when they differ
 * twice in a row, regions are made anew from the measured times, and tiles move once. */
static void refine(hg_policy *p)
{
  double least = INFINITY, most = 0;
  if (!p->refines || !p->regions || p->owners.known == 0 || p->finished < p->owners.known) return;
  p->finished = 0;
  for (int w = 0; w < p->workers; w++) {
    least = fmin(least, p->worker[w].busy);
    most = fmax(most, p->worker[w].busy);
    p->worker[w].busy = 0;
    if (p->worker[w].mean > 0) p->seconds[w] = p->worker[w].mean;
  }
  p->out_of_balance = most - least > p->epsilon * least ? p->out_of_balance + 1 : 0;
  if (p->out_of_balance < 2) return;
  p->out_of_balance = 0;
  hg_sched_learn(p);
  for (int i = 0; i < p->owners.tiles; i++) p->owners.tile[i].settled = false;
  hg_sched_assign(p);
}

void hg_sched_tile_done(hg_policy *p, int tile, int w, double seconds)
{
  hg_sched_worker *self = &p->worker[w];
  const int owner = p->owners.tile[tile].worker;
  p->owners.tile[tile].live--;
  self->mean = self->mean > 0 ? self->mean + (seconds - self->mean) / 8 : seconds;
  self->busy += seconds;
  p->worker[owner >= 0 ? owner : w].done++;
  p->finished++;
  refine(p);
}

/* What the workers have done of their tiles says nothing of other tiles. */
void hg_sched_forget_owners(hg_policy *p)
{
  hg_owners_free(&p->owners);
  hg_task_graph_forget_tiles(&p->graph);
  p->regions = p->user_owned = p->complete = false;
  p->waited_for = p->resumed = false;
  p->out_of_balance = 0;
  p->tile_kind = NULL;
  p->finished = 0;
  for (int w = 0; w < p->workers; w++) {
    hg_sched_worker *m = &p->worker[w];
    m->done = m->helped = 0;
    m->owned = 0;
    m->mean = m->busy = 0;
  }
}

/* Owner of the tile; while new tiles turn up, regions are made anew each time their number has grown by an eighth. */
static int owner_of(hg_policy *p, int tile, const hg_costs *c)
{
  hg_tile_owner *t = &p->owners.tile[tile];
  if (t->worker >= 0 && t->settled) return t->worker;
  memcpy(p->seconds, c->seconds, sizeof p->seconds);
  if (p->owners.known > p->owners.assigned + p->owners.assigned / 8) hg_sched_assign(p);
  if (t->worker >= 0) return t->worker;
  int best = -1;
  for (int w = 0; w < p->workers; w++)
    if (isfinite(c->seconds[w]) &&
        (best < 0 || (p->worker[w].owned + 1) * c->seconds[w] < (p->worker[best].owned + 1) * c->seconds[best]))
      best = w;
  if (best >= 0) {
    t->worker = best;
    p->worker[best].owned++;
  }
  return best;
}

/* How long the slowest worker with a neighbour of the tile takes for it. */
double hg_sched_urgency(const hg_policy *p, int tile)
{
  const int owner = p->owners.tile[tile].worker;
  double slowest = 0;
  for (int i = 0; i < 6; i++) {
    int other = hg_owners_beside(&p->owners, tile, i / 2, i % 2 ? 1 : -1);
    int worker_of_other = other < 0 ? -1 : p->owners.tile[other].worker;
    if (worker_of_other < 0 || worker_of_other == owner) continue;
    if (isfinite(p->seconds[worker_of_other])) slowest = fmax(slowest, p->seconds[worker_of_other]);
  }
  return slowest;
}

/* The worker that is expected to finish the task first, or where its joules and that cost least, behind all that
 * waits there: what is more urgent than others goes before them in the end, but they must be done. -1: none can. */
static int earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c)
{
  const double time = hg_sched_now();
  double best = INFINITY, longest = 0;
  int found = -1;
  for (int w = 0; w < p->workers && p->gamma > 0; w++) longest = fmax(longest, hg_sched_available(p, w, time));
  for (int w = 0; w < p->workers; w++) {
    if (!isfinite(c->seconds[w])) continue;
    const double finish = hg_sched_available(p, w, time) + c->seconds[w] + c->way[hg_sched_node(p, w)].transfer;
    const double cost = finish + hg_sched_energy_penalty(p, task, w, c->seconds[w], finish - longest);
    if (found < 0 || cost < best) {
      best = cost;
      found = w;
    }
  }
  return found;
}

/* Whether the task may wait in a queue for all workers like this one: where there are others, each is told apart, so
 * that the estimates hold. */
static bool for_group(const hg_policy *p, int w, const hg_costs *c)
{
  const int g = p->worker[w].group;
  if (p->group[g].members < 2 || p->groups > 1) return false;
  for (int i = 0; i < p->workers; i++)
    if (p->worker[i].group == g && p->worker[i].member && !isfinite(c->seconds[i])) return false;
  return true;
}

/* Where a task is at home, or -1. A policy that steals knows better: on machines of unlike processors it is up to 28 %
 * faster without. */
static int at_home(const hg_policy *p, struct starpu_task *task, const hg_costs *c)
{
  const int home = p->steals ? -1 : home_of(p, task);
  return home >= 0 && isfinite(c->seconds[home]) ? home : -1;
}

/* Whether a task may wait for one core among others: while none is idle or slower and nothing is urgent, each goes on
 * with what its own tasks have made ready, whose data are in its caches. */
static bool waits_for_one(const hg_policy *p, int node)
{
  return p->steals && node >= 0 && hg_sched_are_equal(p) && atomic_load(&p->idlers) == 0 &&
         !hg_sched_is_urgent(p, node);
}

/* The worker for a task; *shared if any worker of its group will do. */
int hg_sched_place(hg_policy *p, const hg_ready *ready, const hg_costs *c, bool *shared)
{
  *shared = false;
  if (ready->tile >= 0 && hg_sched_regions_of_use(p)) {
    int owner = owner_of(p, ready->tile, c);
    if (owner >= 0 && isfinite(c->seconds[owner])) return owner;
  }
  const int home = at_home(p, ready->task, c), self = hg_sched_index(p, starpu_worker_get_id());
  if (home >= 0) return home;
  const bool for_one = waits_for_one(p, ready->node);
  if (for_one && self >= 0 && p->worker[self].member && for_group(p, self, c)) return self;
  const int w = earliest(p, ready->task, c);
  *shared = !for_one && w >= 0 && for_group(p, w, c);
  return w;
}
