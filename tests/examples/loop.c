/* SPDX-License-Identifier: MIT */
/* The interface without hg_main: own loops, values by identifier, divisions, finish conditions, exchange zones that
 * change. Runs alone or on several ranks; rank 0 prints. */
#define HG_VALUE double
#include <hetgrid/app.h>
#include <stdlib.h>

#include "tap.h"

enum { N = 60 };

/* A unit takes the mean of its own and its neighbour's value. */
HG_UPDATE(follow)
{
  return hg_value(u) / 2 + hg_neighbour(u, 0) / 2;
}

HG_QUANTITY(state)
{
  return hg_value_after(u);
}

static int64_t target(int64_t id, int64_t step, int64_t way)
{
  if (way == 1) return id == 0 ? N / 2 + step : (id + 1) % N; /* one edge moves at every step */
  return (id + 7) % N;
}

typedef struct test {
  hg_job job;
  int64_t way, calls;
  double sum;
} test;

static void neighbours(const hg_cell *cell, hg_set *set, void *arg)
{
  hg_set_add(set, target(cell->id, cell->step, ((const test *)arg)->way));
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  *(double *)value = (double)(cell->id * cell->id % 31);
  return HG_OK;
}

/* Deals rows of a column of N units: to every other worker from the top, to the others from the bottom. */
static hg_status divide(const hg_job *job, int parts, const double *speed, hg_box *box, void *arg)
{
  ((test *)arg)->calls++;
  for (int i = 0; i < parts; i++) {
    if (!(speed[i] > 0)) return HG_INVALID;
    const int64_t place = i % 2 ? parts - 1 - i / 2 : i / 2;
    box[i] = (hg_box){{0, job->size[1] * place / parts, 0}, {1, job->size[1] * (place + 1) / parts, 1}};
  }
  return HG_OK;
}

static bool finished(hg_run *run, int64_t steps, double reduction, void *arg)
{
  (void)run;
  ((test *)arg)->sum = reduction;
  return steps >= 4;
}

static test make(int64_t way)
{
  test t = {.way = way};
  t.job = (hg_job){.dims = 2, .size = {1, N, 1}, .update = &follow, .init = start, .steps = 12};
  t.job.neighbours = neighbours;
  t.job.neighbours_every = way == 1;
  return t;
}

static void first_values(double *v)
{
  for (int64_t i = 0; i < N; i++) v[i] = (double)(i * i % 31);
}

static void serial_step(double *v, int64_t step, int64_t way)
{
  double next[N];
  for (int64_t i = 0; i < N; i++) next[i] = v[i] / 2 + v[target(i, step, way)] / 2;
  memcpy(v, next, sizeof next);
}

static bool stop_here(const hg_run *run, hg_status status)
{
  if (status != HG_OK) fprintf(stderr, "rank %d: %s\n", run ? hg_rank(run) : -1, hg_message());
  return status != HG_OK;
}

/* Each rank asks for different units and a different number of them; some are asked for twice. */
static bool ask(hg_run *run, const double *expected)
{
  int64_t ids[2 * N];
  double got[2 * N];
  bool same = true;
  const int rank = hg_rank(run), count = (N / 3 + 11 * rank) % (2 * N);
  for (int i = 0; i < count; i++) ids[i] = (int64_t)(i * (7 + rank) + rank) % N;
  if (stop_here(run, hg_values_get(run, count, ids, got, sizeof *got))) return false;
  for (int i = 0; i < count; i++) same = same && memcmp(&got[i], &expected[ids[i]], sizeof *got) == 0;
  return same;
}

/* Each rank writes a unit of its own and unit 5, of which the last rank's value counts. */
static bool tell(hg_run *run, double *expected)
{
  const int64_t ids[2] = {10 + 3 * hg_rank(run), 5};
  const double values[2] = {1000.5 + hg_rank(run), 2000.25 + hg_rank(run)};
  for (int r = 0; r < hg_ranks(run); r++) expected[10 + 3 * r] = 1000.5 + r, expected[5] = 2000.25 + r;
  return !stop_here(run, hg_values_set(run, 2, ids, values, sizeof *values));
}

static bool own_loop(int64_t way)
{
  test t = make(way);
  hg_run *run = NULL;
  double v[N];
  bool good = true;
  t.job.arg = &t;
  first_values(v);
  if (stop_here(run, hg_start(&t.job, &run))) return false;
  for (int64_t step = 0; step < 12 && good; step += 3) {
    good = ask(run, v);
    if (step == 6) good = tell(run, v) && ask(run, v) && good;
    good = !stop_here(run, hg_advance(run, 3)) && good;
    for (int64_t i = step; i < step + 3; i++) serial_step(v, i, way);
  }
  good = ask(run, v) && good && hg_is_finished(run) && hg_steps_done(run) == 12;
  return !stop_here(NULL, hg_finish(run)) && good;
}

/* One run at a time: each starts and stops StarPU. */
static void run_parts(const char *which)
{
  test t = make(0);
  hg_run *run = NULL;
  t.job.arg = &t;
  if (strcmp(which, "stored") == 0) {
    tap_ok(own_loop(0), "values are read and written by identifier between steps");
  } else if (strcmp(which, "moving") == 0) {
    tap_ok(own_loop(1), "... while neighbours change");
  } else if (strcmp(which, "divided") == 0) {
    double v[N];
    t.job.divide = divide;
    first_values(v);
    bool good = !stop_here(run, hg_start(&t.job, &run)) && !stop_here(run, hg_advance(run, 5));
    for (int64_t i = 0; i < 5; i++) serial_step(v, i, 0);
    good = good && ask(run, v);
    tap_ok(good && t.calls == 1, "an application divides the grid itself");
    hg_free(run);
  } else {
    double v[N], sum = 0;
    t.job.quantity = &state;
    t.job.reduction = HG_SUM;
    t.job.check_every = 2;
    t.job.finished = finished;
    first_values(v);
    for (int64_t i = 0; i < 4; i++) serial_step(v, i, 0);
    for (int64_t i = 0; i < N; i++) sum += v[i]; /* exact: multiples of 1/16 */
    bool good = !stop_here(run, hg_start(&t.job, &run)) && !stop_here(run, hg_advance(run, 100));
    tap_ok(good && hg_steps_done(run) == 4 && hg_is_finished(run), "a job ends by its own condition (after %d steps)",
           good ? (int)hg_steps_done(run) : -1);
    if (good) tap_near(t.sum, sum, 0, "... which sees the reduction");
    if (good) tap_near(hg_reduced(run), sum, 0, "... as the program does");
    hg_free(run);
  }
}

int main(int argc, char **argv)
{
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank && strcmp(rank, "0") != 0 && !freopen("/dev/null", "w", stdout)) return 1;
  if (argc == 2 && strcmp(argv[1], "edges") != 0) {
    run_parts(argv[1]);
    return tap_done();
  }
  test t = make(argc > 2 && strcmp(argv[2], "moving") == 0);
  t.job.arg = &t;
  t.job.neighbours_every = 1;
  t.job.name = "edges";
  return hg_main(argc - 2, argv + 2, &t.job);
}
