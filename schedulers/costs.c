/* SPDX-License-Identifier: MIT */
/* For how long who can run a task, and when it would be done. */
#include <math.h>
#include <stdlib.h>

#include "schedulers/policy.h"

void hg_sched_transfers(const hg_policy *p, struct starpu_task *task, bool last, hg_costs *c)
{
  bool known[STARPU_MAXNODES] = {false};
  const bool alone = starpu_memory_nodes_get_count() == 1;
  const int workers = p->workers;
  for (int w = 0; w < workers; w++) {
    const unsigned node = hg_sched_node(p, w);
    if (known[node] || isinf(c->model.seconds[w])) continue;
    c->way[node] = alone ? (hg_transfer_cost){0} : hg_sched_transfer(p, task, last, node, &c->weights);
    known[node] = true;
  }
}

const void *hg_sched_kind(const struct starpu_task *task)
{
  return task->cl->model ? (const void *)task->cl->model : (const void *)task->cl;
}

size_t hg_sched_kind_place(const void *kind)
{
  return (size_t)(((uintptr_t)kind >> 4) * 2654435761u >> 7) % HG_KINDS;
}

/* Of the worker, or of the first like it. */
static const hg_measured_estimate *find_measured(const hg_policy *p, int w, const void *kind)
{
  const hg_measured_estimate *m = &p->worker[w].measured[hg_sched_kind_place(kind)];
  if (m->kind != kind) m = &p->worker[p->worker[w].perf_class].measured[hg_sched_kind_place(kind)];
  return m->kind == kind ? m : NULL;
}

static bool is_own(const hg_policy *p, int w, const hg_measured_estimate *m)
{
  return m >= p->worker[w].measured && m < p->worker[w].measured + HG_KINDS;
}

/* Beside GPUs flops count, of which a core is taken to do few and a GPU many: so a core does not try what would take it
 * seconds, and a GPU tells soon what it really does. Else all count as equal. */
double hg_sched_guess(double flops, bool on_gpu, unsigned gpus)
{
  static const double EQUAL = 1e-3, CORE = 1e10, GPU = 1e13, LAUNCH = 2e-5;
  if (gpus == 0 || !(flops > 0)) return EQUAL;
  return on_gpu ? LAUNCH + flops / GPU : flops / CORE;
}

/* The line of least squares; through 0 where flops differ little, and never below it. */
double hg_sched_by_flops(const hg_measured_estimate *m, double flops)
{
  static const double ALIKE = 1e-4;
  if (!(m->flops > 0) || !(flops > 0)) return m->seconds;
  const double square = m->flops * m->flops, spread = m->squares - square, steepest = m->seconds / m->flops,
               slope = spread > ALIKE * square ? (m->products - m->flops * m->seconds) / spread : steepest;
  return m->seconds + fmin(fmax(slope, 0), steepest) * (flops - m->flops);
}

/* Where there is no calibrated model, times measured on the worker serve, then its speed table, then times of workers
 * like it. */
static double corrected(const hg_policy *p, const struct starpu_task *task, int w, double model)
{
  if (isinf(model)) return model;
  const void *kind = hg_sched_kind(task);
  const hg_measured_estimate *m = find_measured(p, w, kind);
  if (model > 0) return m ? model * m->ratio : model;
  const double tabled = hg_sched_by_table(p, kind, w);
  if (tabled > 0 && (!m || !is_own(p, w, m))) return tabled;
  if (m && m->seconds > 0) return hg_sched_by_flops(m, task->flops);
  return hg_sched_guess(task->flops, starpu_worker_get_type(p->worker[w].id) == STARPU_CUDA_WORKER, hg_sched_gpus());
}

hg_estimates *hg_sched_estimates(const hg_policy *p, const hg_costs *c)
{
  const int workers = p->workers;
  hg_estimates *e = malloc(sizeof *e + (size_t)(workers + STARPU_MAXNODES) * sizeof *e->seconds);
  if (!e) return NULL;
  e->epoch = c->model.epoch;
  e->moving = e->seconds + workers;
  for (int w = 0; w < workers; w++) e->seconds[w] = (float)c->seconds[w];
  for (int n = 0; n < STARPU_MAXNODES; n++) e->moving[n] = (float)c->way[n].transfer;
  return e;
}

static bool are_known(const hg_policy *p, const hg_ready *r)
{
  return r->estimates && r->estimates->epoch == p->epoch;
}

double hg_sched_expected(const hg_policy *p, const hg_ready *r, int w)
{
  unsigned implementation;
  if (are_known(p, r)) return (double)r->estimates->seconds[w];
  return corrected(p, r->task, w, hg_sched_model(p, r, w, &implementation));
}

void hg_sched_correct(const hg_policy *p, struct starpu_task *task, hg_costs *c)
{
  bool known = true;
  for (int w = 0; w < p->workers; w++) known = known && c->model.seconds[w] > 0;
  for (int w = 0; w < p->workers; w++)
    c->seconds[w] = corrected(p, task, w, known ? c->model.seconds[w] : isinf(c->model.seconds[w]) ? INFINITY : 0);
}

bool hg_sched_is_cold(const hg_sched_worker *w, const struct starpu_task *task)
{
  const void *kind = hg_sched_kind(task);
  return w->measured[hg_sched_kind_place(kind)].kind != kind;
}

/* The first time of a kind, which may be a thousand times too long, stands until there is a second one. */
void hg_sched_measured(hg_policy *p, struct starpu_task *task, int w, double model, double seconds)
{
  const void *kind = hg_sched_kind(task);
  hg_measured_estimate *m = &p->worker[w].measured[hg_sched_kind_place(kind)];
  const double ratio = model > 0 ? fmin(fmax(seconds / model, 1. / 16), 16) : 1;
  const double flops = fmax(task->flops, 0);
  if (m->kind != kind || !m->warm)
    *m = (hg_measured_estimate){kind, 1, seconds, flops, flops * flops, flops * seconds, m->kind == kind};
  if (!m->warm) return;
  m->ratio += (ratio - m->ratio) / 4;
  m->seconds += (seconds - m->seconds) / 8;
  m->flops += (flops - m->flops) / 8;
  m->squares += (flops * flops - m->squares) / 8;
  m->products += (flops * seconds - m->products) / 8;
  hg_sched_measure_unit(p, kind, w, seconds);
}

/* Of data that are only read, in times of their way alone. */
static const float READ = 4;

enum { GPUS_OF_NOTE = 2 }; /* fewer share the bus so little that nothing is counted */

void hg_sched_readers_ready(hg_policy *p, struct starpu_task *task)
{
  if (hg_sched_gpus() < GPUS_OF_NOTE) return;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_W))
      hg_task_graph_reader_ready(&p->graph, STARPU_TASK_GET_HANDLE(task, b));
}

void hg_sched_data_done(hg_policy *p, struct starpu_task *task)
{
  if (hg_sched_gpus() < GPUS_OF_NOTE) return;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    const void *data = STARPU_TASK_GET_HANDLE(task, b);
    if (STARPU_TASK_GET_MODE(task, b) & STARPU_W)
      hg_task_graph_made(&p->graph, data);
    else
      hg_task_graph_reader_done(&p->graph, data);
  }
}

/* What a task only reads stays where it was and serves other tasks where it comes to: four times as long as alone. In a
 * memory that is nearly full what tasks write does not stay, and has to come again. Of data that no task writes more is
 * known. Where tasks that still wait will read them again to write the same, as the matrix in each step of an
 * iteration, they come once for all of these: their time alone. Else each may want a copy elsewhere, as of the factors
 * of a product. Where more than four tasks want them now, each GPU may fetch a copy of its own meanwhile: as often. */
static float fare_of_read(const hg_reading *r, unsigned gpus)
{
  if (r->written) return READ;
  return r->later > 0 && r->again ? 1 : fmaxf(READ, fminf((float)r->ready, (float)gpus));
}

/* What no task has written yet comes once, wherever it is worked on: as long as what is only read. */
static float fare_of_written(const hg_reading *r, double updated)
{
  return (float)(r->made ? updated : fmin(updated, READ));
}

void hg_sched_find_weights(const hg_policy *p, struct starpu_task *task, hg_transfer_weights *f)
{
  const unsigned gpus = hg_sched_gpus(), buffers = STARPU_TASK_GET_NBUFFERS(task);
  f->updated = hg_sched_contention();
  f->other = gpus < GPUS_OF_NOTE ? 2 * (float)gpus : READ;
  f->told = gpus < GPUS_OF_NOTE ? 0 : buffers < HG_WEIGHED ? buffers : HG_WEIGHED;
  for (unsigned b = 0; b < f->told; b++) {
    const hg_reading r = hg_task_graph_reading(&p->graph, STARPU_TASK_GET_HANDLE(task, b));
    const bool writes = STARPU_TASK_GET_MODE(task, b) & STARPU_W;
    f->written[b] = writes || r.written;
    f->buffer[b] = writes ? fare_of_written(&r, f->updated) : fare_of_read(&r, gpus);
  }
}

/* Of a buffer, for a memory that is full or not. */
static double fare_of(const hg_transfer_weights *f, unsigned b, bool writes, bool last, bool full)
{
  const bool told = b < f->told;
  if (writes && !last) return told ? f->buffer[b] : f->updated;
  if (full && (!told || f->written[b])) return hg_sched_contention();
  return !told ? f->other : writes ? READ : f->buffer[b];
}

hg_transfer_cost hg_sched_transfer(const hg_policy *p, struct starpu_task *task, bool last, unsigned node,
                                   const hg_transfer_weights *fares)
{
  const double in_use = hg_sched_contention();
  const bool full = hg_sched_is_full(p, node);
  hg_transfer_cost way = {0};
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    const enum starpu_data_access_mode mode = STARPU_TASK_GET_MODE(task, b);
    const double seconds = starpu_data_expected_transfer_time(STARPU_TASK_GET_HANDLE(task, b), node, mode) * 1e-6;
    if (seconds <= 0) continue;
    const double alone = seconds / in_use;
    way.transfer += alone * fare_of(fares, b, mode & STARPU_W, last, full);
    way.uncontended += alone;
    if (mode & STARPU_W) way.updated += alone;
  }
  return way;
}

bool hg_sched_is_last(const hg_policy *p, int node)
{
  return !p->resumed && node >= 0 && p->graph.node[node].rank <= p->graph.node[node].seconds;
}

double hg_sched_transfer_time(const hg_policy *p, const hg_ready *r, int w)
{
  hg_transfer_weights fares;
  if (are_known(p, r)) return (double)r->estimates->moving[hg_sched_node(p, w)];
  hg_sched_find_weights(p, r->task, &fares);
  return hg_sched_transfer(p, r->task, hg_sched_is_last(p, r->node), hg_sched_node(p, w), &fares).transfer;
}

/* A worker whose task takes so many times as long as expected is not slow: it loads a library, allocates or pins. */
static const double STALL = 16;

bool hg_sched_has_stalled(const hg_sched_worker *w, double expected, double seconds)
{
  return w->cold || (expected > 0 && seconds > STALL * expected);
}

/* A task that takes longer than expected may take as long again, unless its worker has stalled: that ends soon, and
 * cores that took a device's tasks meanwhile would have them for long. */
double hg_sched_remaining(const hg_sched_worker *w, double time)
{
  const double passed = w->running_estimate > 0 ? time - w->started : 0;
  return hg_sched_has_stalled(w, w->running_estimate, passed) ? fmax(0, w->running_estimate - passed)
                                                              : fabs(w->running_estimate - passed);
}

double hg_sched_remaining_started(const hg_sched_worker *w, double time)
{
  const double rest = w->load > w->running_estimate ? w->load - w->running_estimate : 0;
  return w->bound_load + rest + hg_sched_remaining(w, time);
}

/* A task that takes more than so many times as long as expected says at once how slow its worker has become. */
static const double OVERRUNS = 2;

/* A worker that overruns is at least that slow; a task that is shorter than others says nothing of them. */
static double pace_now(const hg_sched_worker *w)
{
  if (w->begun <= 0 || w->running_estimate <= 0 || w->running_estimate < w->mean_estimate) return w->slowdown;
  const double passed = (hg_sched_now() - w->begun) / w->running_estimate;
  return passed > OVERRUNS && !hg_sched_has_stalled(w, 1, passed) ? fmax(passed, w->slowdown) : w->slowdown;
}

/* Paces near 1 are noise. */
double hg_sched_scaled(const hg_sched_worker *w, double seconds)
{
  if (seconds <= 0) return 0;
  const double pace = pace_now(w);
  return pace > .8 && pace < 1.25 ? seconds : seconds * pace;
}

/* A task counts by its part of the time: a short one that waited for its driver does not make the long ones longer. */
void hg_sched_note_slowdown(hg_sched_worker *w, double expected, double seconds)
{
  if (expected <= 0) return; /* nobody knew */
  const double MOST = 16, took = fmin(seconds / expected, MOST);
  w->mean_estimate += (expected - w->mean_estimate) / (w->mean_estimate > 0 ? 8 : 1);
  const double part = fmin(expected / w->mean_estimate, 1);
  w->slowdown += (took - w->slowdown) * (part >= 1 && took > OVERRUNS * w->slowdown ? 1 : part / 4);
}

double hg_sched_available(const hg_policy *p, int w, double time)
{
  const hg_sched_worker *m = &p->worker[w];
  const hg_group *g = &p->group[m->group];
  const double done = hg_sched_remaining_started(m, time) + hg_sched_scaled(m, hg_queue_seconds(&m->queue)) +
                      (g->capacity > 0 ? hg_queue_seconds(&g->queue) / g->capacity : 0);
  return fmax(done, hg_sched_link_free(p, w, time));
}

/* The worker that is expected to finish the task first, or where its joules and that cost least, behind all that
 * waits there: what is more urgent than others goes before them in the end, but they must be done. -1: none can. */
int hg_sched_earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c)
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
