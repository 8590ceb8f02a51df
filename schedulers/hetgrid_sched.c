/* SPDX-License-Identifier: MIT */
#include "schedulers/availability.h"
#include "schedulers/constants.h"
#include "schedulers/costs.h"
#include "schedulers/memory.h"
#include "schedulers/model_cache.h"
#include "schedulers/nphp.h"
#include "schedulers/placement.h"
#include "schedulers/prefetch.h"
#include "schedulers/queues.h"
#include "schedulers/ranks.h"
#include "schedulers/stealing.h"
#include "schedulers/transfers.h"
#include "schedulers/workers.h"
#include "schedulers/hetgrid_sched.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/log.h"

static double parameter(const char *name, double standard)
{
  HG_C_LOCALE;
  const char *text = getenv(name);
  char *end;
  const double value = text ? strtod(text, &end) : standard;
  if (!text || (end > text && !*end && isfinite(value))) return value;
  hg_log(HG_WARN, "%s: '%s' in the environment is not a number, using %g", name, text, standard);
  return standard;
}

/* Tells the processor that this is a spin loop. */
static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* The lock is held for less time than sleeping and waking up takes, so threads spin on it for a while first. To wait
 * longer they must say so, for which StarPU locks the worker's own mutex twice. In virtual time StarPU's spin locks
 * wait for time to pass, so waiting here lets it pass. */
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

/* Then wakes idle workers that have been given something meanwhile. */
static void unlock(hg_policy *p)
{
  int woken[STARPU_NMAXWORKERS];
  const int wakes = p->wakes;
  for (int i = 0; i < wakes; i++) woken[i] = p->woken[i];
  p->wakes = 0;
  hg_sched_check_queues(p);
  STARPU_PTHREAD_MUTEX_UNLOCK(&p->lock);
  for (int i = 0; i < wakes; i++) starpu_wake_worker_relax_light(woken[i]);
}

static hg_ready *ready_of(hg_policy *p, struct starpu_task *task, int node)
{
  hg_ready *r = hg_sched_new_ready(p, task, hg_sched_owner(p, task, false));
  r->node = node;
  if (node < 0) return r;
  r->tile = p->graph.node[node].tile;
  r->rank = (double)p->graph.node[node].rank;
  p->graph.node[node].owner = r->owner;
  return r;
}

/* The worker for a task, or -1. */
static int decide(hg_policy *p, hg_ready *r, hg_costs *c, hg_queue **queue)
{
  bool shared = false;
  hg_sched_correct(p, r->task, c);
  if (r->tile >= 0 && !p->regions) memcpy(p->seconds, c->seconds, sizeof p->seconds);
  const double fastest = p->groups == 1 ? hg_sched_compare_workers(p, c) : 0;
  const int w = p->rule->place(p, r, c, &shared);
  if (w < 0) return -1;
  if (p->groups == 1 && r->node >= 0) r->rank = hg_sched_rank_among_alike(p, r->node, !shared);
  r->seconds = shared ? fastest : c->seconds[w];
  *queue = shared ? &p->shared : &p->worker[w].queue;
  const hg_transfer_cost *transfer = &c->transfer[p->worker[w].node];
  r->task->predicted_transfer = transfer->weighted * 1e6;
  hg_sched_keep(r, c);
  r->prefetched = !shared && hg_sched_may_ask_ahead(p, w, r);
  if (!shared) hg_sched_reserve_link(p, w, r->prefetched ? transfer->alone : transfer->updated);
  return w;
}

/* Asks StarPU about a task. The lock is released meanwhile, and workers that join then must be asked about, too. */
static void ask(hg_policy *p, struct starpu_task *task, int node, hg_costs *c)
{
  const uint64_t shape = node >= 0 ? p->graph.node[node].shape : 0;
  const bool last = hg_sched_is_last(p, node), known = node >= 0 && hg_sched_lookup_model(p, shape, false, &c->model);
  if (known && starpu_memory_nodes_get_count() == 1) {
    c->transfer[STARPU_MAIN_RAM] = (hg_transfer_cost){0};
    return;
  }
  c->again = hg_sched_find_again(p, task);
  do {
    unlock(p);
    if (!known || c->model.epoch != p->epoch) hg_sched_ask_models(p, task, &c->model);
    hg_sched_transfers(p, task, last, c);
    lock(p);
  } while (c->model.epoch != p->epoch);
}

/* Once in a queue, the task may run and be freed at any time, so its data are requested first. */
static int push_task(struct starpu_task *task)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(task->sched_ctx);
  hg_costs c;
  hg_queue *queue = NULL;
  lock(p);
  if (hg_sched_workers_changed(p)) hg_sched_find_workers(p);
  if (!p->memories_known) {
    hg_sched_find_memories(p);
    hg_sched_count_workers(p);
  }
  const int node = hg_sched_task_node(p, task);
  if (node >= 0 && p->graph.node[node].worker >= 0) hg_sched_return(p, &p->graph.node[node]);
  ask(p, task, node, &c);
  hg_ready *ready = ready_of(p, task, node);
  const int w = decide(p, ready, &c, &queue);
  if (ready->prefetched) {
    unlock(p);
    hg_sched_prefetch(p, w, task);
    lock(p);
  }
  hg_sched_put(p, w < 0 ? &p->stranded : queue, w < 0 ? 0 : w, ready);
  for (int i = 0; w < 0 && i < p->workers; i++) hg_sched_alert(p, i);
  if (w >= 0) hg_sched_offer(p, w);
  starpu_push_task_end(task);
  unlock(p);
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
    p->graph.node[n].owner = hg_sched_owner(p, task, false);
    p->worker[w].bound_load += p->graph.node[n].taken;
    hg_sched_make_resident(p, w, task, n);
  }
  unlock(p);
}

/* A task begins now. */
static void runs(hg_policy *p, int w, hg_task_graph_node *node)
{
  hg_sched_worker *self = &p->worker[w];
  self->started = self->begun = hg_sched_now();
  if (!node) return;
  node->begun = (float)(self->begun - p->origin);
  self->running_estimate = node->taken;
  self->cold = hg_sched_is_cold(self, node->task);
}

/* Keeps the model's own estimate of the task here, to compare it with what is measured. */
static void begin(hg_policy *p, int w, hg_ready *r)
{
  hg_sched_worker *self = &p->worker[w];
  const bool known = hg_sched_is_known(p, r) && r->on[w].model > 0;
  unsigned implementation = known ? r->on[w].implementation : 0;
  const double model = known ? (double)r->on[w].model : hg_sched_model(p, r->task, w, &implementation);
  starpu_task_set_implementation(r->task, implementation);
  r->task->predicted = r->seconds * 1e6;
  if (r->tile >= 0) p->owners.tile[r->tile].settled = p->owners.tile[r->tile].worker >= 0;
  if (r->node < 0) return;
  hg_sched_make_resident(p, w, r->task, r->node);
  if (self->taken++ == 0) {
    self->started = hg_sched_now();
    self->running_estimate = r->seconds;
  }
  self->load += r->seconds;
  hg_task_graph_node *node = &p->graph.node[r->node];
  node->taken = (float)r->seconds;
  node->worker = w;
  node->model = isfinite(model) && model > 0 ? (float)model : 0;
  self->begins = starpu_memory_nodes_get_count() == 1 ? r->task : NULL;
  if (self->begins) runs(p, w, node);
}

/* StarPU tries again to find room only when a worker asks, and nothing else tells a sleeping worker that a task has
 * ended. A task's data are released only when the worker that ran it asks for another task. */
static void wake_those_without_room(hg_policy *p, hg_sched_worker *self)
{
  int ids[STARPU_NMAXWORKERS];
  if (!self->frees_memory) return;
  self->frees_memory = false;
  lock(p);
  const int count = hg_sched_blocked_on_memory(p, ids);
  for (int i = 0; i < count; i++) hg_sched_evict(p, hg_sched_index(p, ids[i]));
  unlock(p);
  for (int i = 0; i < count; i++) starpu_wake_worker_relax_light(ids[i]);
}

/* Wakes a slower worker that left a task to a faster one which has just taken another. */
static void alert_another(hg_policy *p)
{
  int i = 0;
  while (i < p->workers && !p->idle[i]) i++;
  if (i < p->workers && p->shared.count > 0) hg_sched_alert(p, i);
}

static struct starpu_task *pop_task(unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  if (w < 0) return NULL;
  hg_sched_worker *self = &p->worker[w];
  wake_those_without_room(p, self);
  if (atomic_load(&p->idle[w]) && !hg_sched_workers_changed(p)) return NULL;
  struct starpu_task *task = NULL;
  lock(p);
  hg_ready *ready = hg_sched_pop(p, w);
  if (!ready && self->queue.count == 0) ready = hg_sched_steal(p, w);
  if (ready) {
    task = ready->task;
    begin(p, w, ready);
    hg_sched_free_ready(p, ready);
    hg_sched_prefetch_next(p, w);
    if (p->heterogeneous) alert_another(p);
  } else if (p->stranded.count == 0 && !atomic_exchange(&p->idle[w], true)) {
    p->idlers++;
  }
  unlock(p);
  return task;
}

/* StarPU moves the data of such a task if its codelet says where to. */
static void submitted_nowhere(hg_policy *p, struct starpu_task *task)
{
  if (!task->cl->specific_nodes) return;
  lock(p);
  hg_sched_let_go_for(p, task);
  unlock(p);
}

/* Tasks without a codelet, StarPU's own tasks and those that run nowhere never reach the workers. */
static void submit_hook(struct starpu_task *task)
{
  hg_policy *p = task->cl ? starpu_sched_ctx_get_policy_data(task->sched_ctx) : NULL;
  if (!p) return;
  if (task->cl->where == STARPU_NOWHERE || task->where == STARPU_NOWHERE) {
    submitted_nowhere(p, task);
    return;
  }
  uint64_t shape = hg_sched_shape(task);
  bool asked = shape == 0;
  hg_model_estimate model;
  if (asked) hg_sched_ask_models(p, task, &model);
  lock(p);
  if (asked) shape = ++p->singular;
  if (!asked && !hg_sched_lookup_model(p, shape, true, &model)) {
    unlock(p);
    hg_sched_ask_models(p, task, &model);
    asked = true;
    lock(p);
  }
  if (asked) hg_sched_store_model(p, task, shape, &model);
  const int n = hg_sched_submitted(p, task, &model);
  if (n >= 0) p->graph.node[n].shape = shape;
  unlock(p);
}

/* The program waits: everything is submitted for now. If it does so again and again on cores alone, as to read a
 * number in each iteration, its tasks are ranked again only when they have changed, where there are many. */
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

/* Without transfers a task begins when it is taken. */
static void pre_exec(struct starpu_task *task, unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  if (!p || w < 0) return;
  hg_sched_worker *self = &p->worker[w];
  const bool has_begun = self->begins == task;
  self->begins = NULL;
  if (has_begun) return;
  lock(p);
  const int n = hg_sched_task_node(p, task);
  hg_task_graph_node *node = n >= 0 ? &p->graph.node[n] : NULL;
  if (node && node->bound) {
    self->bound_load = fmax(0, self->bound_load - node->taken);
    self->load += node->taken;
    self->taken++;
    node->bound = false;
  }
  runs(p, w, node);
  unlock(p);
}

/* A worker that stalls again and again is slow. */
static bool tells_speed(hg_sched_worker *self, double expected, double seconds)
{
  self->stalls = hg_sched_has_stalled(self, expected, seconds) ? self->stalls + 1 : 0;
  return self->stalls == 0 || (self->stalls > HG_RECENT && !self->cold);
}

/* A task's time runs from its start, or from the end of the task before it if it was submitted to the device
 * earlier. */
static void post_exec(struct starpu_task *task, unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  const int w = hg_sched_index(p, starpu_worker_get_id());
  if (!p || w < 0) return;
  lock(p);
  hg_sched_worker *self = &p->worker[w];
  const double time = hg_sched_now();
  const int n = hg_sched_task_node(p, task);
  if (n >= 0) {
    const hg_task_graph_node node = p->graph.node[n];
    if (node.owner >= 0) p->worker[node.owner].done++;
    const double seconds = time - fmax(self->ended, node.begun + p->origin);
    if (--self->taken <= 0) self->taken = 0;
    self->load = self->taken > 0 ? fmax(0, self->load - node.taken) : 0;
    const bool tells = tells_speed(self, node.taken, seconds);
    if (tells) hg_sched_note_slowdown(self, node.taken, seconds);
    hg_task_graph_remove(&p->graph, n);
    hg_sched_let_go_unwanted(p, task);
    if (tells || self->cold) hg_sched_measured(p, task, w, node.model, seconds);
    if (node.tile >= 0) p->owners.tile[node.tile].live--;
    if (node.tile >= 0 && p->rule->done) p->rule->done(p, w, seconds);
    if (seconds > HG_NOISE * (double)node.taken) hg_sched_offer(p, w); /* others have time for what waits behind it */
  }
  self->ended = self->started = time;
  self->running_estimate = self->begun = 0;
  hg_sched_stop_idling(p, w);
  int ids[STARPU_NMAXWORKERS];
  self->frees_memory = hg_sched_blocked_on_memory(p, ids) > 0;
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
  for (unsigned i = 0; i < count; i++) hg_sched_add_worker(p, ids[i]);
  hg_sched_count_workers(p);
  STARPU_PTHREAD_MUTEX_UNLOCK(&p->lock);
  for (unsigned i = 0; i < count; i++) {
    const int w = hg_sched_index(p, ids[i]);
    if (w >= 0) hg_sched_stop_idling(p, w);
    starpu_sched_ctx_worker_shares_tasks_lists(ids[i], (int)context);
    if (ids[i] != self) starpu_wake_worker_locked(ids[i]);
  }
}

static const hg_rule list_scheduling = {.place = hg_sched_place, .steals = true};

/* The policy's name says which rule to use and, after it, which options. */
static void start(unsigned context)
{
  const char *name = starpu_sched_get_sched_policy_in_ctx(context)->policy_name, *part = strchr(name, '-');
  hg_policy *p = calloc(1, sizeof *p);
  if (!p) STARPU_ABORT_MSG("hetgrid: no memory for the policy");
  STARPU_PTHREAD_MUTEX_INIT(&p->lock, NULL);
  p->context = context;
  p->rule = part ? &hg_nphp_rule : &list_scheduling;
  p->steals = p->rule->steals && parameter("HETGRID_SCHED_STEAL", 1) != 0;
  p->gamma = 1e-6 * parameter("STARPU_SCHED_GAMMA", 0);
  p->idle_power = parameter("STARPU_IDLE_POWER", 0);
  p->origin = hg_sched_now();
  for (int i = 0; i < STARPU_NMAXWORKERS; i++) atomic_init(&p->index[i], -1);
  const char *options = part && strcmp(part, "-nphp") == 0 ? getenv("HETGRID_NPHP") : part ? part + 1 : NULL;
  if (part && !hg_nphp_open(p, options, parameter("HETGRID_SCHED_EPSILON", .05)))
    STARPU_ABORT_MSG("hetgrid: no memory for the policy");
  starpu_sched_ctx_set_policy_data(context, p);
  if (!starpu_sched_ctx_min_priority_is_set(context)) starpu_sched_ctx_set_min_priority(context, INT_MIN);
  if (!starpu_sched_ctx_max_priority_is_set(context)) starpu_sched_ctx_set_max_priority(context, INT_MAX);
}

static void stop(unsigned context)
{
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  starpu_sched_ctx_set_policy_data(context, NULL);
  for (int i = 0; i < hg_sched_queues(p); i++) hg_queue_free(hg_sched_queue(p, i));
  hg_owners_free(&p->owners);
  hg_task_graph_free(&p->graph);
  hg_sched_free_spare(p);
  hg_nphp_close(p);
  hg_map_clear(&p->resident);
  STARPU_PTHREAD_MUTEX_DESTROY(&p->lock);
  free(p);
}

#define POLICY(name, description)                                                                                      \
  {                                                                                                                    \
    .init_sched = start, .deinit_sched = stop, .add_workers = add_workers, .push_task = push_task,                     \
    .push_task_notify = push_notify, .pop_task = pop_task, .submit_hook = submit_hook, .do_schedule = do_schedule,     \
    .pre_exec_hook = pre_exec, .post_exec_hook = post_exec, .prefetches = 1, .policy_name = name,                      \
    .policy_description = description, .worker_type = STARPU_WORKER_LIST                                               \
  }

static struct starpu_sched_policy policies[] = {
    POLICY("hetgrid", "list scheduling with stealing; tasks go to the owners that the program names"),
    POLICY("hetgrid-nphp", "regions of the tile grid by speed (HETGRID_NPHP: rows, even, dfpa)"),
    POLICY("hetgrid-rows", "hetgrid-nphp with HETGRID_NPHP=rows"),
    POLICY("hetgrid-even", "hetgrid-nphp with HETGRID_NPHP=even"),
    POLICY("hetgrid-dfpa", "hetgrid-nphp with HETGRID_NPHP=dfpa"),
};

struct starpu_sched_policy *hg_sched_policies[] = {&policies[0], &policies[1], NULL};

struct starpu_sched_policy *hg_sched_find(const char *name)
{
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
    if (strcmp(policies[i].policy_name, name) == 0) return &policies[i];
  return NULL;
}
