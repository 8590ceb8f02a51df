/* SPDX-License-Identifier: MIT */
#include "schedulers/hetgrid_sched.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedulers/policy.h"

static double parameter(const char *name, double standard)
{
  const char *text = getenv(name);
  char *end;
  double value = text ? strtod(text, &end) : standard;
  return text && (end == text || *end || !isfinite(value)) ? standard : value;
}

/* The worker itself, those that may steal, and for a shared task those that may take it. */
static void wake(hg_policy *p, int w, bool shared, const bool *sleeping)
{
  starpu_wake_worker_relax_light(p->worker[w].id);
  for (int i = 0; i < p->workers; i++)
    if (i != w && sleeping[i] && (p->steals || (shared && p->worker[i].group == p->worker[w].group)))
      starpu_wake_worker_relax_light(p->worker[i].id);
}

static void lock(hg_policy *p)
{
  starpu_worker_relax_on();
  STARPU_PTHREAD_MUTEX_LOCK(&p->lock);
  starpu_worker_relax_off();
}

static void unlock(hg_policy *p)
{
  STARPU_PTHREAD_MUTEX_UNLOCK(&p->lock);
}

static void prefetch(const hg_policy *p, int w, struct starpu_task *task)
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
static void prefetch_waiting(hg_policy *p)
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
  hg_policy *p = starpu_sched_ctx_get_policy_data(task->sched_ctx);
  bool sleeping[STARPU_NMAXWORKERS];
  hg_costs c;
  hg_sched_find_members(p);
  hg_sched_estimate(p, task, &c);
  lock(p);
  hg_ready ready = {.task = task, .tile = hg_sched_tile(p, task), .order = (uint64_t)p->pushed++};
  bool shared;
  const int w = hg_sched_place(p, task, ready.tile, &c, &shared);
  if (ready.tile >= 0 && p->uniform) ready.urgency = hg_sched_urgency(p, ready.tile);
  const bool placed = ready.tile < 0 || !p->uniform || p->complete || p->owners.tile[ready.tile].settled;
  unlock(p);
  if (w < 0) return -ENODEV;
  if (placed) prefetch(p, w, task);
  lock(p);
  ready.seconds = c.seconds[w];
  if (shared)
    hg_sched_put(p, &p->group[p->worker[w].group].queue, &p->group[p->worker[w].group].queued, p->worker[w].id, &ready);
  else
    hg_sched_enqueue(p, w, &ready);
  p->worker[w].idle = false;
  for (int i = 0; i < p->workers; i++) sleeping[i] = p->worker[i].idle;
  starpu_push_task_end(task);
  unlock(p);
  wake(p, w, shared, sleeping);
  return 0;
}

static unsigned best_implementation(const hg_policy *p, struct starpu_task *task, int id)
{
  unsigned implementation = 0, mask = 0;
  starpu_worker_can_execute_task_impl((unsigned)id, task, &mask);
  if ((mask & (mask - 1)) == 0) return mask ? (unsigned)__builtin_ctz(mask) : 0;
  hg_sched_expected(p, task, id, &implementation);
  return implementation;
}

static struct starpu_task *pop_task(unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int id = starpu_worker_get_id(), w = hg_sched_index(p, id);
  if (w < 0) return NULL;
  hg_member *self = &p->worker[w];
  hg_ready ready = {.task = NULL};
  lock(p);
  bool found = hg_sched_lend_a_hand(p, w, &ready) || hg_sched_take_own(p, w, &ready);
  if (!found && self->queue.count == 0) found = hg_sched_take_other(p, w, &ready);
  self->idle = !found;
  if (found) {
    if (ready.tile >= 0) p->owners.tile[ready.tile].settled = p->owners.tile[ready.tile].worker >= 0;
    if (self->ahead == 0) self->started = hg_sched_now();
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
  hg_policy *p = task->cl ? starpu_sched_ctx_get_policy_data(task->sched_ctx) : NULL;
  if (!p) return;
  lock(p);
  int tile = hg_sched_tile(p, task);
  if (tile >= 0 && ++p->owners.tile[tile].submitted == 2 && !p->complete) {
    p->complete = true;
    if (hg_sched_regions_of_use(p) && p->owners.assigned > 0) {
      hg_sched_assign(p);
      prefetch_waiting(p);
    }
  }
  unlock(p);
}

static void pre_exec(struct starpu_task *task, unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  (void)task;
  if (w < 0) return;
  lock(p);
  p->worker[w].started = hg_sched_now();
  unlock(p);
}

/* hetgrid-dfpa: each time all tiles have been done once or so, the workers' busy times are compared; when they differ
 * twice in a row, regions are made anew from the measured times, and tiles move once. */
static void refine(hg_policy *p)
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
  hg_sched_assign(p);
}

static void post_exec(struct starpu_task *task, unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  if (w < 0) return;
  lock(p);
  hg_member *self = &p->worker[w];
  const double time = hg_sched_now(), seconds = time - self->started, expected_seconds = task->predicted * 1e-6;
  self->ahead = self->ahead - expected_seconds > 1e-9 ? self->ahead - expected_seconds : 0;
  self->started = time;
  const int tile = hg_sched_tile(p, task);
  if (tile >= 0) {
    const int owner = p->owners.tile[tile].worker;
    self->mean = self->mean > 0 ? self->mean + (seconds - self->mean) / 8 : seconds;
    self->busy += seconds;
    p->worker[owner >= 0 ? owner : w].done++;
    p->finished++;
    refine(p);
  }
  unlock(p);
}

static int find_group(hg_policy *p, int id)
{
  const unsigned node = starpu_worker_get_memory_node((unsigned)id);
  const enum starpu_worker_archtype type = starpu_worker_get_type(id);
  int g = 0;
  while (g < p->groups && (p->group[g].node != node || p->group[g].type != type)) g++;
  if (g == p->groups) p->group[p->groups++] = (hg_group){.node = node, .type = type};
  return g;
}

static void add_workers(unsigned context, int *ids, unsigned count)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int self = starpu_worker_get_id();
  for (unsigned i = 0; i < count; i++) {
    if (ids[i] >= STARPU_NMAXWORKERS) continue;
    if (p->index[ids[i]] < 0) {
      p->index[ids[i]] = p->workers;
      p->worker[p->workers++] = (hg_member){.id = ids[i], .group = find_group(p, ids[i])};
    }
    p->worker[p->index[ids[i]]].member = true;
    starpu_sched_ctx_worker_shares_tasks_lists(ids[i], (int)context);
    if (ids[i] != self) starpu_wake_worker_locked(ids[i]);
  }
  hg_sched_count_members(p);
}

static void start(unsigned context, hg_owner_rule rule, bool steals, bool refines)
{
  hg_policy *p = calloc(1, sizeof *p);
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
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
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
