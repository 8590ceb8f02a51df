/* SPDX-License-Identifier: MIT */
/* Elimination's tasks on CUDA devices. They queue their work on the worker's stream; StarPU waits for it. */
#include "codelets/lu/lu_cuda_codelet.h"

#include <stdlib.h>

#include "codelets/lu/lu_cuda.h"

static hg_lu_cuda of_worker[STARPU_NMAXWORKERS]; /* its handles */

static void check(cudaError_t error)
{
  if (error != cudaSuccess) STARPU_CUDA_REPORT_ERROR(error);
}

bool hg_lu_cuda_can(const hg_lu_task *task)
{
  return !task->swap || task->tiles <= HG_LU_SWAP_TILES;
}

static void open_handles(void *unused)
{
  (void)unused;
  check(hg_lu_cuda_open(false, starpu_cuda_get_local_stream(), &of_worker[starpu_worker_get_id_check()]));
}

void hg_lu_cuda_prepare(void)
{
  if (starpu_cuda_worker_get_count() > 0) starpu_execute_on_each_worker(open_handles, NULL, STARPU_CUDA);
}

/* Device memory of this worker, kept and grown as needed; a replaced block is freed only after work queued on it. A
 * thread may drive several workers, whose streams run at the same time. */
static void *device_scratch(const hg_lu_cuda *c, size_t bytes)
{
  static struct {
    void *memory;
    size_t size;
  } scratch[STARPU_NMAXWORKERS];
  const unsigned worker = starpu_worker_get_id_check();
  if (bytes <= scratch[worker].size) return scratch[worker].memory;
  check(cudaStreamSynchronize(c->stream));
  if (scratch[worker].memory) check(cudaFree(scratch[worker].memory));
  scratch[worker].size = bytes + bytes / 4;
  check(cudaMalloc(&scratch[worker].memory, scratch[worker].size));
  return scratch[worker].memory;
}

static hg_lu_cuda begin(const hg_lu_task *task)
{
  hg_lu_cuda c = of_worker[starpu_worker_get_id_check()];
  hg_lu_cuda_use(&c, task->is_float, starpu_cuda_get_local_stream());
  if (task->urgent) check(hg_lu_cuda_begin_urgent(&c));
  return c;
}

static void end(hg_lu_cuda *c, const hg_lu_task *task)
{
  if (task->urgent) check(hg_lu_cuda_end_urgent(c, starpu_cuda_get_local_stream()));
}

static hg_cuda_tile tile_of(void *buffer)
{
  return (hg_cuda_tile){(void *)STARPU_MATRIX_GET_PTR(buffer), (int)STARPU_MATRIX_GET_NX(buffer),
                        (int)STARPU_MATRIX_GET_NY(buffer), (int)STARPU_MATRIX_GET_LD(buffer)};
}

void hg_lu_panel_cuda(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  hg_lu_cuda c = begin(task);
  hg_cuda_tile tile[task->tiles];
  int rows = 0;
  for (int i = 0; i < task->tiles; i++) {
    tile[i] = tile_of(buffer[i]);
    rows += tile[i].rows;
  }
  const size_t bytes = hg_lu_cuda_panel_bytes(&c, rows, tile[0].cols);
  check(bytes ? cudaSuccess : cudaErrorUnknown);
  check(hg_lu_cuda_panel(&c, tile, task->tiles, task->unpivoted, device_scratch(&c, bytes), bytes,
                         (int32_t *)STARPU_VECTOR_GET_PTR(buffer[task->tiles])));
  end(&c, task);
}

/* Address of row `row` of a tile. */
static void *row_of(const hg_lu_task *task, void *buffer, int row)
{
  return (char *)tile_of(buffer).a + (size_t)row * (task->is_float ? sizeof(float) : sizeof(double));
}

/* Bundles of rows from other ranks come after the tiles and the panels in the buffers. */
static void move_rows(const hg_lu_cuda *c, const hg_lu_task *task, void *buffer[])
{
  hg_cuda_move *move = malloc((size_t)task->moves * sizeof *move);
  const int cols = tile_of(buffer[0]).cols;
  if (!move) check(cudaErrorMemoryAllocation);
  for (int i = 0; i < task->moves; i++) {
    const hg_lu_move *m = &task->move[i];
    void *source = buffer[m->source < task->tiles ? m->source : m->source + task->panels];
    move[i] = (hg_cuda_move){row_of(task, source, m->from), row_of(task, buffer[m->target], m->to), tile_of(source).ld,
                             tile_of(buffer[m->target]).ld};
  }
  void *work = device_scratch(c, (size_t)task->moves * (size_t)cols * sizeof(double));
  check(hg_lu_cuda_move_rows(c, move, task->moves, cols, work));
  free(move);
}

static void swap_by_pivots(const hg_lu_cuda *c, const hg_lu_task *task, void *buffer[])
{
  void *pivots = buffer[task->tiles + task->panels + task->bundles];
  hg_cuda_tile tile[task->tiles];
  const int count = (int)STARPU_VECTOR_GET_NX(pivots) - 1;
  for (int i = 0; i < task->tiles; i++) tile[i] = tile_of(buffer[i]);
  check(hg_lu_cuda_swap(c, tile, task->tiles, (const int32_t *)STARPU_VECTOR_GET_PTR(pivots), count,
                        device_scratch(c, hg_lu_cuda_swap_bytes(count))));
}

/* tile[i] += alpha panel[i] top */
static void add_products(const hg_lu_cuda *c, double alpha, void *const *panel, const hg_cuda_tile *top,
                         void *const *tile, int count)
{
  hg_cuda_tile l[count + 1], t[count + 1];
  if (count <= 0) return;
  for (int i = 0; i < count; i++) {
    l[i] = tile_of(panel[i]);
    t[i] = tile_of(tile[i]);
  }
  check(hg_lu_cuda_add_products(c, alpha, l, top, t, count, device_scratch(c, hg_lu_cuda_products_bytes(count))));
}

static void exchange_rows(const hg_lu_cuda *c, const hg_lu_task *task, void *buffer[])
{
  if (task->swap) swap_by_pivots(c, task, buffer);
  if (task->moves) move_rows(c, task, buffer);
}

static void eliminate_column(const hg_lu_cuda *c, const hg_lu_task *task, void *buffer[])
{
  void **panel = buffer + task->tiles;
  const hg_cuda_tile top = tile_of(buffer[0]), triangle = task->panels ? tile_of(panel[0]) : top;
  const int updated = task->panels < task->tiles ? task->panels : task->tiles;
  if (task->reverse) {
    add_products(c, 1, panel + 1, &top, buffer + 1, updated - 1);
    if (task->solve) check(hg_lu_cuda_times_lower(c, &triangle, &top));
    exchange_rows(c, task, buffer);
    return;
  }
  exchange_rows(c, task, buffer);
  if (task->solve) check(hg_lu_cuda_solve(c, &triangle, task->upper, &top));
  add_products(c, -1, panel + 1, &top, buffer + 1, updated - 1);
}

void hg_lu_column_cuda(void *buffer[], void *arg)
{
  hg_lu_cuda c = begin(arg);
  eliminate_column(&c, arg, buffer);
  end(&c, arg);
}

static void clear(const hg_lu_cuda *c, const hg_cuda_tile *t)
{
  const size_t size = c->is_float ? sizeof(float) : sizeof(double);
  check(cudaMemset2DAsync(t->a, (size_t)t->ld * size, 0, (size_t)t->rows * size, (size_t)t->cols, c->stream));
}

void hg_lu_update_cuda(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  hg_lu_cuda c = begin(task);
  const hg_cuda_tile top = tile_of(buffer[0]);
  add_products(&c, task->reverse ? 1 : -1, buffer + 1 + task->tiles, &top, buffer + 1, task->tiles);
  end(&c, task);
}

void hg_lu_products_cuda(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  hg_lu_cuda c = begin(task);
  const hg_cuda_tile tile = tile_of(buffer[task->tiles]);
  hg_cuda_tile panel = tile_of(buffer[task->tiles + 1]);
  if (task->fresh) clear(&c, &tile);
  for (int i = 0; i < task->tiles; i++) {
    const hg_cuda_tile top = tile_of(buffer[i]);
    panel.cols = top.rows;
    check(hg_lu_cuda_add_products(&c, 1, &panel, &top, &tile, 1, NULL));
    panel.a = (char *)panel.a + (size_t)top.rows * (size_t)panel.ld * (c.is_float ? sizeof(float) : sizeof(double));
  }
  end(&c, task);
}

void hg_lu_unscale_cuda(void *buffer[], void *arg)
{
  hg_lu_cuda c = begin(arg);
  const hg_cuda_tile tile = tile_of(buffer[0]), triangle = tile_of(buffer[1]);
  check(hg_lu_cuda_times_upper(&c, &triangle, &tile));
  end(&c, arg);
}

void hg_lu_pack_cuda(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  hg_lu_cuda c = begin(task);
  hg_cuda_move *move = malloc((size_t)task->moves * sizeof *move);
  const hg_cuda_tile bundle = tile_of(buffer[task->tiles]);
  if (!move) check(cudaErrorMemoryAllocation);
  for (int i = 0; i < task->moves; i++) {
    const hg_lu_move *m = &task->move[i];
    move[i] = (hg_cuda_move){row_of(task, buffer[m->source], m->from), row_of(task, buffer[task->tiles], m->to),
                             tile_of(buffer[m->source]).ld, bundle.ld};
  }
  void *work = device_scratch(&c, (size_t)task->moves * (size_t)bundle.cols * sizeof(double));
  check(hg_lu_cuda_move_rows(&c, move, task->moves, bundle.cols, work));
  free(move);
  end(&c, task);
}

void hg_lu_add_cuda(void *buffer[], void *arg)
{
  hg_lu_cuda c = begin(arg);
  const hg_cuda_tile to = tile_of(buffer[0]), from = tile_of(buffer[1]);
  check(hg_lu_cuda_add(&c, &from, &to));
  end(&c, arg);
}
