/* SPDX-License-Identifier: MIT */
#include "codelets/lu/lu_codelet.h"

#include <limits.h>
#include <string.h>

#include "codelets/simulated_costs.h"
#include "codelets/energy_codelet.h"
#ifdef HG_HAVE_CUDA
#include "codelets/lu/lu_cuda_codelet.h"
#endif
#include "codelets/lu/lu_kernels.h"
#include "codelets/scratch.h"
#include "codelets/lu/permutation.h"

/* A tile's values in this worker's memory. */
typedef struct tile {
  char *a;
  int rows, cols, ld;
} tile;

static tile tile_of(void *buffer)
{
  return (tile){.a = (char *)STARPU_MATRIX_GET_PTR(buffer),
                .rows = (int)STARPU_MATRIX_GET_NX(buffer),
                .cols = (int)STARPU_MATRIX_GET_NY(buffer),
                .ld = (int)STARPU_MATRIX_GET_LD(buffer)};
}

static size_t value_bytes(const hg_lu_task *task)
{
  return task->is_float ? sizeof(float) : sizeof(double);
}

static const hg_lu_kernels *kernels(const hg_lu_task *task)
{
  return &hg_lu_cpu[task->is_float];
}

/* Whether `b` begins in memory where `a` ends. */
static bool follows(const tile *a, const tile *b, size_t size)
{
  return b->a == a->a + (size_t)a->rows * size && b->ld == a->ld && b->cols == a->cols;
}

/* Number of rows from tile `first` to the last one that directly follows in memory; *next is the first tile that does
 * not. */
static int run_length(void *buffer[], int first, int count, size_t size, int *next)
{
  tile last = tile_of(buffer[first]);
  int rows = last.rows;
  for (*next = first + 1; *next < count; ++*next) {
    tile t = tile_of(buffer[*next]);
    if (!follows(&last, &t, size)) break;
    rows += t.rows;
    last = t;
  }
  return rows;
}

/* tile t += alpha panel t * top for first <= t < count, by the fewest and tallest products that the memory layout
 * allows. */
static void multiply_runs(const hg_lu_task *task, void *tiles[], void *panels[], int first, int count, const tile *top,
                          double alpha)
{
  const size_t size = value_bytes(task);
  while (first < count) {
    int next_tile, next_panel;
    run_length(tiles, first, count, size, &next_tile);
    run_length(panels, first, count, size, &next_panel);
    int next = next_tile < next_panel ? next_tile : next_panel, end;
    tile c = tile_of(tiles[first]), l = tile_of(panels[first]);
    int rows = run_length(tiles, first, next, size, &end);
    kernels(task)->multiply(rows, top->cols, l.cols, alpha, l.a, l.ld, top->a, top->ld, c.a, c.ld);
    first = next;
  }
}

/* The tiles of a panel as one matrix: in place if they are contiguous, else copied to `memory` (or back). */
static void *gather(void *buffer[], int tiles, int rows, size_t size, void *memory, int *ld, bool back)
{
  int next;
  tile first = tile_of(buffer[0]);
  if (run_length(buffer, 0, tiles, size, &next) == rows && next == tiles) {
    *ld = first.ld;
    return first.a;
  }
  *ld = rows;
  for (int i = 0, row = 0; i < tiles; i++) {
    tile t = tile_of(buffer[i]);
    for (int c = 0; c < t.cols; c++) {
      char *whole = (char *)memory + ((size_t)c * (size_t)rows + (size_t)row) * size;
      char *part = t.a + (size_t)c * (size_t)t.ld * size;
      memcpy(back ? part : whole, back ? whole : part, (size_t)t.rows * size);
    }
    row += t.rows;
  }
  return memory;
}

static void panel_cpu(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  const size_t size = value_bytes(task);
  int32_t *pivot = (int32_t *)STARPU_VECTOR_GET_PTR(buffer[task->tiles]);
  int rows = 0, cols = tile_of(buffer[0]).cols, ld;
  for (int i = 0; i < task->tiles; i++) rows += tile_of(buffer[i]).rows;
  void *memory = hg_task_scratch(task->failure, (size_t)rows * (size_t)cols * size);
  if (!memory) return;
  void *a = gather(buffer, task->tiles, rows, size, memory, &ld, false);
  const hg_lu_kernels *k = kernels(task);
  pivot[0] = (task->unpivoted ? k->panel_unpivoted : k->panel)(rows, cols, a, ld, pivot + 1);
  gather(buffer, task->tiles, rows, size, memory, &ld, true);
}

/* Rows counted from tile 0's first value: all local tiles of a column are in one block of memory. */
static int32_t row_offset(void *buffer[], int tile_number, int row, size_t size)
{
  return (int32_t)((tile_of(buffer[tile_number]).a - tile_of(buffer[0]).a) / (ptrdiff_t)size) + row;
}

/* Rows of the tiles are moved first; rows from bundles are written only after all rows of the tiles have been read. */
static void move_rows(const hg_lu_task *task, void *buffer[], const tile *top)
{
  const size_t size = value_bytes(task);
  int32_t *to = hg_task_scratch(task->failure, (size_t)task->moves * (2 * sizeof *to + size)), *from = to + task->moves;
  int local = 0;
  if (!to) return;
  for (int i = 0; i < task->moves; i++) {
    const hg_lu_move *m = &task->move[i];
    if (m->source >= task->tiles) continue;
    to[local] = row_offset(buffer, m->target, m->to, size);
    from[local++] = row_offset(buffer, m->source, m->from, size);
  }
  kernels(task)->permute(local, to, from, top->cols, top->a, top->ld, from + task->moves);
  for (int i = 0; i < task->moves; i++) {
    const hg_lu_move *m = &task->move[i];
    if (m->source < task->tiles) continue;
    tile bundle = tile_of(buffer[m->source + task->panels]), target = tile_of(buffer[m->target]);
    for (int c = 0; c < target.cols; c++)
      memcpy(target.a + ((size_t)m->to + (size_t)c * (size_t)target.ld) * size,
             bundle.a + ((size_t)m->from + (size_t)c * (size_t)bundle.ld) * size, size);
  }
}

/* Exchanges of the static graph: the pivots are known only when the task runs. */
static void swap_by_pivots(const hg_lu_task *task, void *pivots, const tile *top)
{
  const int32_t *pivot = (const int32_t *)STARPU_VECTOR_GET_PTR(pivots) + 1;
  const int count = (int)STARPU_VECTOR_GET_NX(pivots) - 1;
  const size_t rows = (size_t)top->ld, most = 2 * (size_t)count;
  double *values = hg_task_scratch(task->failure, most * (sizeof *values + sizeof(hg_row_move) + 2 * sizeof(int32_t)) +
                                                      rows * sizeof(int32_t));
  if (!values) return;
  hg_row_move *move = (hg_row_move *)(values + most);
  int32_t *to = (int32_t *)(move + most), *from = to + most, *row = from + most;
  for (int32_t i = 0; i < (int32_t)rows; i++) row[i] = i;
  const int moves = hg_net_permutation(count, pivot, row, move);
  for (int i = 0; i < moves; i++) {
    to[i] = move[i].to;
    from[i] = move[i].from;
  }
  kernels(task)->permute(moves, to, from, top->cols, top->a, top->ld, values);
}

/* Buffers of a column task: the tiles of some adjacent block columns, and the task's tile 0 of all of them as one. */
typedef struct columns {
  void **tiles, **panels, *pivots;
  tile top;
} columns;

static void exchange_rows(const hg_lu_task *task, const columns *c)
{
  if (task->swap) swap_by_pivots(task, c->pivots, &c->top);
  if (task->moves) move_rows(task, c->tiles, &c->top);
}

static void do_columns(const hg_lu_task *task, const columns *c)
{
  const tile top = c->top, triangle = task->panels ? tile_of(c->panels[0]) : top;
  const hg_lu_kernels *k = kernels(task);
  const int updated = task->panels < task->tiles ? task->panels : task->tiles;
  if (task->reverse) {
    multiply_runs(task, c->tiles, c->panels, 1, updated, &top, 1);
    if (task->solve) k->times_lower(top.rows, top.cols, triangle.a, triangle.ld, top.a, top.ld);
    exchange_rows(task, c);
    return;
  }
  exchange_rows(task, c);
  if (task->solve)
    (task->upper ? k->solve_upper : k->solve_lower)(top.rows, top.cols, triangle.a, triangle.ld, top.a, top.ld);
  multiply_runs(task, c->tiles, c->panels, 1, updated, &top, -1);
}

/* Whether column `b` is directly to the right of `a`. */
static bool is_beside(const tile *a, const tile *b, size_t size)
{
  return b->a == a->a + (size_t)a->cols * (size_t)a->ld * size && b->ld == a->ld;
}

static void column_cpu(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  const int count = 1 + task->beside;
  void **panels = buffer + count * task->tiles;
  for (int first = 0, next; first < count; first = next) {
    columns c = {.tiles = buffer + first * task->tiles, .panels = panels};
    c.top = tile_of(c.tiles[0]);
    if (task->swap) c.pivots = panels[task->panels + task->bundles];
    for (next = first + 1; next < count; next++) {
      const tile other = tile_of(buffer[next * task->tiles]);
      if (!is_beside(&c.top, &other, value_bytes(task))) break;
      c.top.cols += other.cols;
    }
    do_columns(task, &c);
  }
}

static void clear(const tile *t, size_t size)
{
  for (int c = 0; c < t->cols; c++) memset(t->a + (size_t)c * (size_t)t->ld * size, 0, (size_t)t->rows * size);
}

static void update_cpu(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  const tile top = tile_of(buffer[0]);
  multiply_runs(task, buffer + 1, buffer + 1 + task->tiles, 0, task->tiles, &top, task->reverse ? 1 : -1);
}

static void products_cpu(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  const tile c = tile_of(buffer[task->tiles]);
  tile panel = tile_of(buffer[task->tiles + 1]);
  if (task->fresh) clear(&c, value_bytes(task));
  for (int i = 0; i < task->tiles; i++) {
    const tile top = tile_of(buffer[i]);
    kernels(task)->multiply(c.rows, c.cols, top.rows, 1, panel.a, panel.ld, top.a, top.ld, c.a, c.ld);
    panel.a += (size_t)top.rows * (size_t)panel.ld * value_bytes(task);
  }
}

static void pack_cpu(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  const size_t size = value_bytes(task);
  tile bundle = tile_of(buffer[task->tiles]);
  for (int i = 0; i < task->moves; i++) {
    const hg_lu_move *m = &task->move[i];
    tile t = tile_of(buffer[m->source]);
    for (int c = 0; c < t.cols; c++)
      memcpy(bundle.a + ((size_t)m->to + (size_t)c * (size_t)bundle.ld) * size,
             t.a + ((size_t)m->from + (size_t)c * (size_t)t.ld) * size, size);
  }
}

static void add_cpu(void *buffer[], void *arg)
{
  tile to = tile_of(buffer[0]), from = tile_of(buffer[1]);
  kernels(arg)->add(to.rows, to.cols, from.a, from.ld, to.a, to.ld);
}

static void unscale_cpu(void *buffer[], void *arg)
{
  tile a = tile_of(buffer[0]), u = tile_of(buffer[1]);
  kernels(arg)->times_upper(a.rows, a.cols, u.a, u.ld, a.a, a.ld);
}

static void multiply_back_cpu(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  tile a = tile_of(buffer[0]);
  void *work = hg_task_scratch(task->failure, (size_t)a.rows * (size_t)a.rows * value_bytes(task));
  if (work) kernels(task)->times_itself(a.rows, a.a, a.ld, work);
}

#ifdef STARPU_SIMGRID
/* Time of a task on a worker in us. Single precision takes half the time. */
static bool is_float(const struct starpu_task *task)
{
  return ((const hg_lu_task *)task->cl_arg)->is_float;
}

static double panel_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const double cols = starpu_matrix_get_ny(STARPU_TASK_GET_HANDLE(task, 0));
  return hg_cost_us(hg_platform_panel_time(hg_costs_device(worker), cols, task->flops), is_float(task));
}

/* The depth of the products is the height of the diagonal tile, to which all other buffers match in width or height. */
static double column_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const hg_lu_task *t = task->cl_arg;
  const double depth = starpu_matrix_get_nx(STARPU_TASK_GET_HANDLE(task, 0));
  const double cols = (1 + t->beside) * (double)starpu_matrix_get_ny(STARPU_TASK_GET_HANDLE(task, 0));
  const double rows = task->flops / (2 * depth * cols);
  const hg_device *d = hg_costs_device(worker);
  const double moved = (t->swap ? 2 * depth : t->moves) * cols, moving = d->moves > 0 ? moved / d->moves : 0,
               solving = t->solve ? hg_platform_solve_time(d, depth) : 0;
  return hg_cost_us(hg_platform_update_time(d, rows > 1 ? rows : 1, cols, depth) + moving + solving, t->is_float);
}

static double other_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  return hg_cost_us(hg_costs_device(worker)->start, is_float(task));
}
#define update_cost column_cost
#define pack_cost other_cost
#define add_cost other_cost
#define unscale_cost other_cost
#define multiply_back_cost other_cost
/* shows that one exists; nothing is called in simulation */
#define ON_CUDA(function) .cuda_funcs = {function##_cpu}, .cuda_flags = {STARPU_CUDA_ASYNC},
#elif defined HG_HAVE_CUDA
static int can_execute(unsigned worker, struct starpu_task *task, unsigned implementation)
{
  (void)implementation;
  return starpu_worker_get_type((int)worker) != STARPU_CUDA_WORKER || hg_lu_cuda_can(task->cl_arg);
}
#define ON_CUDA(function)                                                                                              \
  .can_execute = can_execute, .cuda_funcs = {hg_lu_##function##_cuda}, .cuda_flags = {STARPU_CUDA_ASYNC},
#else
#define ON_CUDA(function)
#endif
#define ON_CPU_ALONE(function)

bool hg_lu_swaps_on_gpus(int64_t tiles)
{
#if defined HG_HAVE_CUDA && !defined STARPU_SIMGRID
  return tiles <= INT_MAX && hg_lu_cuda_can(&(hg_lu_task){.swap = true, .tiles = (int)tiles});
#else
  return tiles > 0;
#endif
}

void hg_lu_prepare(void)
{
#if defined HG_HAVE_CUDA && !defined STARPU_SIMGRID
  hg_lu_cuda_prepare();
#endif
}

#define CODELET(function, colour, ON_GPU)                                                                              \
  {                                                                                                                    \
    .cpu_funcs = {function##_cpu}, .cpu_funcs_name = {#function "_cpu"},                                               \
    ON_GPU(function).nbuffers = STARPU_VARIABLE_NBUFFERS, .name = #function, .model = &function##_model,               \
    .energy_model = &hg_energy_model, .color = colour                                                                  \
  }
#define MODEL(function)                                                                                                \
  static struct starpu_perfmodel function##_model =                                                                    \
      HG_COST_MODEL("hetgrid_lu_" #function, function##_cost, .type = STARPU_REGRESSION_BASED)

MODEL(panel);
MODEL(column);
MODEL(update);
MODEL(pack);
MODEL(add);
MODEL(unscale);
MODEL(multiply_back);
#define products_model update_model /* the same work */
struct starpu_codelet hg_lu_panel_codelet = CODELET(panel, 0xd62728, ON_CUDA);
struct starpu_codelet hg_lu_column_codelet = CODELET(column, 0x1f77b4, ON_CUDA);
struct starpu_codelet hg_lu_update_codelet = CODELET(update, 0x2ca02c, ON_CUDA);
struct starpu_codelet hg_lu_products_codelet = CODELET(products, 0x2ca02c, ON_CUDA);
struct starpu_codelet hg_lu_pack_codelet = CODELET(pack, 0xff7f0e, ON_CUDA);
struct starpu_codelet hg_lu_add_codelet = CODELET(add, 0x9467bd, ON_CUDA);
struct starpu_codelet hg_lu_unscale_codelet = CODELET(unscale, 0x8c564b, ON_CUDA);
struct starpu_codelet hg_lu_multiply_back_codelet = CODELET(multiply_back, 0x7f7f7f, ON_CPU_ALONE);
