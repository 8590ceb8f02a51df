/* SPDX-License-Identifier: MIT */
#include "graph/batch.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/batch_codelet.h"
#include "graph/pinned.h"
#include "graph/record.h"
#include "graph/task_data.h"
#include "schedulers/hetgrid_sched.h"

/* Steps in flight: enough to hide the submission. A batch of the next step waits for that of this
 * one, whose place in memory it takes. */
enum { STEPS_IN_FLIGHT = 2 };

/* The values of a batch of this rank. */
typedef struct batch {
  int id;
  hg_box box;
  void *memory;
  size_t bytes;
  starpu_data_handle_t values;
} batch;

typedef struct batches {
  hg_graph base;
  const hg_units_kernel *kernel;
  int count;
  batch *batch;
  int64_t step; /* submitted since the load */
} batches;

static hg_status submit(const batches *g, const batch *b)
{
  const hg_units_kernel *k = g->kernel;
  const size_t size = sizeof(hg_batch_step) + k->parameter_bytes;
  hg_batch_step *step = malloc(size);
  if (!step) return hg_fail(HG_MEMORY, "no memory for a task");
  *step = (hg_batch_step){.kernel = k, .box = b->box, .step = g->step};
  if (k->parameter_bytes) memcpy(step->parameters, k->parameters, k->parameter_bytes);
  const int error =
      starpu_task_insert((struct starpu_codelet *)(uintptr_t)&k->task, STARPU_W, b->values, STARPU_CL_ARGS, step, size,
                         STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE, hg_record_number(),
                         STARPU_TASK_WORKERIDS, g->base.session->allowed_words, g->base.session->allowed, 0);
  return hg_task_status(error, k->task.name);
}

static hg_status advance(hg_graph *graph, int64_t steps, bool measure, hg_steps_report *report, void *arg)
{
  batches *g = (batches *)graph;
  bool go_on = true;
  (void)measure;
  for (int64_t i = 0; i < steps && go_on; i++) {
    starpu_iteration_push((unsigned long)g->step);
    for (int j = 0; j < g->count; j++) HG_TRY(submit(g, &g->batch[j]));
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
  (void)init, (void)arg; /* nobody reads values of before */
  starpu_task_wait_for_all();
  ((batches *)graph)->step = first;
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

static hg_status changed(hg_graph *graph)
{
  (void)graph;
  return HG_OK;
}

/* --- building --- */

static hg_status make_batch(batches *g, int tile)
{
  batch *b = &g->batch[g->count];
  b->id = tile;
  b->box = hg_tile_core(g->base.tiling, tile);
  b->bytes = (size_t)(hg_box_cells(&b->box) * g->kernel->update->value_bytes);
  if (b->bytes >= UINT32_MAX) return hg_fail(HG_INVALID, "batch: values of %zu bytes, must be < 2^32", b->bytes);
  HG_TRY(hg_pinned_allocate("the values of a batch", b->bytes, &b->memory));
  g->count++;
  starpu_vector_data_register(&b->values, STARPU_MAIN_RAM, (uintptr_t)b->memory, (uint32_t)b->bytes, 1);
  starpu_data_set_coordinates(b->values, 3, (int)b->box.lo[0], (int)b->box.lo[1], (int)b->box.lo[2]);
  starpu_data_set_name(b->values, "values");
  hg_sched_set_owner(b->values, hg_graph_worker(&g->base, tile));
  return HG_OK;
}

static hg_status build(batches *g)
{
  const hg_tiling *t = g->base.tiling;
  g->batch = calloc((size_t)t->tiles + 1, sizeof *g->batch);
  if (!g->batch) return hg_fail(HG_MEMORY, "no memory for %d batches", t->tiles);
  for (int i = 0; i < t->tiles; i++)
    if (hg_tile_region(t, i)->rank == g->base.session->rank) HG_TRY(make_batch(g, i));
  return HG_OK;
}

static void release(hg_graph *graph)
{
  batches *g = (batches *)graph;
  for (int i = 0; i < g->count; i++) {
    starpu_data_unregister_no_coherency(g->batch[i].values);
    hg_pinned_free(g->batch[i].memory, g->batch[i].bytes);
  }
  hg_sched_forget_tiles();
  free(g->batch);
  free(g);
}

static const hg_graph_operations operations = {.load = load,
                                               .move = move,
                                               .advance = advance,
                                               .wait = wait,
                                               .visit = visit,
                                               .use = use,
                                               .changed = changed,
                                               .release = release};

hg_status hg_batch_make(const hg_session *session, const hg_tiling *tiling, const hg_units_kernel *kernel,
                        hg_graph **out)
{
  batches *g = calloc(1, sizeof *g);
  if (!g) return hg_fail(HG_MEMORY, "no memory");
  *g = (batches){.base = {&operations, session, tiling, kernel->times}, .kernel = kernel};
  const hg_status status = hg_session_agree(session, build(g));
  if (status != HG_OK)
    release(&g->base);
  else
    *out = &g->base;
  return status;
}
