/* SPDX-License-Identifier: MIT */
#include "schedulers/hetgrid_sched.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "schedulers/policy.h"

static double parameter(const char *name, double standard)
{
  HG_C_LOCALE;
  const char *text = getenv(name);
  char *end;
  double value = text ? strtod(text, &end) : standard;
  return text && (end == text || *end || !isfinite(value)) ? standard : value;
}

/* Tells the processor that a loop waits. */
static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* The lock is held for less time than it takes to sleep and to be woken, so that it is asked for again for a while.
 * Whoever must wait longer says so, for which StarPU locks the worker's own mutex twice. In virtual time StarPU's spin
 * locks wait for time to pass: whoever waits here lets it. */
static void lock(hg_policy *p)
{
#ifdef STARPU_SIMGRID
  starpu_worker_relax_on();
  while (starpu_pthread_mutex_trylock(&p->lock) != 0) starpu_sleep(1e-6F);
#else
  enum { TRIES = 100 };
  for (int i = 0; i < TRIES; i++) {
    if (starpu_pthread_mutex_trylock(&p->lock) == 0) return;
    pause_briefly();
  }
  starpu_worker_relax_on();
  STARPU_PTHREAD_MUTEX_LOCK(&p->lock);
#endif
  starpu_worker_relax_off();
}

static void unlock(hg_policy *p)
{
  STARPU_PTHREAD_MUTEX_UNLOCK(&p->lock);
}

/* Idle workers look again and again, so that nothing is written unless it changes. */
static void set_idle(hg_policy *p, int w, bool idle)
{
  if (atomic_load(&p->idle[w]) == idle) return;
  if (atomic_exchange(&p->idle[w], idle) != idle) atomic_fetch_add(&p->idlers, idle ? 1 : -1);
}

static void wake(hg_policy *p, int w)
{
  set_idle(p, w, false);
  starpu_wake_worker_relax_light(p->worker[w].id);
}

/* The fastest idle worker for a task that any of its group may take, else the worker itself. */
static int to_wake(const hg_policy *p, int w, bool shared, const hg_costs *c)
{
  int best = w;
  for (int i = 0; shared && i < p->workers; i++)
    if (p->idle[i] && p->worker[i].group == p->worker[w].group && (!p->idle[best] || c->seconds[i] < c->seconds[best]))
      best = i;
  return best;
}

/* One of the idle workers, in turn: some of what waits may have become worth taking. */
static void wake_another(hg_policy *p, int w)
{
  const int workers = p->workers;
  if (atomic_load(&p->idlers) == 0 || atomic_load(&p->waiting) == 0) return;
  for (int i = 1; i < workers; i++)
    if (p->idle[(w + i) % workers]) {
      wake(p, (w + i) % workers);
      return;
    }
}

/* Each may have been given something. */
static void wake_all(hg_policy *p)
{
  const int workers = p->workers;
  for (int w = 0; w < workers; w++)
    if (p->idle[w]) wake(p, w);
}

static hg_ready ready_of(hg_policy *p, struct starpu_task *task)
{
  hg_ready r = {.task = task, .tile = -1, .priority = task->priority, .node = hg_sched_task_node(p, task)};
  r.order = (uint64_t)p->pushed++;
  if (r.node < 0) return r;
  if (p->graph.node[r.node].worker >= 0) hg_sched_give_back(p, &p->graph.node[r.node]);
  r.tile = p->graph.node[r.node].tile;
  r.rank = p->graph.node[r.node].rank;
  return r;
}

/* The worker for a task, or -1. */
static int decide(hg_policy *p, hg_ready *r, hg_costs *c, hg_queue **queue)
{
  bool shared = false;
  hg_sched_find_tables(p, r, c);
  hg_sched_correct(p, r->task, c);
  if (r->tile >= 0 && !p->regions) memcpy(p->seconds, c->seconds, sizeof p->seconds);
  const double fastest = p->groups == 1 ? hg_sched_compare_members(p, 0, c) : 0;
  const int w = hg_sched_place(p, r, c, &shared);
  if (w < 0) return -1;
  if (r->tile >= 0 && p->regions)
    r->rank = hg_sched_urgency(p, r->tile);
  else if (p->groups == 1 && r->node >= 0)
    r->rank = hg_sched_rank_among_alike(p, r->node, !shared);
  r->seconds = shared ? fastest : c->seconds[w];
  const hg_way *way = &c->way[hg_sched_node(p, w)];
  *queue = shared ? &p->group[p->worker[w].group].queue : &p->worker[w].queue;
  r->task->predicted_transfer = way->transfer * 1e6;
  r->model = !c->model.particular && c->model.seconds[w] > 0 ? (float)c->model.seconds[w] : 0;
  r->implementation = c->model.implementation[w];
  r->alone = (float)way->alone;
  r->prefetched = !shared && hg_sched_may_ask_ahead(p, w, r, c);
  if (!shared && !r->prefetched && !p->regions && hg_sched_limited(p, w) && hg_sched_for_pool(p, r->task, c))
    *queue = &p->pool;
  else if (!shared)
    hg_sched_bring(p, w, r, r->prefetched ? way->alone : way->updated);
  return w;
}

/* What StarPU says of a task; the lock is let go meanwhile, and who joins then must be asked about, too. */
static void ask(hg_policy *p, struct starpu_task *task, int node, hg_costs *c)
{
  const uint64_t shape = node >= 0 ? p->graph.node[node].shape : 0;
  const bool last = hg_sched_is_last(p, node), known = node >= 0 && hg_sched_recall(p, shape, false, &c->model);
  if (known && starpu_memory_nodes_get_count() == 1) {
    c->way[STARPU_MAIN_RAM] = (hg_way){0};
    return;
  }
  hg_sched_find_fares(p, task, &c->fares);
  do {
    unlock(p);
    if (!known || c->model.epoch != p->epoch) hg_sched_ask_models(p, task, &c->model);
    hg_sched_transfers(p, task, last, c);
    lock(p);
  } while (c->model.epoch != p->epoch);
}

/* Once it is in a queue the task may be run and freed at any time, so its data are asked for before. */
static int push_task(struct starpu_task *task)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(task->sched_ctx);
  hg_costs c;
  hg_queue *queue = NULL;
  lock(p);
  if (hg_sched_members_changed(p)) hg_sched_find_members(p);
  if (!p->memories_known) hg_sched_find_memories(p);
  hg_ready ready = ready_of(p, task);
  if (ready.node >= 0) hg_sched_readers_ready(p, task);
  ask(p, task, ready.node, &c);
  const int w = decide(p, &ready, &c, &queue);
  if (ready.prefetched) {
    unlock(p);
    hg_sched_prefetch(p, w, task);
    lock(p);
  }
  if (w >= 0) {
    hg_sched_put(p, queue, p->worker[w].id, &ready);
    starpu_push_task_end(task);
  }
  const bool shared = w >= 0 && queue == &p->group[p->worker[w].group].queue;
  unlock(p);
  if (w < 0) return -ENODEV;
  const int first = to_wake(p, w, shared, &c);
  if (p->groups > 1 || p->idle[first]) wake(p, first); /* cores that have not looked in vain will look */
  return 0;
}

/* The program has bound a task to a worker: it waits in StarPU's own queue. */
static void push_notify(struct starpu_task *task, int id, int perf_id, unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, id);
  (void)perf_id;
  if (!p || w < 0 || !task->cl || task->sched_ctx != context) return;
  lock(p);
  const int n = hg_sched_task_node(p, task);
  if (n >= 0) {
    const double seconds = hg_sched_expected(p, &(hg_ready){.task = task}, w);
    p->graph.node[n].taken = isfinite(seconds) ? (float)seconds : 0;
    p->graph.node[n].bound = true;
    hg_sched_readers_ready(p, task);
    p->worker[w].pinned += p->graph.node[n].taken;
  }
  unlock(p);
}

/* A task begins now. */
static void runs(hg_policy *p, int w, hg_task_graph_node *node)
{
  hg_member *self = &p->worker[w];
  self->started = self->begun = hg_sched_now();
  if (!node) return;
  node->begun = (float)(self->begun - p->origin);
  self->current = node->taken;
}

/* What the task costs here by its model alone is kept, to be compared with what is measured. */
static void begin(hg_policy *p, int w, hg_ready *r)
{
  hg_member *self = &p->worker[w];
  unsigned implementation;
  const double model = hg_sched_model(p, r, w, &implementation);
  starpu_task_set_implementation(r->task, implementation);
  r->task->predicted = r->seconds * 1e6;
  if (r->tile >= 0) p->owners.tile[r->tile].settled = p->owners.tile[r->tile].worker >= 0;
  if (r->node < 0) return;
  hg_sched_keep(p, w, r->task, r->node);
  if (self->taken++ == 0) {
    self->started = hg_sched_now();
    self->current = r->seconds;
  }
  self->ahead += r->seconds;
  hg_task_graph_node *node = &p->graph.node[r->node];
  node->taken = (float)r->seconds;
  node->worker = w;
  node->model = isfinite(model) && model > 0 ? (float)model : 0;
  self->begins = starpu_memory_nodes_get_count() == 1 ? r->task : NULL;
  if (self->begins) runs(p, w, node);
}

/* Whether nothing has happened since the worker last looked in vain. */
static bool in_vain(hg_policy *p, int w)
{
  const double AGAIN = 1e-3; /* s */
  hg_member *self = &p->worker[w];
  if (atomic_load(&p->waiting) == 0) return true;
  return self->seen == atomic_load(&p->events) && hg_sched_now() - self->looked < AGAIN;
}

/* StarPU looks again for room when a worker does, and nothing else tells one that sleeps that a task has ended. Only
 * when the worker that ran it asks for another has it let go of its data. */
static void wake_those_without_room(hg_policy *p, hg_member *self)
{
  int ids[STARPU_NMAXWORKERS];
  if (!self->makes_room) return;
  self->makes_room = false;
  lock(p);
  const int count = hg_sched_without_room(p, ids);
  for (int i = 0; i < count; i++) hg_sched_make_room(p, hg_sched_index(p, ids[i]));
  unlock(p);
  for (int i = 0; i < count; i++) starpu_wake_worker_relax_light(ids[i]);
}

static struct starpu_task *pop_task(unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  if (w < 0) return NULL;
  hg_member *self = &p->worker[w];
  wake_those_without_room(p, self);
  if (in_vain(p, w)) {
    set_idle(p, w, true);
    if (in_vain(p, w)) return NULL; /* nothing has come before it was idle */
  }
  hg_ready ready = {.task = NULL};
  lock(p);
  const bool dealt = p->drawing > 0 && p->steals && !p->regions && hg_sched_deal_anew(p);
  if (hg_sched_limited(p, w)) hg_sched_draw(p, w);
  bool found = hg_sched_lend_a_hand(p, w, &ready) || hg_sched_take_own(p, w, &ready);
  if (!found && self->queue.count == 0) found = hg_sched_take_other(p, w, &ready);
  if (found) {
    begin(p, w, &ready);
    hg_sched_prefetch_next(p, w);
  }
  self->looked = hg_sched_now();
  self->seen = atomic_load(&p->events);
  set_idle(p, w, !found); /* what is put from now on finds it so */
  unlock(p);
  if (dealt) wake_all(p);
  if (!found) return NULL;
  wake_another(p, w);
  return ready.task;
}

/* Tasks without a codelet, StarPU's own, and those that run nowhere never come to the workers. */
static void submit_hook(struct starpu_task *task)
{
  hg_policy *p = task->cl ? starpu_sched_ctx_get_policy_data(task->sched_ctx) : NULL;
  if (!p || task->cl->where == STARPU_NOWHERE || task->where == STARPU_NOWHERE) return;
  const uint64_t who = hg_sched_who(p, task);
  bool asked = who == 0;
  hg_modelled model;
  if (asked) hg_sched_ask_models(p, task, &model);
  lock(p);
  const uint64_t shape = hg_sched_shape(p, task, who);
  if (!asked && !hg_sched_recall(p, shape, true, &model)) {
    unlock(p);
    hg_sched_ask_models(p, task, &model);
    asked = true;
    lock(p);
  }
  if (asked) hg_sched_remember(p, task, shape, &model);
  const int n = hg_sched_submitted(p, task, &model);
  if (n >= 0) p->graph.node[n].shape = shape;
  unlock(p);
}

/* The program waits: all is submitted for now. One that does so again and again on cores alone, as for a number in each
 * iteration, has its many tasks ranked only when they have become others. */
static void do_schedule(unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  if (!p) return;
  lock(p);
  p->waited_for = true;
  const bool changed = p->groups > 1 || !p->resumed || hg_task_graph_has_grown(&p->graph);
  if (p->graph.unranked > 0 && changed) hg_sched_rank(p);
  unlock(p);
}

/* Whether a device's driver waits until the task is done. */
static bool holds_driver(const struct starpu_task *task, enum starpu_worker_archtype type)
{
  const unsigned i = starpu_task_get_implementation((struct starpu_task *)(uintptr_t)task);
  return !(type == STARPU_CUDA_WORKER && task->cl->cuda_flags[i] & STARPU_CUDA_ASYNC);
}

/* Where nothing travels a task begins when it is taken. */
static void pre_exec(struct starpu_task *task, unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  if (!p || w < 0) return;
  hg_member *self = &p->worker[w];
  const bool has_begun = self->begins == task;
  self->begins = NULL;
  if (has_begun) return;
  lock(p);
  const int n = hg_sched_task_node(p, task);
  hg_task_graph_node *node = n >= 0 ? &p->graph.node[n] : NULL;
  if (node && node->bound) {
    self->pinned = fmax(0, self->pinned - node->taken);
    self->ahead += node->taken;
    self->taken++;
    node->bound = false;
  }
  runs(p, w, node);
  self->holds = holds_driver(task, p->group[self->group].type);
  hg_sched_note_wait(p, w, self->begun);
  unlock(p);
}

/* A task runs from when it began, or from when the one before it ended if it was handed to the device earlier. */
static void post_exec(struct starpu_task *task, unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  if (!p || w < 0) return;
  lock(p);
  hg_member *self = &p->worker[w];
  const double time = hg_sched_now();
  const int n = hg_sched_task_node(p, task);
  if (n >= 0) {
    const hg_task_graph_node node = p->graph.node[n];
    const double seconds = time - fmax(self->ended, node.begun + p->origin);
    if (--self->taken <= 0) self->taken = 0;
    self->ahead = self->taken > 0 ? fmax(0, self->ahead - node.taken) : 0;
    hg_sched_keep_pace(self, node.taken, seconds);
    hg_sched_data_done(p, task);
    hg_task_graph_remove(&p->graph, n);
    hg_sched_measured(p, task, w, node.model, seconds);
    if (node.tile >= 0) hg_sched_tile_done(p, node.tile, w, seconds);
  }
  self->ended = self->started = time;
  self->current = self->begun = 0;
  atomic_fetch_add(&p->events, 1);
  int ids[STARPU_NMAXWORKERS];
  self->makes_room = hg_sched_without_room(p, ids) > 0;
  unlock(p);
}

void hg_sched_forget_tiles(void)
{
  if (!hg_sched_find(starpu_sched_get_sched_policy()->policy_name)) return;
  hg_policy *p = starpu_sched_ctx_get_policy_data(0);
  lock(p);
  hg_sched_forget_owners(p);
  unlock(p);
}

static void add_workers(unsigned context, int *ids, unsigned count)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int self = starpu_worker_get_id();
  STARPU_PTHREAD_MUTEX_LOCK(&p->lock);
  for (unsigned i = 0; i < count; i++) hg_sched_add_member(p, ids[i]);
  hg_sched_count_members(p);
  STARPU_PTHREAD_MUTEX_UNLOCK(&p->lock);
  for (unsigned i = 0; i < count; i++) {
    starpu_sched_ctx_worker_shares_tasks_lists(ids[i], (int)context);
    if (ids[i] != self) starpu_wake_worker_locked(ids[i]);
  }
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
  p->tables = rule != HG_OWNERS_EVEN && getenv("HETGRID_TABLES") && *getenv("HETGRID_TABLES");
  p->epsilon = parameter("HETGRID_SCHED_EPSILON", .05);
  p->gamma = 1e-6 * parameter("STARPU_SCHED_GAMMA", 0);
  p->idle_power = parameter("STARPU_IDLE_POWER", 0);
  p->origin = hg_sched_now();
  for (int i = 0; i < STARPU_NMAXWORKERS; i++) atomic_init(&p->index[i], -1);
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
  for (int i = 0; i < p->workers + p->groups + 1; i++) hg_queue_free(hg_sched_queue(p, i));
  hg_owners_free(&p->owners);
  hg_task_graph_free(&p->graph);
  hg_sched_free_tables(p);
  hg_table_clear(&p->kept);
  STARPU_PTHREAD_MUTEX_DESTROY(&p->lock);
  free(p);
}

#define POLICY(begin, name, description)                                                                               \
  {                                                                                                                    \
    .init_sched = begin, .deinit_sched = stop, .add_workers = add_workers, .push_task = push_task,                     \
    .push_task_notify = push_notify, .pop_task = pop_task, .submit_hook = submit_hook, .do_schedule = do_schedule,     \
    .pre_exec_hook = pre_exec, .post_exec_hook = post_exec, .prefetches = 1, .policy_name = name,                      \
    .policy_description = description, .worker_type = STARPU_WORKER_LIST                                               \
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
