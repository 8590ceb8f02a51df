/* SPDX-License-Identifier: MIT */
#include "divisible/passes.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "divisible/internal.h"
#include "runtime/task_data.h"
#include "speed/guess.h"

/* --- the division of a pass --- */

/* If every rank has the same items as before, divides them by what its workers learnt. */
static hg_status divide_ranks(hg_divisible_run *r)
{
  r->first = 0;
  r->count = r->items;
  for (int rank = 0; rank < r->session->rank; rank++) r->first += r->ranks.w[rank];
  if (r->session->ranks > 1) r->count = r->ranks.w[r->session->rank];
  r->predicted = r->session->ranks > 1 ? r->ranks.promised : r->workers.promised;
  return hg_shares_set_items(&r->workers, r->count);
}

static hg_status add_chunk(hg_divisible_run *r, const hg_item_device *d, int64_t first, int64_t count)
{
  const int64_t *n = r->job.grid;
  HG_TRY(hg_grow("chunks", (void **)&r->chunk, r->chunks, sizeof *r->chunk));
  r->chunk[r->chunks++] = (hg_item_chunk){.job = &r->job,
                                          .items = {.first = first,
                                                    .count = count,
                                                    .grid = {n[0], n[1], n[2]},
                                                    .worker = (int)d->worker,
                                                    .arg = r->job.arg,
                                                    .cores = d->cores},
                                          .cuda = d->cuda,
                                          .bound_to = d->bound_to};
  return HG_OK;
}

static hg_status divide_device(hg_divisible_run *r, hg_item_device *d, int64_t first, int64_t items)
{
  HG_TRY(hg_item_device_divide(r, d, items));
  for (int i = 0; i < d->streams.count; i++) {
    HG_TRY(hg_item_device_prepare(r, d, d->streams.size[i]));
    HG_TRY(add_chunk(r, d, first, d->streams.size[i]));
    first += d->streams.size[i];
  }
  return HG_OK;
}

static hg_status divide(hg_divisible_run *r)
{
  HG_TRY(divide_ranks(r));
  int64_t first = r->first;
  r->chunks = 0;
  for (int i = 0; i < r->devices; first += r->workers.w[i++])
    HG_TRY(divide_device(r, &r->device[i], first, r->workers.w[i]));
  return HG_OK;
}

/* --- tasks --- */

static void register_part(hg_divisible_run *r, int i, int64_t first, int64_t count, starpu_data_handle_t *handle)
{
  const hg_item_array *a = &r->local[i];
  int64_t element = a->bytes;
  for (int64_t rest = a->rows > 1 ? a->stride : 0; rest;) {
    const int64_t next = element % rest;
    element = rest;
    rest = next;
  }
  const int64_t wide = count * (a->bytes / element), ld = a->rows > 1 ? a->stride / element : wide;
  starpu_matrix_data_register(handle, STARPU_MAIN_RAM, (uintptr_t)a->base + (uintptr_t)(first * a->bytes), (uint32_t)ld,
                              (uint32_t)wide, (uint32_t)a->rows, (size_t)element);
  if (hg_item_array_comes(a)) starpu_data_set_wt_mask(*handle, 1u << STARPU_MAIN_RAM);
}

static void arrive(void *arg)
{
  hg_item_arrival *a = arg;
  const double now = hg_now();
  if (now > a->chunk->end) a->chunk->end = now;
  starpu_data_release_on_node(a->handle, STARPU_MAIN_RAM);
}

/* Waits for results of a GPU's chunk; the last one to arrive in main memory sets the end time. */
static void await_results(hg_item_chunk *c)
{
  for (int i = 0; i < c->job->arrays; i++) {
    if (!c->cuda || !hg_item_array_comes(&c->job->array[i])) continue;
    c->arrival[i] = (hg_item_arrival){c, c->handle[i]};
    starpu_data_acquire_on_node_cb(c->handle[i], STARPU_MAIN_RAM, STARPU_R, arrive, &c->arrival[i]);
  }
}

/* All cores that run a chunk together call this; the first one sets the begin time. */
static void note_begin(void *chunk)
{
  double none = 0;
  atomic_compare_exchange_strong(&((hg_item_chunk *)chunk)->begin, &none, hg_now());
}

static void note_end(void *chunk)
{
  hg_item_chunk *c = chunk;
  if (!c->cuda) c->end = hg_now();
}

static hg_status submit(hg_divisible_run *r, hg_item_chunk *c, int priority)
{
  struct starpu_task *t = starpu_task_create();
  if (t) t->detach = t->destroy = 0; /* otherwise it could not be destroyed here */
  if (t) t->dyn_handles = malloc((size_t)(r->job.arrays + 1) * sizeof *t->dyn_handles);
  if (!t || !t->dyn_handles) {
    if (t) starpu_task_destroy(t);
    return hg_fail(HG_MEMORY, "no memory for a task");
  }
  t->cl = &r->codelet.task;
  t->cl_arg = c;
  t->cl_arg_size = sizeof *c;
  t->execute_on_a_specific_worker = 1;
  t->workerid = c->bound_to;
  t->priority = priority;
  t->flops = r->job.flops * (double)c->items.count;
  t->prologue_callback_pop_func = note_begin;
  t->epilogue_callback_func = note_end;
  t->prologue_callback_pop_arg = t->epilogue_callback_arg = c;
  for (int i = 0; i < r->job.arrays; i++) t->dyn_handles[i] = c->handle[i];
  c->task = t;
  const int error = starpu_task_submit(t);
  if (error == 0) return HG_OK;
  c->task = NULL;
  starpu_task_destroy(t);
  return hg_task_status(error, r->name);
}

static void register_chunks(hg_divisible_run *r)
{
  for (int i = 0; i < r->job.arrays; i++)
    if (r->job.array[i].access == HG_ITEM_SHARED)
      starpu_matrix_data_register(&r->shared[i], STARPU_MAIN_RAM, (uintptr_t)r->job.array[i].base, 1, 1, 1,
                                  (size_t)r->job.array[i].bytes);
  for (int k = 0; k < r->chunks; k++)
    for (int i = 0; i < r->job.arrays; i++) {
      hg_item_chunk *c = &r->chunk[k];
      if (r->shared[i])
        c->handle[i] = r->shared[i];
      else
        register_part(r, i, c->items.first - (r->session->rank > 0 ? r->first : 0), c->items.count, &c->handle[i]);
    }
}

/* A GPU's first streams are submitted first. All tasks are bound to their workers, so priorities only order those of
 * one worker. After submission, a chunk's status belongs to its worker. */
static void submit_all(hg_divisible_run *r)
{
  register_chunks(r);
  for (int k = 0; k < r->chunks; k++) {
    hg_item_chunk *c = &r->chunk[k];
    const hg_status status = submit(r, c, r->chunks - k);
    if (status == HG_OK) {
      await_results(c);
      continue;
    }
    c->status = status;
    snprintf(c->message, sizeof c->message, "%s", hg_message());
  }
}

hg_status hg_divisible_plan(hg_divisible_run *r)
{
  if (r->passing) return hg_fail(HG_INVALID, "%s: the previous pass has not been waited for", r->name);
  HG_TRY(hg_session_agree(r->session, divide(r)));
  r->planned = true;
  return HG_OK;
}

hg_status hg_divisible_begin(hg_divisible_run *r)
{
  if (!r->planned) HG_TRY(hg_divisible_plan(r));
  r->planned = false;
  const double begin = r->begin = hg_now();
  HG_TRY(hg_divisible_deliver(r));
  r->submitted = hg_now();
  r->travel = r->submitted - begin;
  r->passing = true;
  submit_all(r);
  return HG_OK;
}

/* --- the end of a pass --- */

static hg_status failure(const hg_divisible_run *r, const hg_item_chunk *c)
{
  char name[128];
  starpu_worker_get_name(c->items.worker, name, sizeof name);
  return hg_fail(c->status, "%s: items %" PRId64 " to %" PRId64 " on %s: %s", r->name, c->items.first,
                 c->items.first + c->items.count - 1, name, c->message);
}

static hg_status wait(hg_divisible_run *r)
{
  hg_status status = HG_OK;
  for (int k = 0; k < r->chunks; k++) {
    hg_item_chunk *c = &r->chunk[k];
    if (!c->task) continue;
    const int error = starpu_task_wait(c->task);
    if (error && c->status == HG_OK) c->status = hg_task_status(error, r->name);
    starpu_task_destroy(c->task);
    c->task = NULL;
    if (c->cuda && c->end == 0) c->end = hg_now(); /* results, if any, arrive later */
  }
  for (int k = 0; k < r->chunks; k++)
    for (int i = 0; i < r->job.arrays; i++)
      if (!r->shared[i]) starpu_data_unregister(r->chunk[k].handle[i]);
  for (int i = 0; i < r->job.arrays; i++) {
    if (r->shared[i]) starpu_data_unregister(r->shared[i]);
    r->shared[i] = NULL;
  }
  for (int k = 0; k < r->chunks && status == HG_OK; k++)
    if (r->chunk[k].status != HG_OK) status = failure(r, &r->chunk[k]);
  return status;
}

/* A device's time: from the beginning to its last result, and at least the clock's resolution. */
static void take_times(hg_divisible_run *r)
{
  for (int i = 0; i < r->devices; i++) r->seconds[i] = 0;
  for (int k = 0; k < r->chunks; k++) {
    const hg_item_chunk *c = &r->chunk[k];
    int i = 0;
    while (r->device[i].worker != (unsigned)c->items.worker) i++;
    r->seconds[i] = fmax(r->seconds[i], fmax(c->end - r->begin, 1e-9));
  }
}

/* Ranks learn nothing from a pass in which one of their GPUs was cold. */
static hg_status learn(hg_divisible_run *r)
{
  double cold = hg_shares_start_cold(&r->workers);
  if (r->session->ranks > 1) hg_session_max(r->session, &cold);
  HG_TRY(hg_shares_learn(&r->workers, r->seconds));
  return r->session->ranks > 1 && !(cold > 0) ? hg_shares_learn(&r->ranks, r->rank_seconds) : HG_OK;
}

static void count_device(const hg_divisible_run *r, int i, double sum[4])
{
  const hg_item_device *d = &r->device[i];
  sum[2] += r->workers.speed[i].count;
  if (!d->cuda) return;
  sum[0] += (double)r->share[d->worker];
  sum[1] += r->share[d->worker] > 0 ? d->streams.count : 0;
  sum[2] += d->known.in.count + d->known.out.count + d->known.kernel.count;
  sum[3] = fmax(sum[3], (double)d->n_min);
}

/* The shares of the pass must be read before learning changes them. */
static void keep_shares(hg_divisible_run *r)
{
  for (int w = 0; w < r->session->workers; w++) r->share[w] = 0, r->busy[w] = 0;
  for (int i = 0; i < r->devices; i++) {
    r->share[r->device[i].worker] = r->workers.w[i];
    r->busy[r->device[i].worker] = r->seconds[i];
  }
}

/* The time of a GPU's share beyond its kernels is transfers; a CPU's tasks need none. */
static void keep_phases(hg_divisible_run *r)
{
  for (int w = 0; w < r->session->workers; w++) r->compute[w] = 0, r->transfer[w] = r->travel;
  for (int k = 0; k < r->chunks; k++) {
    const hg_item_chunk *c = &r->chunk[k];
    r->compute[c->items.worker] += c->cuda ? c->kernel : c->end - c->begin;
  }
  for (int i = 0; i < r->devices; i++) {
    const unsigned w = r->device[i].worker;
    if (!r->device[i].cuda || r->share[w] == 0) continue;
    r->transfer[w] += fmax(r->begin + r->busy[w] - r->submitted - r->compute[w], 0);
  }
}

static double imbalance_of(const hg_divisible_run *r)
{
  double high = 0, low = -INFINITY;
  for (int w = 0; w < r->session->workers; w++)
    if (r->share[w] > 0) high = fmax(high, r->busy[w]), low = fmax(low, -r->busy[w]);
  if (r->session->ranks > 1 && r->count > 0) { /* including inputs and results in transit */
    const double whole = r->rank_seconds[r->session->rank];
    high = fmax(high, whole);
  }
  hg_session_max(r->session, &high);
  hg_session_max(r->session, &low);
  return high > 0 && isfinite(low) ? (high + low) / high : 0;
}

static void report(hg_divisible_run *r, double seconds)
{
  double sum[4] = {0};
  for (int i = 0; i < r->devices; i++) count_device(r, i, sum);
  if (r->session->rank == 0 && r->session->ranks > 1)
    for (int rank = 0; rank < r->session->ranks; rank++) sum[2] += r->ranks.speed[rank].count;
  hg_session_sum_all(r->session, sum, 3);
  hg_session_max(r->session, &sum[3]);
  const hg_shares *s = r->session->ranks > 1 ? &r->ranks : &r->workers;
  r->report = (hg_divisible_report){.pass = r->report.pass + 1,
                                    .ranks = r->session->ranks,
                                    .rank = r->session->rank,
                                    .workers = r->session->workers,
                                    .seconds = seconds,
                                    .predicted = r->predicted,
                                    .imbalance = imbalance_of(r),
                                    .items = r->count,
                                    .items_gpu = (int64_t)sum[0],
                                    .streams = (int)sum[1],
                                    .points = (int64_t)sum[2],
                                    .n_min = (int64_t)sum[3],
                                    .state = hg_shares_state_name(s->state),
                                    .share = r->share,
                                    .busy = r->busy,
                                    .compute = r->compute,
                                    .transfer = r->transfer};
}

hg_status hg_divisible_end(hg_divisible_run *r)
{
  if (!r->passing) return hg_fail(HG_INVALID, "%s: there is no pass to wait for", r->name);
  if (r->session->rank == 0) hg_divisible_collect(r);
  hg_status status = wait(r);
  r->passing = false;
  take_times(r);
  const double done = hg_now();
  if (r->session->rank > 0) hg_divisible_collect(r);
  double seconds = hg_now() - r->begin;
  r->travel += r->begin + seconds - done;
  hg_session_max(r->session, &seconds);
  hg_divisible_share_times(r);
  HG_TRY(hg_session_agree(r->session, status));
  keep_shares(r);
  status = hg_session_agree(r->session, learn(r));
  keep_phases(r);
  if (status == HG_OK) report(r, seconds);
  return status;
}

const hg_divisible_report *hg_divisible_last(const hg_divisible_run *r)
{
  return &r->report;
}

/* --- making --- */

static hg_status begin_shares(hg_divisible_run *r)
{
  const int ranks = r->session->ranks;
  const size_t workers = (size_t)r->session->workers + 1;
  HG_TRY(hg_shares_begin(ranks, r->items, r->job.epsilon, NULL, &r->ranks));
  HG_TRY(hg_shares_begin(r->devices, ranks > 1 ? r->ranks.w[r->session->rank] : r->items, r->job.epsilon, NULL,
                         &r->workers));
  r->workers.model = hg_item_device_model;
  r->workers.arg = r;
  HG_TRY(hg_allocate("times", (size_t)r->devices * sizeof(double), (void **)&r->seconds));
  HG_TRY(hg_allocate("times", (size_t)ranks * sizeof(double), (void **)&r->rank_seconds));
  HG_TRY(hg_allocate("shares", workers * sizeof *r->share, (void **)&r->share));
  HG_TRY(hg_allocate("times", workers * sizeof *r->busy, (void **)&r->busy));
  HG_TRY(hg_allocate("times", workers * sizeof *r->compute, (void **)&r->compute));
  return hg_allocate("times", workers * sizeof *r->transfer, (void **)&r->transfer);
}

/* Shares by what earlier runs learnt, or by guesses. */
static hg_status first_shares(hg_divisible_run *r)
{
  for (int i = 0; i < r->devices; i++) {
    r->workers.rate[i] = hg_item_device_rate(r, &r->device[i]);
    if (r->device[i].cuda) r->workers.start[i] = HG_COLD_KERNELS;
  }
  r->workers.left = r->job.passes;
  HG_TRY(hg_divisible_read_models(r));
  HG_TRY(hg_shares_renew(&r->workers));
  return hg_shares_renew(&r->ranks);
}

static void pin(hg_divisible_run *r)
{
  bool refused = false;
  for (int i = 0; i < r->job.arrays; i++) {
    const hg_item_array *a = &r->job.array[i];
    if (starpu_cuda_worker_get_count() == 0 || r->job.pageable || r->items == 0 || !a->base || a->divided ||
        (r->session->rank > 0 && a->access != HG_ITEM_SHARED))
      continue;
    r->pinned[i] = starpu_memory_pin(a->base, (size_t)hg_item_array_extent(a, r->items)) == 0;
    refused = refused || !r->pinned[i];
  }
  if (refused) hg_log(HG_WARN, "%s: arrays could not be pinned: transfers are slower", r->name);
}

static hg_status make(hg_divisible_run *r, const hg_divisible *job)
{
  const hg_session *s = r->session;
  HG_TRY(hg_session_agree(s, hg_divisible_check(s, job, r)));
  HG_TRY(hg_divisible_check_ranks(r));
  hg_item_codelet_make(&r->job, &r->codelet);
  HG_TRY(hg_session_agree(s, hg_divisible_devices(r)));
  HG_TRY(hg_session_agree(s, begin_shares(r)));
  HG_TRY(first_shares(r));
  pin(r);
  return HG_OK;
}

hg_status hg_divisible_make(const hg_session *session, const hg_divisible *job, hg_divisible_run **out)
{
  hg_divisible_run *r = hg_allocate_distinct(sizeof *r);
  if (!r) return hg_fail(HG_MEMORY, "no memory for a run");
  r->session = session;
  const hg_status status = make(r, job);
  if (status == HG_OK) {
    r->report = (hg_divisible_report){.ranks = session->ranks,
                                      .rank = session->rank,
                                      .workers = session->workers,
                                      .state = hg_shares_state_name(r->workers.state),
                                      .share = r->share,
                                      .busy = r->busy,
                                      .compute = r->compute,
                                      .transfer = r->transfer};
    *out = r;
    return HG_OK;
  }
  hg_divisible_release(r);
  hg_free_distinct(r);
  return status;
}

void hg_divisible_release(hg_divisible_run *r)
{
  if (r->passing) wait(r);
  for (int i = 0; i < r->job.arrays && i < HG_ITEM_ARRAYS; i++) {
    const hg_item_array *a = &r->job.array[i];
    if (r->pinned[i]) starpu_memory_unpin(a->base, (size_t)hg_item_array_extent(a, r->items));
    hg_pinned_drop(&r->buffer[i]);
  }
  for (int i = 0; i < r->devices; i++) free(r->device[i].prepared);
  hg_divisible_free_messages(r);
  hg_item_parts_free(r);
  hg_shares_end(&r->workers);
  hg_shares_end(&r->ranks);
  free(r->device);
  free(r->chunk);
  free(r->seconds);
  free(r->rank_seconds);
  free(r->share);
  free(r->busy);
  free(r->compute);
  free(r->transfer);
}
