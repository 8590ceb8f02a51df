/* SPDX-License-Identifier: MIT */
#include "schedulers/hetgrid_sched.h"

#include <limits.h>
#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "schedulers/owners.h"
#include "schedulers/queue.h"

/* Workers that are alike and share their memory: what none of them owns waits in a queue for all. */
typedef struct group {
  unsigned node;
  enum starpu_worker_archtype type;
  int members; /* of the context */
  hg_queue queue;
  double queued; /* s */
} group;

/* A worker of the context. */
typedef struct worker {
  int id, group; /* StarPU's */
  hg_queue queue;
  double queued;  /* s, expected for the tasks in the queue */
  double ahead;   /* s, expected for those taken but not finished */
  double started; /* s, when the last task began */
  double mean;    /* s, measured for a task that writes a tile; 0: none yet */
  double busy;    /* s, since regions were last looked at */
  int64_t done;   /* tasks of tiles finished */
  int owned;      /* tiles */
  bool member;    /* of the context; StarPU does not tell when a worker leaves */
  bool idle;      /* found nothing to do */
} worker;

typedef struct policy {
  starpu_pthread_mutex_t lock;
  unsigned context;
  hg_owners owners;
  bool steals, refines, uniform;
  bool complete; /* a tile has been submitted twice: so all are known, where there are rounds over them */
  double epsilon;
  int workers, looked_at; /* looked_at: tiles when `uniform` was found */
  int64_t pushed, finished;
  int out_of_balance; /* looks in a row */
  worker worker[STARPU_NMAXWORKERS];
  group group[STARPU_NMAXWORKERS];
  int groups;
  int index[STARPU_NMAXWORKERS];      /* of StarPU's worker ids, or -1 */
  double seconds[STARPU_NMAXWORKERS]; /* of a task that writes a tile, by worker */
} policy;

/* What a task costs on each worker. */
typedef struct costs {
  double seconds[STARPU_NMAXWORKERS]; /* infinite where it cannot run */
  bool known;
} costs;

static double now(void)
{
  return starpu_timing_now() * 1e-6;
}

static double parameter(const char *name, double standard)
{
  const char *text = getenv(name);
  char *end;
  double value = text ? strtod(text, &end) : standard;
  return text && (end == text || *end || !isfinite(value)) ? standard : value;
}

void hg_sched_set_owner(starpu_data_handle_t handle, int worker_id)
{
  starpu_data_set_sched_data(handle, (void *)(intptr_t)(worker_id + 1));
}

/* The tile a task writes, or -1; a tile whose owner was set beforehand lies there from the beginning. */
static int tile_of(policy *p, struct starpu_task *task)
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

/* Best implementation and its expected time in s: 0 if there is no model, NaN if the model is not calibrated, infinite
 * if the worker cannot. */
static double expected(const policy *p, struct starpu_task *task, int id, unsigned *implementation)
{
  unsigned mask = 0;
  double best = INFINITY;
  if (!starpu_worker_can_execute_task_impl((unsigned)id, task, &mask)) return INFINITY;
  for (unsigned i = 0; mask >> i; i++) {
    if (!(mask >> i & 1)) continue;
    double seconds = starpu_task_worker_expected_length(task, (unsigned)id, p->context, i) * 1e-6;
    if (seconds < best || isnan(seconds) || best == INFINITY) {
      best = seconds;
      *implementation = i;
    }
    if (isnan(seconds)) break;
  }
  return best;
}

static void count_members(policy *p)
{
  for (int g = 0; g < p->groups; g++) p->group[g].members = 0;
  for (int w = 0; w < p->workers; w++) p->group[p->worker[w].group].members += p->worker[w].member;
}

/* Learns which workers are in the context, if their number says that it has changed. */
static void find_members(policy *p)
{
  int members = 0;
  for (int w = 0; w < p->workers; w++) members += p->worker[w].member;
  if ((int)starpu_sched_ctx_get_nworkers(p->context) == members) return;
  int *ids = NULL;
  const unsigned count = starpu_sched_ctx_get_workers_list(p->context, &ids);
  for (int w = 0; w < p->workers; w++) p->worker[w].member = false;
  for (unsigned i = 0; i < count; i++)
    if (p->index[ids[i]] >= 0) p->worker[p->index[ids[i]]].member = true;
  free(ids);
  count_members(p);
}

/* Expected time on worker w; what another worker of its group takes serves it too. */
static double expected_like(const policy *p, struct starpu_task *task, int w, const costs *c)
{
  unsigned implementation;
  for (int i = 0; i < w; i++)
    if (p->worker[i].group == p->worker[w].group && !isinf(c->seconds[i]))
      return starpu_worker_can_execute_task_first_impl((unsigned)p->worker[w].id, task, NULL) ? c->seconds[i]
                                                                                              : INFINITY;
  return expected(p, task, p->worker[w].id, &implementation);
}

/* Where there is no calibrated model, measured times serve, else all workers count as equal. */
static void estimate(const policy *p, struct starpu_task *task, costs *c)
{
  c->known = true;
  for (int w = 0; w < p->workers; w++) {
    double seconds = p->worker[w].member ? expected_like(p, task, w, c) : INFINITY;
    if (isnan(seconds) || seconds <= 0) {
      c->known = false;
      seconds = 0;
    }
    c->seconds[w] = seconds;
  }
  for (int w = 0; w < p->workers && !c->known; w++)
    if (isfinite(c->seconds[w])) c->seconds[w] = p->worker[w].mean > 0 ? p->worker[w].mean : 1e-3;
}

static double finish_time(const policy *p, const worker *w, double time)
{
  const group *g = &p->group[w->group];
  double passed = w->ahead > 0 ? time - w->started : 0;
  double left = w->ahead - passed > 0 ? w->ahead - passed : 0;
  return left + w->queued + (g->members > 0 ? g->queued / g->members : 0);
}

/* The worker that is expected to finish the task first; -1 if none can run it. */
static int earliest(const policy *p, struct starpu_task *task, const costs *c)
{
  const double time = now();
  double best = INFINITY;
  int found = -1;
  for (int w = 0; w < p->workers; w++) {
    if (!isfinite(c->seconds[w])) continue;
    double transfer = starpu_task_expected_data_transfer_time_for(task, (unsigned)p->worker[w].id) * 1e-6;
    double finish = finish_time(p, &p->worker[w], time) + c->seconds[w] + (transfer > 0 ? transfer : 0);
    if (found < 0 || finish < best) {
      best = finish;
      found = w;
    }
  }
  return found;
}

static void count_owned(policy *p)
{
  for (int w = 0; w < p->workers; w++) p->worker[w].owned = 0;
  for (int i = 0; i < p->owners.tiles; i++)
    if (p->owners.tile[i].worker >= 0) p->worker[p->owners.tile[i].worker].owned++;
}

static void put(policy *p, hg_queue *queue, double *queued, int id, hg_ready *ready)
{
  ready->counted = id;
  STARPU_ASSERT_MSG(hg_queue_push(queue, ready), "hetgrid: no memory for ready tasks");
  *queued += ready->seconds;
  starpu_sched_ctx_list_task_counters_increment(p->context, id);
}

static hg_ready take(policy *p, hg_queue *queue, double *queued, int i)
{
  hg_ready ready = hg_queue_take(queue, i);
  *queued = queue->count ? *queued - ready.seconds : 0;
  starpu_sched_ctx_list_task_counters_decrement(p->context, ready.counted);
  return ready;
}

static void enqueue(policy *p, int w, hg_ready *ready)
{
  put(p, &p->worker[w].queue, &p->worker[w].queued, p->worker[w].id, ready);
}

static hg_ready dequeue(policy *p, int w, int i)
{
  return take(p, &p->worker[w].queue, &p->worker[w].queued, i);
}

/* Tasks that wait elsewhere follow their tile's new owner. */
static void follow_owners(policy *p)
{
  for (int w = 0; w < p->workers; w++)
    for (int i = p->worker[w].queue.count - 1; i >= 0; i--) {
      const hg_ready *r = &p->worker[w].queue.ready[i];
      int owner = r->tile >= 0 ? p->owners.tile[r->tile].worker : w;
      unsigned implementation;
      if (owner == w || owner < 0) continue;
      double seconds = expected(p, r->task, p->worker[owner].id, &implementation);
      if (!isfinite(seconds) && !isnan(seconds)) continue;
      hg_ready moved = dequeue(p, w, i);
      moved.seconds = seconds > 0 ? seconds : p->seconds[owner];
      enqueue(p, owner, &moved);
      i = p->worker[w].queue.count; /* the heap has changed; each round moves one entry for good */
    }
}

static void assign(policy *p)
{
  if (hg_owners_assign(&p->owners, p->workers, p->seconds) != HG_OK) return;
  count_owned(p);
  follow_owners(p);
}

/* Regions are of use while tiles are many and written equally often. Looked at again now and then. */
static bool regions_of_use(policy *p)
{
  if (p->owners.tiles != p->looked_at || p->pushed % (p->owners.tiles + 64) == 0) {
    p->uniform = hg_owners_uniform(&p->owners);
    p->looked_at = p->owners.tiles;
  }
  return p->uniform;
}

/* Owner of the tile; while new tiles turn up, regions are made anew each time their number has grown by an eighth. */
static int owner_of(policy *p, int tile, const costs *c)
{
  hg_tile_owner *t = &p->owners.tile[tile];
  if (t->worker >= 0 && t->settled) return t->worker;
  memcpy(p->seconds, c->seconds, sizeof p->seconds);
  if (p->owners.tiles > p->owners.assigned + p->owners.assigned / 8) assign(p);
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
static double urgency(const policy *p, int tile)
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
static bool for_group(const policy *p, int w, const costs *c)
{
  const int g = p->worker[w].group;
  if (p->group[g].members < 2) return false;
  for (int i = 0; i < p->workers; i++)
    if (p->worker[i].group == g && p->worker[i].member && !isfinite(c->seconds[i])) return false;
  return true;
}

/* The worker for a task; *shared if any worker like it will do. */
static int place(policy *p, struct starpu_task *task, int tile, const costs *c, bool *shared)
{
  *shared = false;
  if (tile >= 0 && regions_of_use(p)) {
    int owner = owner_of(p, tile, c);
    if (owner >= 0 && isfinite(c->seconds[owner])) return owner;
  }
  const int w = earliest(p, task, c);
  *shared = w >= 0 && for_group(p, w, c);
  return w;
}

/* The worker itself, those that may steal, and for a shared task those that may take it. */
static void wake(policy *p, int w, bool shared, const bool *sleeping)
{
  starpu_wake_worker_relax_light(p->worker[w].id);
  for (int i = 0; i < p->workers; i++)
    if (i != w && sleeping[i] && (p->steals || (shared && p->worker[i].group == p->worker[w].group)))
      starpu_wake_worker_relax_light(p->worker[i].id);
}

static void lock(policy *p)
{
  starpu_worker_relax_on();
  STARPU_PTHREAD_MUTEX_LOCK(&p->lock);
  starpu_worker_relax_off();
}

static void unlock(policy *p)
{
  STARPU_PTHREAD_MUTEX_UNLOCK(&p->lock);
}

static void prefetch(const policy *p, int w, struct starpu_task *task)
{
  if (starpu_get_prefetch_flag() && starpu_memory_nodes_get_count() > 1)
    starpu_prefetch_task_input_for(task, (unsigned)p->worker[w].id);
}

static int by_order(const void *a, const void *b)
{
  const hg_ready *r = a, *s = b;
  return (r->order > s->order) - (r->order < s->order);
}

/* Data of the tasks that waited for their tiles' owners to be known for good, in the order in which they became ready.
 */
static void prefetch_waiting(policy *p)
{
  int count = 0;
  for (int w = 0; w < p->workers; w++) count += p->worker[w].queue.count;
  hg_ready *list = malloc((size_t)(count + 1) * sizeof *list);
  if (!list) return;
  count = 0;
  for (int w = 0; w < p->workers; w++)
    for (int i = 0; i < p->worker[w].queue.count; i++) {
      list[count] = p->worker[w].queue.ready[i];
      list[count++].tile = w;
    }
  qsort(list, (size_t)count, sizeof *list, by_order);
  for (int i = 0; i < count; i++) prefetch(p, list[i].tile, list[i].task);
  free(list);
}

/* Once it is in a queue the task may be run and freed at any time, so its data are fetched before. */
static int push_task(struct starpu_task *task)
{
  policy *p = starpu_sched_ctx_get_policy_data(task->sched_ctx);
  bool sleeping[STARPU_NMAXWORKERS];
  costs c;
  find_members(p);
  estimate(p, task, &c);
  lock(p);
  hg_ready ready = {.task = task, .tile = tile_of(p, task), .order = (uint64_t)p->pushed++};
  bool shared;
  const int w = place(p, task, ready.tile, &c, &shared);
  if (ready.tile >= 0 && p->uniform) ready.urgency = urgency(p, ready.tile);
  const bool placed = ready.tile < 0 || !p->uniform || p->complete || p->owners.tile[ready.tile].settled;
  unlock(p);
  if (w < 0) return -ENODEV;
  if (placed) prefetch(p, w, task);
  lock(p);
  ready.seconds = c.seconds[w];
  if (shared)
    put(p, &p->group[p->worker[w].group].queue, &p->group[p->worker[w].group].queued, p->worker[w].id, &ready);
  else
    enqueue(p, w, &ready);
  p->worker[w].idle = false;
  for (int i = 0; i < p->workers; i++) sleeping[i] = p->worker[i].idle;
  starpu_push_task_end(task);
  unlock(p);
  wake(p, w, shared, sleeping);
  return 0;
}

/* Rounds over its tiles that a worker has done. */
static double progress(const worker *w)
{
  return w->owned > 0 ? (double)w->done / w->owned : INFINITY;
}

/* Whether it pays that `thief` takes the task from `victim`, whose queue ends at `end` s from now. In a stencil a
 * worker that is idle only because its neighbours' borders are missing takes nothing; one that is ahead does, and keeps
 * the tile if that balances better. */
static bool pays(const policy *p, int thief, int victim, const hg_ready *r, double seconds, double end)
{
  const worker *a = &p->worker[thief], *b = &p->worker[victim];
  double transfer = starpu_task_expected_data_transfer_time_for(r->task, (unsigned)a->id) * 1e-6;
  if (transfer < 0 || isnan(transfer)) transfer = 0;
  if (!p->uniform || r->tile < 0) return seconds + transfer < end;
  return progress(a) > progress(b) && seconds + 2 * transfer < end - r->seconds;
}

static void give_tile(policy *p, int tile, int from, int to)
{
  hg_tile_owner *t = &p->owners.tile[tile];
  const double here = p->seconds[to] * (p->worker[to].owned + 1), there = p->seconds[from] * p->worker[from].owned;
  if (!p->uniform || t->worker != from || here >= there) return;
  t->worker = to;
  p->worker[from].owned--;
  p->worker[to].owned++;
}

/* A task that waits for a worker which has left the context. */
static bool rescue(policy *p, int thief, hg_ready *out)
{
  find_members(p);
  for (int w = 0; w < p->workers; w++) {
    unsigned implementation;
    if (p->worker[w].member || p->worker[w].queue.count == 0) continue;
    if (isinf(expected(p, p->worker[w].queue.ready[0].task, p->worker[thief].id, &implementation))) continue;
    *out = dequeue(p, w, 0);
    return true;
  }
  for (int g = 0; g < p->groups; g++) {
    unsigned implementation;
    group *left = &p->group[g];
    if (left->members > 0 || left->queue.count == 0) continue;
    if (isinf(expected(p, left->queue.ready[0].task, p->worker[thief].id, &implementation))) continue;
    *out = take(p, &left->queue, &left->queued, 0);
    return true;
  }
  return false;
}

/* The last task of another group's queue, if it pays. */
static bool steal_shared(policy *p, int thief, hg_ready *out)
{
  for (int w = 0; w < p->workers; w++) {
    group *g = &p->group[p->worker[w].group];
    unsigned implementation;
    if (p->worker[w].group == p->worker[thief].group || g->queue.count == 0 || !p->worker[w].member) continue;
    struct starpu_task *task = g->queue.ready[g->queue.count - 1].task;
    double seconds = expected(p, task, p->worker[thief].id, &implementation);
    double transfer = starpu_task_expected_data_transfer_time_for(task, (unsigned)p->worker[thief].id) * 1e-6;
    if (!(seconds > 0) || isinf(seconds) ||
        seconds + (transfer > 0 ? transfer : 0) >= finish_time(p, &p->worker[w], now()))
      continue;
    *out = take(p, &g->queue, &g->queued, g->queue.count - 1);
    out->seconds = seconds;
    return true;
  }
  return false;
}

/* The last task of the longest queue that pays. */
static bool steal(policy *p, int thief, hg_ready *out)
{
  const double time = now();
  int victim = -1;
  double longest = 0;
  for (int w = 0; w < p->workers; w++) {
    double end = finish_time(p, &p->worker[w], time);
    if (w == thief || p->worker[w].queue.count == 0 || end <= longest) continue;
    longest = end;
    victim = w;
  }
  if (victim < 0) return false;
  hg_queue *q = &p->worker[victim].queue;
  unsigned implementation;
  const int last = q->count - 1;
  double seconds = expected(p, q->ready[last].task, p->worker[thief].id, &implementation);
  if (isnan(seconds) || seconds <= 0)
    seconds = p->worker[thief].mean > 0 ? p->worker[thief].mean : q->ready[last].seconds;
  if (!isfinite(seconds) || !pays(p, thief, victim, &q->ready[last], seconds, longest)) return false;
  *out = dequeue(p, victim, last);
  out->seconds = seconds;
  if (out->tile >= 0) give_tile(p, out->tile, victim, thief);
  return true;
}

/* Whether all that the task reads is in the worker's memory. */
static bool has_data(struct starpu_task *task, unsigned node)
{
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    int allocated, valid, loading, requested;
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_R)) continue;
    starpu_data_query_status2(STARPU_TASK_GET_HANDLE(task, b), (int)node, &allocated, &valid, &loading, &requested);
    if (!valid || loading || requested) return false;
  }
  return true;
}

/* Of the first tasks of the highest priority, the first whose data are there; if there is none, the one whose data were
 * asked for first, since waiting for it is shortest. */
static int readiest(const worker *w, bool *ready)
{
  enum { LOOK_AT = 128 };
  const hg_queue *q = &w->queue;
  const unsigned node = starpu_worker_get_memory_node((unsigned)w->id);
  int best = -1, oldest = 0;
  *ready = true;
  if (starpu_memory_nodes_get_count() == 1) return 0;
  for (int i = 0; i < q->count && i < LOOK_AT; i++) {
    const hg_ready *r = &q->ready[i];
    if (r->task->priority != q->ready[0].task->priority) continue;
    if (r->order < q->ready[oldest].order) oldest = i;
    if ((best < 0 || hg_ready_before(r, &q->ready[best])) && has_data(r->task, node)) best = i;
  }
  *ready = best >= 0;
  return best >= 0 ? best : oldest;
}

/* The first task of the worker's own queue or of its group's. A GPU that has work waits with tasks whose data have not
 * come. */
static bool take_own(policy *p, int w, hg_ready *out)
{
  worker *self = &p->worker[w];
  group *g = &p->group[self->group];
  bool has_all = true;
  const int own = self->queue.count > 0 ? readiest(self, &has_all) : -1;
  const bool shared =
      g->queue.count > 0 && (own < 0 || !has_all || hg_ready_before(&g->queue.ready[0], &self->queue.ready[own]));
  if (shared)
    *out = take(p, &g->queue, &g->queued, 0);
  else if (own >= 0 && (has_all || self->ahead == 0))
    *out = dequeue(p, w, own);
  else
    return false;
  return true;
}

static unsigned best_implementation(const policy *p, struct starpu_task *task, int id)
{
  unsigned implementation = 0, mask = 0;
  starpu_worker_can_execute_task_impl((unsigned)id, task, &mask);
  if ((mask & (mask - 1)) == 0) return mask ? (unsigned)__builtin_ctz(mask) : 0;
  expected(p, task, id, &implementation);
  return implementation;
}

static struct starpu_task *pop_task(unsigned context)
{
  policy *p = starpu_sched_ctx_get_policy_data(context);
  const int id = starpu_worker_get_id(), w = p->index[id];
  if (w < 0) return NULL;
  worker *self = &p->worker[w];
  hg_ready ready = {.task = NULL};
  lock(p);
  bool found = take_own(p, w, &ready);
  if (!found && self->queue.count == 0)
    found = rescue(p, w, &ready) || (p->steals && (steal(p, w, &ready) || steal_shared(p, w, &ready)));
  self->idle = !found;
  if (found) {
    if (ready.tile >= 0) p->owners.tile[ready.tile].settled = p->owners.tile[ready.tile].worker >= 0;
    if (self->ahead == 0) self->started = now();
    self->ahead += ready.seconds;
    ready.task->predicted = ready.seconds * 1e6;
  }
  unlock(p);
  if (!found) return NULL;
  starpu_task_set_implementation(ready.task, best_implementation(p, ready.task, id));
  return ready.task;
}

/* Tasks without a codelet, StarPU's own, never come to the workers. */
static void submit_hook(struct starpu_task *task)
{
  policy *p = task->cl ? starpu_sched_ctx_get_policy_data(task->sched_ctx) : NULL;
  if (!p) return;
  lock(p);
  int tile = tile_of(p, task);
  if (tile >= 0 && ++p->owners.tile[tile].submitted == 2 && !p->complete) {
    p->complete = true;
    if (regions_of_use(p) && p->owners.assigned > 0) {
      assign(p);
      prefetch_waiting(p);
    }
  }
  unlock(p);
}

static void pre_exec(struct starpu_task *task, unsigned context)
{
  policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = p->index[starpu_worker_get_id()];
  (void)task;
  if (w < 0) return;
  lock(p);
  p->worker[w].started = now();
  unlock(p);
}

/* hetgrid-dfpa: each time all tiles have been done once or so, the workers' busy times are compared; when they differ
 * twice in a row, regions are made anew from the measured times, and tiles move once. */
static void refine(policy *p)
{
  double least = INFINITY, most = 0;
  if (!p->refines || !p->uniform || p->owners.tiles == 0 || p->finished < p->owners.tiles) return;
  p->finished = 0;
  for (int w = 0; w < p->workers; w++) {
    if (p->worker[w].busy < least) least = p->worker[w].busy;
    if (p->worker[w].busy > most) most = p->worker[w].busy;
    p->worker[w].busy = 0;
    if (p->worker[w].mean > 0) p->seconds[w] = p->worker[w].mean;
  }
  p->out_of_balance = most - least > p->epsilon * least ? p->out_of_balance + 1 : 0;
  if (p->out_of_balance < 2) return;
  p->out_of_balance = 0;
  for (int i = 0; i < p->owners.tiles; i++) p->owners.tile[i].settled = false;
  assign(p);
}

static void post_exec(struct starpu_task *task, unsigned context)
{
  policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = p->index[starpu_worker_get_id()];
  if (w < 0) return;
  lock(p);
  worker *self = &p->worker[w];
  const double time = now(), seconds = time - self->started, expected_seconds = task->predicted * 1e-6;
  self->ahead = self->ahead - expected_seconds > 1e-9 ? self->ahead - expected_seconds : 0;
  self->started = time;
  if (tile_of(p, task) >= 0) {
    self->mean = self->mean > 0 ? self->mean + (seconds - self->mean) / 8 : seconds;
    self->busy += seconds;
    self->done++;
    p->finished++;
    refine(p);
  }
  unlock(p);
}

static int find_group(policy *p, int id)
{
  const unsigned node = starpu_worker_get_memory_node((unsigned)id);
  const enum starpu_worker_archtype type = starpu_worker_get_type(id);
  int g = 0;
  while (g < p->groups && (p->group[g].node != node || p->group[g].type != type)) g++;
  if (g == p->groups) p->group[p->groups++] = (group){.node = node, .type = type};
  return g;
}

static void add_workers(unsigned context, int *ids, unsigned count)
{
  policy *p = starpu_sched_ctx_get_policy_data(context);
  const int self = starpu_worker_get_id();
  for (unsigned i = 0; i < count; i++) {
    if (p->index[ids[i]] < 0) {
      p->index[ids[i]] = p->workers;
      p->worker[p->workers++] = (worker){.id = ids[i], .group = find_group(p, ids[i])};
    }
    p->worker[p->index[ids[i]]].member = true;
    starpu_sched_ctx_worker_shares_tasks_lists(ids[i], (int)context);
    if (ids[i] != self) starpu_wake_worker_locked(ids[i]);
  }
  count_members(p);
}

static void start(unsigned context, hg_owner_rule rule, bool steals, bool refines)
{
  policy *p = calloc(1, sizeof *p);
  STARPU_ASSERT_MSG(p, "hetgrid: no memory for the policy");
  STARPU_PTHREAD_MUTEX_INIT(&p->lock, NULL);
  p->context = context;
  p->owners.rule = rule;
  p->steals = steals && parameter("HETGRID_SCHED_STEAL", 1) != 0;
  p->refines = refines;
  p->epsilon = parameter("HETGRID_SCHED_EPSILON", .05);
  for (int i = 0; i < STARPU_NMAXWORKERS; i++) p->index[i] = -1;
  starpu_sched_ctx_set_policy_data(context, p);
  if (!starpu_sched_ctx_min_priority_is_set(context)) starpu_sched_ctx_set_min_priority(context, INT_MIN);
  if (!starpu_sched_ctx_max_priority_is_set(context)) starpu_sched_ctx_set_max_priority(context, INT_MAX);
}

static void start_hetgrid(unsigned context)
{
  start(context, HG_OWNERS_REGIONS, true, false);
}

static void start_dfpa(unsigned context)
{
  start(context, HG_OWNERS_REGIONS, true, true);
}

static void start_rows(unsigned context)
{
  start(context, HG_OWNERS_ROWS, false, false);
}

static void start_even(unsigned context)
{
  start(context, HG_OWNERS_EVEN, false, false);
}

static void stop(unsigned context)
{
  policy *p = starpu_sched_ctx_get_policy_data(context);
  starpu_sched_ctx_set_policy_data(context, NULL);
  for (int w = 0; w < p->workers; w++) hg_queue_free(&p->worker[w].queue);
  for (int g = 0; g < p->groups; g++) hg_queue_free(&p->group[g].queue);
  hg_owners_free(&p->owners);
  STARPU_PTHREAD_MUTEX_DESTROY(&p->lock);
  free(p);
}

#define POLICY(begin, name, description)                                                                               \
  {                                                                                                                    \
    .init_sched = begin, .deinit_sched = stop, .add_workers = add_workers, .push_task = push_task,                     \
    .pop_task = pop_task, .submit_hook = submit_hook, .pre_exec_hook = pre_exec, .post_exec_hook = post_exec,          \
    .prefetches = 1, .policy_name = name, .policy_description = description, .worker_type = STARPU_WORKER_LIST         \
  }

struct starpu_sched_policy hg_sched_hetgrid =
                               POLICY(start_hetgrid, "hetgrid", "regions of the tile grid by speed, with stealing"),
                           hg_sched_dfpa =
                               POLICY(start_dfpa, "hetgrid-dfpa", "hetgrid, with regions refined by measured times"),
                           hg_sched_rows = POLICY(start_rows, "hetgrid-rows", "rows of tiles by speed"),
                           hg_sched_even = POLICY(start_even, "hetgrid-even", "equal regions of the tile grid");

struct starpu_sched_policy *hg_sched_policies[] = {&hg_sched_hetgrid, &hg_sched_dfpa, &hg_sched_rows, &hg_sched_even,
                                                   NULL};

struct starpu_sched_policy *hg_sched_find(const char *name)
{
  for (struct starpu_sched_policy **p = hg_sched_policies; *p; p++)
    if (strcmp((*p)->policy_name, name) == 0) return *p;
  return NULL;
}
