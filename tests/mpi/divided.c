/* SPDX-License-Identifier: MIT */
/* Divisible jobs with arrays divided over the ranks, through the public interface. Arrays that are scattered, processed
 * by rows, transposed, processed by columns and gathered are right whatever the shares. Ranks that are several times as
 * slow (their items sleep) become balanced, in the predicted time, and data follow the shares. A second run begins with
 * the models of the first. Usage: divided [FOLDER OF MODELS] */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "divisible/divisible.h"

#include "tap.h"

enum { ROWS = 60, WIDE = 44 };
#define FAST .002 /* s an item; SLOW: on rank 1 */
#define SLOW .006

static int rank;

static hg_status wait_for(int64_t items)
{
  const int64_t ns = (int64_t)((double)items * (rank == 1 ? SLOW : FAST) * 1e9);
  nanosleep(&(struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000}, NULL);
  return HG_OK;
}

/* b = 2 a + number of the row; items are rows. */
static hg_status by_rows(const hg_items *items)
{
  const double *a = items->array[0];
  double *b = items->array[1];
  for (int64_t i = 0; i < items->count * WIDE; i++) b[i] = 2 * a[i] + (double)(items->first + i / WIDE);
  return wait_for(items->count);
}

/* c = 3 c + number of the column; items are columns. */
static hg_status by_columns(const hg_items *items)
{
  char *row = items->array[0];
  for (int r = 0; r < ROWS; r++, row += items->stride[0])
    for (int64_t i = 0; i < items->count; i++) ((double *)row)[i] = 3 * ((double *)row)[i] + (double)(items->first + i);
  return wait_for(items->count);
}

static double value(int i)
{
  return i * .25 - 7;
}

static double wanted(int i)
{
  return 3 * (2 * value(i) + i / WIDE) + i % WIDE;
}

static hg_divisible rows_job(const char *models)
{
  const int64_t row = WIDE * sizeof(double);
  return (hg_divisible){
      .name = "rows",
      .grid = {ROWS},
      .arrays = 2,
      .array = {{.bytes = row, .divided = true}, {.bytes = row, .access = HG_ITEM_WRITE, .divided = true}},
      .cpu = by_rows,
      .agglomerative = true,
      .epsilon = .15,
      .models = models};
}

static hg_divisible columns_job(const char *models)
{
  return (hg_divisible){.name = "columns",
                        .grid = {WIDE},
                        .arrays = 1,
                        .array = {{.bytes = sizeof(double), .rows = ROWS, .access = HG_ITEM_UPDATE, .divided = true}},
                        .cpu = by_columns,
                        .agglomerative = true,
                        .epsilon = .15,
                        .models = models};
}

/* Gathers arrays of both shapes of items; the first array is also read in place. */
static bool right(hg_divisible_run *rows, hg_divisible_run *columns)
{
  double got[ROWS * WIDE];
  hg_item_part part;
  bool good = hg_divisible_part(rows, 1, &part) == HG_OK;
  for (int64_t i = 0; good && i < part.count * WIDE; i++) {
    const int at = (int)(part.first * WIDE + i);
    good = ((double *)part.base)[i] == 2 * value(at) + at / WIDE;
  }
  good = hg_divisible_gather(columns, 0, got) == HG_OK && good;
  for (int i = 0; rank == 0 && i < ROWS * WIDE; i++) good = good && got[i] == wanted(i);
  return good;
}

static bool pass(hg_divisible_run *rows, hg_divisible_run *columns)
{
  return hg_divisible_pass(rows) == HG_OK && hg_divisible_hand_over(rows, 1, columns, 0) == HG_OK &&
         hg_divisible_pass(columns) == HG_OK;
}

/* How far this rank's time without other processes would be from that of an ideal division. */
static double off_balance(const hg_divisible_report *r)
{
  const double ideal = ROWS / ((r->ranks - 1) / FAST + 1 / SLOW);
  return fabs((double)r->items * (rank == 1 ? SLOW : FAST) / ideal - 1);
}

/* Whether all ranks report the same numbers, by which they may decide. */
static bool alike(const hg_divisible_report *r)
{
  const double mine[] = {r->seconds, r->predicted, r->imbalance, r->state[0]};
  enum { COUNT = sizeof mine / sizeof *mine };
  double low[COUNT], high[COUNT];
  MPI_Allreduce(mine, low, COUNT, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(mine, high, COUNT, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return memcmp(low, high, sizeof low) == 0;
}

static void balance(hg_divisible_run *rows, hg_divisible_run *columns)
{
  const hg_divisible_report *r = hg_divisible_report_of(rows);
  double off = off_balance(r);
  bool good = true, same = true;
  for (int i = 1; i < 5 && good; i++) {
    good = pass(rows, columns) && right(rows, columns);
    same = alike(r) && same;
    off = fmin(off, off_balance(r));
  }
  tap_ok(same, "all ranks report the same about a pass");
  tap_ok(good, "values are right in all passes %s", good ? "" : hg_message());
  tap_ok(off <= .25, "rank %d of %d: balanced within 5 passes (at best %.1f %% off, now %lld rows of %d)", rank,
         r->ranks, 100 * off, (long long)r->items, ROWS);
}

/* The least distance of some passes: other processes can only make a pass longer. */
static void predicted(hg_divisible_run *rows)
{
  double off = INFINITY;
  for (int i = 0; i < 600 && off > .1 && hg_divisible_pass(rows) == HG_OK; i++) {
    const hg_divisible_report *r = hg_divisible_report_of(rows);
    off = fmin(off, fabs(r->seconds / r->predicted - 1));
  }
  tap_ok(off <= .1, "passes take the predicted time, within 10 %% (%.1f %%)", 100 * off);
}

static void scattered(hg_divisible_run *rows, hg_divisible_run *columns)
{
  double all[ROWS * WIDE];
  for (int i = 0; i < ROWS * WIDE; i++) all[i] = value(i);
  const bool good = hg_divisible_scatter(rows, 0, all) == HG_OK && pass(rows, columns);
  tap_ok(good && right(rows, columns), "rows, a transposition and columns in even shares %s", good ? "" : hg_message());
}

/* Starts with the models of this run. */
static void second_run(const hg_divisible *job)
{
  hg_divisible_run *run;
  hg_item_part part = {0};
  const int64_t columns = WIDE;
  tap_ok(hg_divisible_open(job, &run) == HG_OK && hg_divisible_part(run, 0, &part) == HG_OK &&
             hg_divisible_pass(run) == HG_OK,
         "a second run by models");
  const hg_divisible_report *r = hg_divisible_report_of(run);
  tap_ok(r->predicted > 0 && part.count == r->items && (r->rank != 1 || part.count < columns / r->ranks),
         "begins with %lld of %lld columns on rank %d", (long long)part.count, (long long)columns, r->rank);
  hg_divisible_close(run);
}

/* The other direction: items are columns, then rows. */
static void back(hg_divisible_run *rows, hg_divisible_run *columns)
{
  double all[ROWS * WIDE];
  const bool good = hg_divisible_hand_over(columns, 0, rows, 0) == HG_OK && hg_divisible_gather(rows, 0, all) == HG_OK;
  bool same = true;
  for (int i = 0; rank == 0 && i < ROWS * WIDE; i++) same = same && all[i] == wanted(i);
  tap_ok(good && same, "columns become rows again");
  tap_ok(hg_divisible_hand_over(rows, 0, rows, 1) == HG_OK, "an array of the same shape");
}

static hg_status negate(const hg_items *items)
{
  const double *in = items->array[0];
  for (int64_t i = 0; i < items->count; i++) ((double *)items->array[1])[i] = -in[i] - (double)(items->first + i);
  return HG_OK;
}

/* Arrays that lie on rank 0. */
static void one_job_a_rank(int ranks)
{
  double in[8], out[8] = {0};
  bool good = true;
  for (int i = 0; i < ranks; i++) in[i] = i + 1;
  const hg_divisible job = {.name = "few",
                            .grid = {ranks},
                            .arrays = 2,
                            .array = {{in, sizeof *in}, {out, sizeof *out, .access = HG_ITEM_WRITE}},
                            .cpu = negate,
                            .agglomerative = true};
  hg_divisible_run *run;
  if (hg_divisible_open(&job, &run) != HG_OK) return;
  const bool done = hg_divisible_pass(run) == HG_OK;
  const int64_t items = hg_divisible_report_of(run)->items;
  for (int i = 0; i < ranks && rank == 0; i++) good = good && out[i] == -1 - 2 * i;
  tap_ok(done && good && items == 1, "one item per rank (%lld on rank %d) %s", (long long)items, rank,
         done ? "" : hg_message());
  hg_divisible_close(run);
}

int main(int argc, char **argv)
{
  const char *models = argc > 1 ? argv[1] : NULL;
  const hg_divisible first = rows_job(models), second = columns_job(models);
  hg_divisible_run *rows = NULL, *columns = NULL;
  const char *number = getenv("OMPI_COMM_WORLD_RANK");
  if (!number) number = getenv("PMI_RANK");
  rank = number ? atoi(number) : 0;
  hg_divisible_open(&first, &rows);
  hg_divisible_open(&second, &columns);
  scattered(rows, columns);
  if (hg_divisible_report_of(rows)->ranks > 1) balance(rows, columns);
  if (hg_divisible_report_of(rows)->ranks <= 2) predicted(rows); /* more ranks may have no core of their own */
  back(rows, columns);
  one_job_a_rank(hg_divisible_report_of(rows)->ranks);
  hg_divisible_close(columns);
  hg_divisible_close(rows);
  if (models) second_run(&second);
  return tap_done();
}
