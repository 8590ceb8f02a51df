/* SPDX-License-Identifier: MIT */
#include "graph/batch.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "codelets/units/batch_codelet.h"
#include "runtime/shared_counter.h"
#include "runtime/pinned.h"
#include "runtime/record.h"
#include "runtime/task_data.h"
#include "placement/guided.h"
#include "schedulers/hetgrid_sched.h"

/* Steps in flight: enough to hide the submission. A batch of the next step waits for that of this one, since it uses
 * the same memory. */
enum { STEPS_IN_FLIGHT = 2 };

/* The values of a batch of this rank. */
typedef struct batch {
  int id;
  int64_t taken; /* number of the step for which it was taken from the queue, from 1 */
  hg_box box;
  void *memory;
  size_t bytes;
  starpu_data_handle_t values;
} batch;

typedef struct batches {
  hg_graph base;
  const hg_units_kernel *kernel;
  int count; /* of this rank; with a queue, of all ranks */
  batch *batch;
  int64_t step;        /* steps submitted since the load */
  hg_counter *counter; /* counts batches taken from the queue; NULL: no queue */
  int64_t *begin;      /* [count + 1] first unit of each batch */
  int64_t given;       /* numbers that the counter gave in earlier steps */
} batches;

static bool is_mine(const batches *g, const batch *b)
{
  return !g->counter || b->taken == g->step;
}

static hg_status make_batch(const batches *g, batch *b, int id, const hg_box *box, int owner)
{
  b->id = id;
  b->box = *box;
  b->bytes = (size_t)(hg_box_cells(&b->box) * g->kernel->update->value_bytes);
  if (b->bytes >= UINT32_MAX) return hg_fail(HG_INVALID, "batch: values of %zu bytes, must be < 2^32", b->bytes);
  HG_TRY(hg_pinned_allocate("the values of a batch", b->bytes, &b->memory));
  starpu_vector_data_register(&b->values, STARPU_MAIN_RAM, (uintptr_t)b->memory, (uint32_t)b->bytes, 1);
  starpu_data_set_coordinates(b->values, 3, (int)b->box.lo[0], (int)b->box.lo[1], (int)b->box.lo[2]);
  starpu_data_set_name(b->values, "values");
  hg_sched_set_owner(b->values, owner);
  return HG_OK;
}

static hg_status submit(const batches *g, const batch *b)
{
  const hg_units_kernel *k = g->kernel;
  const size_t size = sizeof(hg_batch_step) + k->parameter_bytes;
  hg_batch_step *step = malloc(size);
  if (!step) return hg_fail(HG_MEMORY, "no memory for a task");
  *step = (hg_batch_step){.kernel = k, .box = b->box, .step = g->step};
  if (k->parameter_bytes) memcpy(step->parameters, k->parameters, k->parameter_bytes);
  const int error = starpu_task_insert(
      (struct starpu_codelet *)(uintptr_t)&k->task, STARPU_W, b->values, STARPU_CL_ARGS, step, size, STARPU_FLOPS,
      hg_batch_flops(step), STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE, hg_record_number(),
      STARPU_TASK_WORKERIDS, hg_task_allowed_words(g->base.session, &k->task, false), g->base.session->allowed, 0);
  return hg_task_status(error, k->task.name);
}

/* Allows one task per worker, and one that waits. */
static void wait_for_room(const batches *g)
{
  const int most = g->base.session->workers + 1;
  const struct timespec delay = {0, 100000};
  while (starpu_task_nsubmitted() >= most) {
    hg_counter_serve(g->counter);
    nanosleep(&delay, NULL);
  }
}

static hg_status submit_next(batches *g, int64_t number)
{
  batch *b = &g->batch[number];
  if (!b->memory) {
    const hg_box box = {{g->begin[number], 0, 0}, {g->begin[number + 1], 1, 1}};
    HG_TRY(make_batch(g, b, (int)number, &box, HG_SCHED_ANYWHERE));
  }
  b->taken = g->step + 1;
  return submit(g, b);
}

/* Each rank asks the counter once more than it gets batches. */
static hg_status submit_from_queue(batches *g)
{
  hg_status status = HG_OK;
  for (int64_t number = 0; number < g->count && status == HG_OK;) {
    wait_for_room(g);
    number = hg_counter_next(g->counter) - g->given;
    if (number < g->count) status = submit_next(g, number);
  }
  g->given += g->count + g->base.session->ranks;
  return hg_session_agree(g->base.session, status);
}

static hg_status submit_own(batches *g)
{
  for (int i = 0; i < g->count; i++) HG_TRY(submit(g, &g->batch[i]));
  return HG_OK;
}

static hg_status advance(hg_graph *graph, int64_t steps, bool measure, hg_steps_report *report, void *arg)
{
  batches *g = (batches *)graph;
  bool go_on = true;
  (void)measure;
  for (int64_t i = 0; i < steps && go_on; i++) {
    starpu_iteration_push((unsigned long)g->step);
    HG_TRY(g->counter ? submit_from_queue(g) : submit_own(g));
    starpu_iteration_pop();
    g->step++;
    starpu_task_wait_for_n_submitted((unsigned)(STEPS_IN_FLIGHT * g->count));
    if (report) go_on = report(arg, i + 1);
  }
  return HG_OK;
}

static hg_status wait(hg_graph *g)
{
  (void)g;
  starpu_task_wait_for_all();
  return HG_OK;
}

static hg_status load(hg_graph *graph, int64_t first, hg_fill *init, void *arg)
{
  (void)init, (void)arg; /* earlier values are never read */
  batches *g = (batches *)graph;
  starpu_task_wait_for_all();
  g->step = first;
  for (int i = 0; i < g->count; i++) g->batch[i].taken = 0;
  return HG_OK;
}

static hg_status move(hg_graph *from, hg_graph *to)
{
  starpu_task_wait_for_all();
  ((batches *)to)->step = ((batches *)from)->step;
  return HG_OK;
}

static hg_status visit(hg_graph *graph, hg_tile_sink *take, void *arg)
{
  const batches *g = (batches *)graph;
  hg_status status = HG_OK;
  for (int i = 0; i < g->count && status == HG_OK; i++) {
    if (!is_mine(g, &g->batch[i])) continue;
    starpu_data_acquire(g->batch[i].values, STARPU_R);
    const hg_tile_view view =
        hg_tile_contiguous(g->batch[i].id, &g->batch[i].box, g->batch[i].memory, g->kernel->update->value_bytes);
    status = take(arg, &view);
    starpu_data_release(g->batch[i].values);
  }
  return status;
}

static int64_t position(const hg_box *b, const int64_t at[3])
{
  int64_t p = 0;
  for (int a = 2; a >= 0; a--) p = p * hg_box_extent(b, a) + at[a] - b->lo[a];
  return p;
}

static void use(hg_graph *graph, int64_t id, hg_value_user *user, void *arg)
{
  batches *g = (batches *)graph;
  const int64_t *n = graph->tiling->domain.n, at[3] = {id % n[0], id / n[0] % n[1], id / n[0] / n[1]};
  const int tile = hg_tile_at(graph->tiling, at);
  int i = 0;
  while (g->batch[i].id != tile) i++;
  const size_t bytes = (size_t)g->kernel->update->value_bytes;
  starpu_data_acquire(g->batch[i].values, STARPU_RW);
  user(arg, (char *)g->batch[i].memory + position(&g->batch[i].box, at) * (int64_t)bytes, bytes);
  starpu_data_release(g->batch[i].values);
}

/* --- building --- */

static hg_status build_own(batches *g)
{
  const hg_tiling *t = g->base.tiling;
  for (int i = 0; i < t->tiles; i++) {
    const hg_box box = hg_tile_core(t, i);
    if (hg_tile_region(t, i)->rank != g->base.session->rank) continue;
    HG_TRY(make_batch(g, &g->batch[g->count], i, &box, hg_graph_worker(&g->base, i)));
    g->count++;
  }
  return HG_OK;
}

/* With a queue, values are registered when batches are taken. */
static hg_status build(batches *g, int64_t least)
{
  const hg_session *s = g->base.session;
  const hg_domain *d = &g->base.tiling->domain;
  int count = g->base.tiling->tiles;
  if (least > 0 && d->dims > 1) return hg_fail(HG_INVALID, "a queue of batches: %d dimensions, must be 1", d->dims);
  if (least > 0) HG_TRY(hg_guided_cut(d->n[0], s->all_workers, least, &g->begin, &count));
  HG_TRY(hg_allocate("batches", ((size_t)count + 1) * sizeof *g->batch, (void **)&g->batch));
  if (least == 0) return build_own(g);
  g->count = count;
  return HG_OK;
}

static void release(hg_graph *graph)
{
  batches *g = (batches *)graph;
  for (int i = 0; i < g->count; i++) {
    if (!g->batch[i].memory) continue;
    starpu_data_unregister_no_coherency(g->batch[i].values);
    hg_pinned_free(g->batch[i].memory, g->batch[i].bytes);
  }
  hg_sched_forget_tiles();
  hg_counter_free(g->counter);
  free(g->begin);
  free(g->batch);
  free(g);
}

static const hg_graph_operations operations = {
    .load = load, .move = move, .advance = advance, .wait = wait, .visit = visit, .use = use, .release = release};

int hg_batch_count(const hg_graph *graph)
{
  const batches *g = (const batches *)graph;
  return g->counter ? g->count : graph->tiling->tiles;
}

hg_status hg_batch_make(const hg_session *session, const hg_tiling *tiling, const hg_units_kernel *kernel,
                        int64_t least, hg_graph **out)
{
  batches *g = calloc(1, sizeof *g);
  if (!g) return hg_fail(HG_MEMORY, "no memory");
  *g = (batches){.base = {&operations, session, tiling, kernel->times}, .kernel = kernel};
  hg_status status = hg_session_agree(session, build(g, least));
  if (status == HG_OK && least > 0) status = hg_counter_make(session, &g->counter);
  if (status != HG_OK)
    release(&g->base);
  else
    *out = &g->base;
  return status;
}
