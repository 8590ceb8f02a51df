/* SPDX-License-Identifier: MIT */
/* Gaussian elimination with partial pivoting, one unit per matrix element (thesis, algorithms 5-2 to 5-4). Before each
 * step the pivot of its column is found, which decides who depends on whom. Column x, row y; the factors L and U
 * replace the matrix. `stored` as first argument: neighbours from a stored set (algorithm 5-4) instead of by formula
 * (5-3). */
#define HG_VALUE double
#include <hetgrid/app.h>
#include <stdlib.h>

typedef struct pivot {
  int64_t row; /* exchanged with the row of the step's number */
} pivot;

/* The row whose element the unit's new value is computed from. */
HG_BOTH int64_t source_row(int64_t row, int64_t step, int64_t pivot_row)
{
  return row == step ? pivot_row : row == pivot_row ? step : row;
}

/* Exchanges rows and reduces those below; column `step` keeps the multipliers. */
HG_BOTH double eliminate(const hg_unit *u, double own, double in_column, double in_row, double pivot_value)
{
  const int64_t i = hg_step(u);
  if (hg_y(u) <= i || hg_x(u) < i) return own;
  const double multiplier = in_column / pivot_value;
  return hg_x(u) == i ? multiplier : own - multiplier * in_row;
}

HG_UPDATE(by_formula)
{
  const int64_t i = hg_step(u), p = ((const pivot *)hg_parameters(u))->row, row = source_row(hg_y(u), i, p);
  return eliminate(u, hg_get(u, hg_x(u), row, 0), hg_get(u, i, row, 0), hg_get(u, hg_x(u), p, 0), hg_get(u, i, p, 0));
}

HG_UPDATE(by_set)
{
  return eliminate(u, hg_neighbour(u, 0), hg_neighbour(u, 1), hg_neighbour(u, 2), hg_neighbour(u, 3));
}

typedef struct problem {
  int64_t *column_ids; /* of the current column */
  double *column;
  pivot pivot;
} problem;

static void zone(const hg_box *tile, int64_t i, hg_zone *zone, void *arg)
{
  const int64_t p = ((const problem *)arg)->pivot.row, rows = tile->hi[1] - tile->lo[1], x = tile->lo[0],
                columns = tile->hi[0] - x;
  hg_zone_add(zone, i, tile->lo[1], 0, 1, rows, 1); /* the pivot's column, for the tile's rows */
  for (int k = 0; k < 2; k++) {                     /* the two exchanged rows, where needed */
    const int64_t row = k ? p : i, needed = k || (p >= tile->lo[1] && p < tile->hi[1]);
    if (needed) hg_zone_add(zone, x, row, 0, columns, 1, 1);
    hg_zone_add(zone, i, row, 0, 1, 1, 1);
  }
}

static void neighbours(const hg_cell *cell, hg_set *set, void *arg)
{
  const problem *a = (const problem *)arg;
  const int64_t i = cell->step, n = cell->n[0], p = a->pivot.row, row = source_row(cell->y, i, p);
  const int64_t id[4] = {cell->x + n * row, i + n * row, cell->x + n * p, i + n * p};
  for (int k = 0; k < 4; k++) hg_set_add(set, id[k]);
}

static hg_status make_column(problem *a, int64_t n)
{
  a->column = (double *)malloc((size_t)n * sizeof *a->column);
  a->column_ids = (int64_t *)malloc((size_t)n * sizeof *a->column_ids);
  return a->column && a->column_ids ? HG_OK : hg_fail(HG_MEMORY, "no memory for a column of %lld", (long long)n);
}

/* Selects the pivot: the first element of largest absolute value in the column, from row `i` on. */
static hg_status select_pivot(hg_run *run, int64_t i, void *arg)
{
  problem *a = (problem *)arg;
  const int64_t n = hg_size(run)[0];
  hg_status status = a->column ? HG_OK : make_column(a, n);
  if (status != HG_OK) return status;
  for (int64_t y = i; y < n; y++) a->column_ids[y - i] = i + n * y;
  status = hg_values_get(run, n - i, a->column_ids, a->column, sizeof *a->column);
  a->pivot.row = i;
  for (int64_t y = i; y < n && status == HG_OK; y++)
    if (fabs(a->column[y - i]) > fabs(a->column[a->pivot.row - i])) a->pivot.row = y;
  return status;
}

/* The last row has nothing below it. */
static bool all_reduced(hg_run *run, int64_t steps, double reduction, void *arg)
{
  (void)reduction;
  (void)arg;
  return steps >= hg_size(run)[0] - 1;
}

/* Takes a number from the input, or one that looks random. */
static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)arg;
  *(double *)value = isnan(input->number) ? (double)((cell->id * 48271 + 11) % 65521) / 65521 - .5 : input->number;
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  const bool stored = argc > 1 && strcmp(argv[1], "stored") == 0;
  problem a = {.column = NULL};
  hg_job job = {.name = "elimination_units", .dims = 2, .size = {200, 200, 1}, .init = start, .steps = INT32_MAX};
  job.update = stored ? &by_set : &by_formula;
  if (stored)
    job.neighbours = neighbours;
  else
    job.zone = zone;
  job.neighbours_every = job.dynamic_every = 1;
  job.dynamic = select_pivot;
  job.finished = all_reduced;
  job.check_every = 1;
  job.parameters = &a.pivot;
  job.parameter_bytes = sizeof a.pivot;
  job.arg = &a;
  const int status = hg_main(argc - stored, argv + stored, &job);
  free(a.column);
  free(a.column_ids);
  return status;
}
