/* SPDX-License-Identifier: MIT */
#include "codelets/lu/lu_tournament_codelet.h"

#include <string.h>

#include "codelets/simulated_costs.h"
#include "codelets/energy_codelet.h"
#include "codelets/lu/lu_codelet.h"
#include "codelets/lu/lu_kernels.h"
#include "codelets/scratch.h"

/* All rows of a match, original and factored. */
typedef struct match {
  const hg_lu_match *task;
  size_t size; /* bytes of a value */
  int rows, cols, info;
  char *as_is, *factored; /* [cols][rows] */
  int32_t *number;        /* [rows] in the panel */
  int32_t *order;         /* [rows] the order in which partial pivoting puts them */
} match;

static double value_at(const match *m, const char *a)
{
  return m->task->is_float ? (double)*(const float *)(const void *)a : *(const double *)(const void *)a;
}

static void set_value(const match *m, char *a, double value)
{
  if (m->task->is_float)
    *(float *)(void *)a = (float)value;
  else
    *(double *)(void *)a = value;
}

static char *address(void *buffer, int row, int col, size_t size)
{
  return (char *)STARPU_MATRIX_GET_PTR(buffer) + ((size_t)row + (size_t)col * STARPU_MATRIX_GET_LD(buffer)) * size;
}

/* Number of rows in an input. */
static int count_rows(const match *m, void *input)
{
  const int rows = (int)STARPU_MATRIX_GET_NX(input);
  int count = 0;
  if (m->task->tile) return rows;
  while (count < rows && value_at(m, address(input, count, m->cols, m->size)) >= 0) count++;
  return count;
}

static void take_input(match *m, void *input, int first, int count)
{
  for (int c = 0; c < m->cols; c++)
    memcpy(m->as_is + ((size_t)first + (size_t)c * (size_t)m->rows) * m->size, address(input, 0, c, m->size),
           (size_t)count * m->size);
  for (int i = 0; i < count; i++)
    m->number[first + i] = m->task->tile ? m->task->row + i : (int32_t)value_at(m, address(input, i, m->cols, m->size));
}

/* Factors all rows with partial pivoting. Returns false if memory runs out. */
static bool play(match *m, const hg_lu_match *task, void *inputs[], int cols)
{
  int count[2] = {0, 0};
  *m = (match){.task = task, .size = task->is_float ? sizeof(float) : sizeof(double), .cols = cols};
  for (int i = 0; i < task->inputs; i++) m->rows += count[i] = count_rows(m, inputs[i]);
  const size_t values = (size_t)m->rows * (size_t)cols * m->size, numbers = ((size_t)m->rows + (size_t)cols) * 4;
  char *memory = hg_task_scratch(task->failure, 2 * values + 2 * numbers + (size_t)task->rows * 2 * sizeof(int32_t));
  if (!memory) return false;
  m->as_is = memory;
  m->factored = memory + values;
  m->number = (int32_t *)(void *)(memory + 2 * values);
  m->order = m->number + m->rows;
  for (int i = 0, first = 0; i < task->inputs; first += count[i++]) take_input(m, inputs[i], first, count[i]);
  memcpy(m->factored, m->as_is, values);
  const int steps = m->rows < cols ? m->rows : cols;
  int32_t *pivot = m->order + m->rows;
  for (int i = 0; i < m->rows; i++) m->order[i] = i;
  if (m->rows > 0) m->info = hg_lu_cpu[task->is_float].panel(m->rows, cols, m->factored, m->rows, pivot);
  for (int i = 0; i < steps; i++) {
    const int32_t kept = m->order[i];
    m->order[i] = m->order[pivot[i]];
    m->order[pivot[i]] = kept;
  }
  return true;
}

static void choose_cpu(void *buffer[], void *arg)
{
  const hg_lu_match *task = arg;
  void *out = buffer[task->inputs];
  const int cols = (int)STARPU_MATRIX_GET_NY(out) - 1;
  match m;
  if (!play(&m, task, buffer, cols)) return;
  for (int i = 0; i < cols; i++) {
    const bool there = i < m.rows;
    for (int c = 0; c < cols && there; c++)
      memcpy(address(out, i, c, m.size), m.as_is + ((size_t)m.order[i] + (size_t)c * (size_t)m.rows) * m.size, m.size);
    set_value(&m, address(out, i, cols, m.size), there ? m.number[m.order[i]] : -1);
  }
}

/* Lists the exchanges that, in this order, bring the winners to the top. @param row, place [rows of the panel] */
static void list_exchanges(const match *m, int32_t *row, int32_t *place, int32_t *pivot)
{
  for (int i = 0; i < m->task->rows; i++) row[i] = place[i] = i;
  for (int c = 0; c < m->cols; c++) {
    const int32_t winner = m->number[m->order[c]], at = place[winner], loser = row[c];
    pivot[c] = at;
    row[at] = loser;
    place[loser] = at;
    row[c] = winner;
    place[winner] = c;
  }
}

static void decide_cpu(void *buffer[], void *arg)
{
  const hg_lu_match *task = arg;
  void *out = buffer[task->inputs];
  int32_t *pivot = (int32_t *)STARPU_VECTOR_GET_PTR(buffer[task->inputs + 1]);
  const int cols = (int)STARPU_MATRIX_GET_NY(out);
  match m;
  if (!play(&m, task, buffer, cols)) return;
  for (int c = 0; c < cols; c++)
    memcpy(address(out, 0, c, m.size), m.factored + (size_t)c * (size_t)m.rows * m.size, (size_t)cols * m.size);
  int32_t *row = m.order + m.rows + cols;
  pivot[0] = m.info;
  list_exchanges(&m, row, row + task->rows, pivot + 1);
}

static void scale_cpu(void *buffer[], void *arg)
{
  const hg_lu_task *task = arg;
  hg_lu_cpu[task->is_float].scale((int)STARPU_MATRIX_GET_NX(buffer[0]), (int)STARPU_MATRIX_GET_NY(buffer[0]),
                                  (const void *)STARPU_MATRIX_GET_PTR(buffer[1]), (int)STARPU_MATRIX_GET_LD(buffer[1]),
                                  (void *)STARPU_MATRIX_GET_PTR(buffer[0]), (int)STARPU_MATRIX_GET_LD(buffer[0]));
}

#ifdef STARPU_SIMGRID
static double match_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  return hg_cost_us(hg_platform_panel_time(hg_costs_device(worker), 0, task->flops), /* on cores */
                    ((const hg_lu_match *)task->cl_arg)->is_float);
}

static double scale_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  const double rows = starpu_matrix_get_nx(STARPU_TASK_GET_HANDLE(task, 0)),
               cols = starpu_matrix_get_ny(STARPU_TASK_GET_HANDLE(task, 0));
  return hg_cost_us(hg_platform_update_time(hg_costs_device(worker), rows / 2, cols, cols),
                    ((const hg_lu_task *)task->cl_arg)->is_float);
}
#endif

#define TOURNAMENT_CODELET(function, cost, colour)                                                                     \
  static struct starpu_perfmodel function##_model =                                                                    \
      HG_COST_MODEL("hetgrid_lu_" #function, cost, .type = STARPU_REGRESSION_BASED);                                   \
  struct starpu_codelet hg_lu_##function##_codelet = {.cpu_funcs = {function##_cpu},                                   \
                                                      .cpu_funcs_name = {#function "_cpu"},                            \
                                                      .nbuffers = STARPU_VARIABLE_NBUFFERS,                            \
                                                      .name = #function,                                               \
                                                      .model = &function##_model,                                      \
                                                      .energy_model = &hg_energy_model,                                \
                                                      .color = colour}

TOURNAMENT_CODELET(choose, match_cost, 0xe377c2);
TOURNAMENT_CODELET(decide, match_cost, 0xd62728);
TOURNAMENT_CODELET(scale, scale_cost, 0x17becf);
