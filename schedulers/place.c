/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "schedulers/hetgrid_sched.h"
#include "schedulers/policy.h"

void hg_sched_set_owner(starpu_data_handle_t handle, int worker_id)
{
  starpu_data_set_sched_data(handle, (void *)(intptr_t)(worker_id + 1));
}

/* The tile a task writes, or -1; a tile whose owner was set beforehand lies there from the beginning. */
int hg_sched_tile(hg_policy *p, struct starpu_task *task)
{
  const unsigned buffers = STARPU_TASK_GET_NBUFFERS(task);
  for (unsigned i = 0; i < buffers; i++) {
    starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, i);
    int at[3], known = p->owners.tiles;
    if (!(STARPU_TASK_GET_MODE(task, i) & STARPU_W)) continue;
    const intptr_t owner = (intptr_t)starpu_data_get_sched_data(handle);
    unsigned dims = starpu_data_get_coordinates_array(handle, 3, at);
    if (dims == 0 || owner == HG_SCHED_ANYWHERE + 1) continue;
    int tile = hg_owners_tile(&p->owners, (int)dims, at);
    if (tile == known && owner > 0 && owner <= STARPU_NMAXWORKERS && p->index[owner - 1] >= 0) {
      p->owners.tile[tile].worker = p->index[owner - 1];
      p->owners.tile[tile].settled = true;
      p->worker[p->index[owner - 1]].owned++;
    }
    return tile;
  }
  return -1;
}

static void count_owned(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++) p->worker[w].owned = 0;
  for (int i = 0; i < p->owners.tiles; i++)
    if (p->owners.tile[i].worker >= 0) p->worker[p->owners.tile[i].worker].owned++;
}

void hg_sched_put(hg_policy *p, hg_queue *queue, double *queued, int id, hg_ready *ready)
{
  ready->counted = id;
  STARPU_ASSERT_MSG(hg_queue_push(queue, ready), "hetgrid: no memory for ready tasks");
  *queued += ready->seconds;
  starpu_sched_ctx_list_task_counters_increment(p->context, id);
}

hg_ready hg_sched_take(hg_policy *p, hg_queue *queue, double *queued, int i)
{
  hg_ready ready = hg_queue_take(queue, i);
  *queued = queue->count ? *queued - ready.seconds : 0;
  starpu_sched_ctx_list_task_counters_decrement(p->context, ready.counted);
  return ready;
}

void hg_sched_enqueue(hg_policy *p, int w, hg_ready *ready)
{
  hg_sched_put(p, &p->worker[w].queue, &p->worker[w].queued, p->worker[w].id, ready);
}

hg_ready hg_sched_dequeue(hg_policy *p, int w, int i)
{
  return hg_sched_take(p, &p->worker[w].queue, &p->worker[w].queued, i);
}

/* Tasks that wait elsewhere follow their tile's new owner. */
static void follow_owners(hg_policy *p)
{
  for (int w = 0; w < p->workers; w++)
    for (int i = p->worker[w].queue.count - 1; i >= 0; i--) {
      const hg_ready *r = &p->worker[w].queue.ready[i];
      int owner = r->tile >= 0 ? p->owners.tile[r->tile].worker : w;
      unsigned implementation;
      if (owner == w || owner < 0) continue;
      double seconds = hg_sched_expected(p, r->task, p->worker[owner].id, &implementation);
      if (!isfinite(seconds) && !isnan(seconds)) continue;
      hg_ready moved = hg_sched_dequeue(p, w, i);
      moved.seconds = seconds > 0 ? seconds : p->seconds[owner];
      hg_sched_enqueue(p, owner, &moved);
      i = p->worker[w].queue.count; /* the heap has changed; each round moves one entry for good */
    }
}

void hg_sched_assign(hg_policy *p)
{
  if (hg_owners_assign(&p->owners, p->workers, p->seconds) != HG_OK) return;
  count_owned(p);
  follow_owners(p);
}

/* Regions are of use while tiles are many and written equally often. Looked at again now and then. */
bool hg_sched_regions_of_use(hg_policy *p)
{
  if (p->owners.tiles != p->looked_at || p->pushed % (p->owners.tiles + 64) == 0) {
    p->uniform = hg_owners_uniform(&p->owners);
    p->looked_at = p->owners.tiles;
  }
  return p->uniform;
}

/* Owner of the tile; while new tiles turn up, regions are made anew each time their number has grown by an eighth. */
static int owner_of(hg_policy *p, int tile, const hg_costs *c)
{
  hg_tile_owner *t = &p->owners.tile[tile];
  if (t->worker >= 0 && t->settled) return t->worker;
  memcpy(p->seconds, c->seconds, sizeof p->seconds);
  if (p->owners.tiles > p->owners.assigned + p->owners.assigned / 8) hg_sched_assign(p);
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

/* Whether all workers like this one may have the task. */
static bool for_group(const hg_policy *p, int w, const hg_costs *c)
{
  const int g = p->worker[w].group;
  if (p->group[g].members < 2) return false;
  for (int i = 0; i < p->workers; i++)
    if (p->worker[i].group == g && p->worker[i].member && !isfinite(c->seconds[i])) return false;
  return true;
}

/* The worker for a task; *shared if any worker like it will do. */
int hg_sched_place(hg_policy *p, struct starpu_task *task, int tile, const hg_costs *c, bool *shared)
{
  *shared = false;
  if (tile >= 0 && hg_sched_regions_of_use(p)) {
    int owner = owner_of(p, tile, c);
    if (owner >= 0 && isfinite(c->seconds[owner])) return owner;
  }
  const int w = hg_sched_earliest(p, task, c);
  *shared = w >= 0 && for_group(p, w, c);
  return w;
}
