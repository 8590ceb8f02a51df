/* SPDX-License-Identifier: MIT */
#include "elimination/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "codelets/simulated_costs.h"
#include "runtime/messages.h"
#include "runtime/pinned.h"
#include "schedulers/hetgrid_sched.h"
#include "runtime/record.h"
#include "runtime/task_data.h"

int hg_lu_rows(const hg_elimination *e, int i)
{
  int64_t left = e->n - (int64_t)i * e->problem.nb;
  return (int)(left < e->problem.nb ? left : e->problem.nb);
}

int hg_lu_sole_owner(const hg_elimination *e, int k, int j)
{
  int owner = hg_lu_owner(e, k, j);
  int last = k + e->problem.map->rows < e->tiles ? k + e->problem.map->rows : e->tiles;
  for (int i = k + 1; i < last; i++)
    if (hg_lu_owner(e, i, j) != owner) return -1;
  return owner;
}

int64_t hg_lu_tag(const hg_elimination *e, int kind, int k, int i)
{
  return ((int64_t)k * (e->columns + 1) + i) * TAG_KINDS + kind;
}

/* The active part shrinks: regions of neighbouring tiles would not stay balanced. */
static void name_tile(const hg_elimination *e, starpu_data_handle_t handle, int i, int j)
{
  const int home = hg_lu_affinity(e, i, j);
  starpu_data_set_coordinates(handle, 2, j, i);
  starpu_data_set_name(handle, "tile");
  if (home >= 0)
    hg_sched_set_home(handle, home);
  else
    hg_sched_set_owner(handle, HG_SCHED_ANYWHERE);
}

/* A panel's copies are contiguous in memory, too, so that they form one tall matrix on a CPU. */
static starpu_data_handle_t make_panel_copy(const hg_elimination *e, int slot, int k, int i)
{
  starpu_data_handle_t handle;
  char *at =
      (char *)e->copies +
      ((size_t)slot * (size_t)e->copy_ld * (size_t)e->problem.nb + (size_t)i * (size_t)e->problem.nb) * e->value_bytes;
  starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)at, (uint32_t)e->copy_ld, (uint32_t)hg_lu_rows(e, i),
                              (uint32_t)hg_lu_rows(e, k), e->value_bytes);
  return handle;
}

/* A tile whose memory StarPU allocates when needed. */
static starpu_data_handle_t make_copy(const hg_elimination *e, int rows, int cols)
{
  starpu_data_handle_t handle;
  starpu_matrix_data_register(&handle, -1, 0, (uint32_t)rows, (uint32_t)rows, (uint32_t)cols, e->value_bytes);
  return handle;
}

starpu_data_handle_t hg_lu_panel_tile(hg_elimination *e, int k, int i)
{
  if (hg_lu_is_local(e, i, k)) return e->column[k].tile[i];
  /* the last panel may be narrower and needs its own copy */
  int slot = k == e->tiles - 1 ? COPY_SLOTS : k % COPY_SLOTS;
  starpu_data_handle_t *copy = &e->panel_copy[slot * e->tiles + i];
  if (!*copy) *copy = make_panel_copy(e, slot, k, i);
  return *copy;
}

starpu_data_handle_t hg_lu_top_tile(hg_elimination *e, int k, int j)
{
  if (hg_lu_is_local(e, k, j)) return e->column[j].tile[k];
  int slot = k == e->tiles - 1 ? COPY_SLOTS : k % COPY_SLOTS;
  starpu_data_handle_t *copy = &e->top_copy[slot * e->columns + j];
  if (!*copy) *copy = make_copy(e, hg_lu_rows(e, k), e->column[j].cols);
  return *copy;
}

starpu_data_handle_t hg_lu_sum_tile(hg_elimination *e, int i, int j)
{
  if (hg_lu_is_local(e, i, j)) return e->column[j].tile[i];
  starpu_data_handle_t *sum = &e->sum[(j - e->tiles) * e->tiles + i];
  if (!*sum) *sum = make_copy(e, hg_lu_rows(e, i), e->column[j].cols);
  return *sum;
}

void hg_lu_send(const hg_elimination *e, starpu_data_handle_t tile, int to, int64_t tag)
{
  hg_message_send(e->session, tile, to, tag);
}

void hg_lu_receive(const hg_elimination *e, starpu_data_handle_t tile, int from, int64_t tag)
{
  hg_message_receive(e->session, tile, from, tag, e->watched ? hg_lu_message_arrived : NULL, &e->steps[e->step]);
}

void hg_lu_begin(hg_elimination *e)
{
  e->count = 0;
}

void hg_lu_add(hg_elimination *e, starpu_data_handle_t handle, enum starpu_data_access_mode mode)
{
  e->descr[e->count++] = (struct starpu_data_descr){.handle = handle, .mode = mode};
}

hg_status hg_lu_submit(hg_elimination *e, struct starpu_codelet *codelet, const hg_lu_task *task,
                       const hg_lu_move *move, int priority, double flops)
{
  const size_t moves = (size_t)task->moves * sizeof *move, bytes = sizeof *task + moves;
  hg_lu_task *copy = malloc(bytes);
  if (!copy) return hg_fail(HG_MEMORY, "no memory for a task");
  *copy = *task;
  copy->is_float = e->problem.precision == HG_FLOAT;
  copy->urgent = priority > PRIORITY_UPDATE;
  copy->failure = &e->failure;
  if (moves) memcpy(copy->move, move, moves);
  if (!codelet->cuda_funcs[0] && !hg_task_has_cores()) {
    const hg_status status = hg_task_here(codelet, e->descr, e->count, copy);
    free(copy);
    return status;
  }
  const bool cores = task->swap && !hg_lu_swaps_on_gpus(task->tiles);
  const unsigned words = e->worker < 0 ? hg_task_allowed_words(e->session, codelet, cores) : 0;
  int error = starpu_task_insert(codelet, STARPU_DATA_MODE_ARRAY, e->descr, e->count, STARPU_CL_ARGS, copy, bytes,
                                 STARPU_TASK_WORKERIDS, words, e->session->allowed, STARPU_EXECUTE_ON_WORKER, e->worker,
                                 STARPU_PRIORITY, priority, STARPU_FLOPS, flops, STARPU_CALLBACK, hg_record_task(),
                                 STARPU_CALLBACK_ARG_NFREE, hg_record_number(), STARPU_EPILOGUE_CALLBACK,
                                 hg_lu_task_ended(e), STARPU_EPILOGUE_CALLBACK_ARG, hg_lu_step_here(e), 0);
  return hg_task_status(error, codelet->name);
}

hg_status hg_lu_submit_pair(hg_elimination *e, struct starpu_codelet *codelet, const hg_lu_task *task,
                            starpu_data_handle_t tile, starpu_data_handle_t other, int priority, double flops)
{
  hg_lu_begin(e);
  hg_lu_add(e, tile, STARPU_RW);
  hg_lu_add(e, other, STARPU_R);
  return hg_lu_submit(e, codelet, task, NULL, priority, flops);
}

double hg_lu_update_flops(const hg_elimination *e, int k, int j, double rows)
{
  return 2 * rows * (double)hg_lu_rows(e, k) * (double)e->column[j].cols;
}

hg_status hg_lu_submit_update(hg_elimination *e, int k, int j, int first, int end, bool reverse, int priority)
{
  hg_lu_task task = {.reverse = reverse};
  double rows = 0;
  hg_lu_begin(e);
  hg_lu_add(e, hg_lu_top_tile(e, k, j), STARPU_R);
  for (int i = first; i < end; i++)
    if (hg_lu_is_local(e, i, j)) {
      hg_lu_add(e, e->column[j].tile[i], STARPU_RW);
      rows += hg_lu_rows(e, i);
      task.tiles++;
    }
  if (task.tiles == 0) return HG_OK;
  for (int i = first; i < end; i++)
    if (hg_lu_is_local(e, i, j)) hg_lu_add(e, hg_lu_panel_tile(e, k, i), STARPU_R);
  return hg_lu_submit(e, &hg_lu_update_codelet, &task, NULL, priority, hg_lu_update_flops(e, k, j, rows));
}

hg_status hg_lu_wait(hg_elimination *e)
{
  hg_message_wait_all(e->session);
  return hg_session_agree(e->session, hg_failure_take(&e->failure));
}

/* Widths: nb for A; B is split so that every worker has columns of it. */
static void set_columns(hg_elimination *e)
{
  const int nb = e->problem.nb;
  const int rhs_columns = e->columns - e->tiles;
  for (int j = 0; j < e->tiles; j++) {
    e->column[j].col = (int64_t)j * nb;
    e->column[j].cols = hg_lu_rows(e, j);
  }
  for (int c = 0; c < rhs_columns; c++) {
    int64_t first = e->nrhs * c / rhs_columns, end = e->nrhs * (c + 1) / rhs_columns;
    e->column[e->tiles + c].col = first;
    e->column[e->tiles + c].cols = (int)(end - first);
  }
}

static hg_status measure_columns(hg_elimination *e)
{
  e->bytes = 0;
  for (int j = 0; j < e->columns; j++) {
    hg_lu_column *c = &e->column[j];
    for (int i = 0; i < e->tiles; i++)
      if (hg_lu_is_local(e, i, j)) c->rows += hg_lu_rows(e, i);
    c->ld = hg_leading_dimension(c->rows, e->value_bytes);
    e->bytes += (size_t)c->ld * (size_t)c->cols * e->value_bytes;
  }
  e->copy_ld = hg_leading_dimension(e->n, e->value_bytes);
  if (e->session->ranks > 1)
    e->copy_bytes = (COPY_SLOTS + 1) * (size_t)e->copy_ld * (size_t)e->problem.nb * e->value_bytes;
  double need = (double)(e->bytes + e->copy_bytes), have = (double)hg_memory_available();
  if (need <= have || hg_simulated) return HG_OK;
  return hg_fail(HG_MEMORY, "%s: its tiles on rank %d need %.2f GB, %.2f GB are available",
                 hg_matrix_name(e->problem.a), e->session->rank, need / 1e9, have / 1e9);
}

static hg_status register_column(hg_elimination *e, int j, char **memory)
{
  hg_lu_column *c = &e->column[j];
  char *at = c->memory = *memory;
  c->tile = calloc((size_t)e->tiles + 1, sizeof(*c->tile));
  if (!c->tile) return hg_fail(HG_MEMORY, "no memory for %d tiles", e->tiles);
  for (int i = 0; i < e->tiles; i++) {
    if (!hg_lu_is_local(e, i, j)) continue;
    const uint32_t rows = (uint32_t)hg_lu_rows(e, i);
    starpu_matrix_data_register(&c->tile[i], STARPU_MAIN_RAM, (uintptr_t)at, (uint32_t)c->ld, rows, (uint32_t)c->cols,
                                e->value_bytes);
    name_tile(e, c->tile[i], i, j);
    at += rows * e->value_bytes;
  }
  *memory += (size_t)c->ld * (size_t)c->cols * e->value_bytes;
  return HG_OK;
}

/* In simulation no pivots are found; each is drawn from the rows below with equal probability, as in a random
 * matrix. */
static void invent_pivots(hg_elimination *e)
{
  const int nb = e->problem.nb;
  for (int k = 0; k < e->tiles; k++)
    for (int c = 0; c < hg_lu_rows(e, k); c++) {
      const int64_t column = (int64_t)k * nb + c;
      e->pivot[(int64_t)k * (nb + 1) + 1 + c] =
          c + (int32_t)(hg_random_unit(1, (uint64_t)column) * (double)(e->n - column));
    }
}

static hg_status make_pivots(hg_elimination *e)
{
  const int size = e->problem.nb + 1;
  e->pivot = calloc((size_t)e->tiles * (size_t)size + 1, sizeof *e->pivot);
  e->pivots = calloc((size_t)e->tiles + 1, sizeof(*e->pivots));
  if (!e->pivot || !e->pivots) return hg_fail(HG_MEMORY, "no memory for %d pivots", e->tiles * size);
  if (hg_simulated && e->problem.pivoting != HG_PIVOT_NONE) invent_pivots(e);
  for (int k = 0; k < e->tiles; k++) {
    starpu_vector_data_register(&e->pivots[k], STARPU_MAIN_RAM, (uintptr_t)(e->pivot + (int64_t)k * size),
                                (uint32_t)(hg_lu_rows(e, k) + 1), sizeof *e->pivot);
    starpu_data_set_name(e->pivots[k], "pivots");
  }
  return HG_OK;
}

static hg_status make_work_space(hg_elimination *e)
{
  const size_t tiles = (size_t)e->tiles + 1, columns = (size_t)e->columns + 1;
  e->panel_copy = calloc((COPY_SLOTS + 1) * tiles, sizeof(*e->panel_copy));
  e->top_copy = calloc((COPY_SLOTS + 1) * columns, sizeof(*e->top_copy));
  e->sum = calloc((columns - tiles + 1) * tiles, sizeof(*e->sum));
  e->row = malloc((size_t)(e->n + 1) * sizeof *e->row);
  e->move = malloc(2 * (size_t)e->problem.nb * sizeof *e->move);
  e->touched = calloc(tiles, sizeof *e->touched);
  e->needs = calloc((size_t)e->session->ranks, sizeof *e->needs);
  e->steps = calloc(tiles, sizeof *e->steps);
  e->spent = calloc((size_t)e->session->workers + 1, sizeof *e->spent);
  e->descr = malloc(((1 + HG_LU_AT_ONCE) * tiles + (size_t)e->session->ranks + 2) * sizeof *e->descr);
  if (!e->panel_copy || !e->top_copy || !e->sum || !e->row || !e->move || !e->touched || !e->needs || !e->steps ||
      !e->spent || !e->descr)
    return hg_fail(HG_MEMORY, "no memory for the lists of %d x %d tiles", e->tiles, e->columns);
  for (int64_t i = 0; i < e->n; i++) e->row[i] = (int32_t)i;
  return HG_OK;
}

static void unregister(starpu_data_handle_t *handle, int count)
{
  for (int i = 0; handle && i < count; i++)
    if (handle[i]) starpu_data_unregister_no_coherency(handle[i]);
  free(handle);
}

/* Allocates a GPU's memory for this many tiles, which StarPU keeps for them: allocation takes longer than their first
 * products. */
static void reserve_on(const hg_elimination *e, unsigned node, int64_t tiles)
{
  starpu_data_handle_t *tile = calloc((size_t)tiles + 1, sizeof(*tile));
  for (int64_t i = 0; tile && i < tiles; i++) {
    tile[i] = make_copy(e, e->problem.nb, e->problem.nb);
    if (starpu_data_acquire_on_node(tile[i], (int)node, STARPU_W) != 0) break;
    starpu_data_release_on_node(tile[i], (int)node);
  }
  if (tile) unregister(tile, (int)tiles);
}

/* As many as a GPU will have, unless tiles come and go. */
static void reserve(const hg_elimination *e)
{
  const double tile = (double)e->problem.nb * (double)e->problem.nb * (double)e->value_bytes;
  const double gpus = starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
  const int64_t tiles = (int64_t)((double)e->bytes / tile / gpus);
  for (int w = 0; w < e->gpus && !hg_simulated; w++) {
    const unsigned node = starpu_worker_get_memory_node((unsigned)w);
    const bool seen = w > 0 && starpu_worker_get_memory_node((unsigned)w - 1) == node;
    if (!seen && (double)tiles * tile < .8 * (double)starpu_memory_get_available(node)) reserve_on(e, node, tiles);
  }
}

hg_status hg_lu_build(hg_elimination *e)
{
  e->column = calloc((size_t)e->columns + 1, sizeof *e->column);
  if (!e->column) return hg_fail(HG_MEMORY, "no memory for %d block columns", e->columns);
  set_columns(e);
  HG_TRY(measure_columns(e));
  HG_TRY(hg_pinned_allocate("the matrix", e->bytes + 64, &e->memory));
  HG_TRY(hg_pinned_allocate("the panels of other ranks", e->copy_bytes + 64, &e->copies));
  char *memory = e->memory;
  for (int j = 0; j < e->columns; j++) HG_TRY(register_column(e, j, &memory));
  HG_TRY(make_pivots(e));
  reserve(e);
  return make_work_space(e);
}

void hg_lu_release(hg_elimination *e)
{
  for (int j = 0; e->column && j < e->columns; j++) unregister(e->column[j].tile, e->tiles);
  unregister(e->pivots, e->tiles);
  unregister(e->panel_copy, (COPY_SLOTS + 1) * e->tiles);
  unregister(e->top_copy, (COPY_SLOTS + 1) * e->columns);
  unregister(e->sum, (e->columns - e->tiles) * e->tiles);
  hg_pinned_free(e->memory, e->bytes + 64);
  hg_pinned_free(e->copies, e->copy_bytes + 64);
  free(e->column);
  free(e->pivot);
  free(e->row);
  free(e->move);
  free(e->touched);
  free(e->needs);
  free(e->steps);
  free(e->spent);
  free(e->descr);
}
