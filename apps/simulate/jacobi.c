/* SPDX-License-Identifier: MIT */
/* hetgrid-jacobi's problem laplace in slabs of rows (async.h): several sweeps per task, with held ghosts if
 * asynchronous, and with margins as deep as the sweeps if synchronous. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "async.h"

enum { CHECK_EVERY = 100, MOST = 100000000 };

/* Rows first - depth .. last + depth of the grid, in two states and a frozen one. */
typedef struct slab {
  int64_t first, rows;
  double *now, *next, *frozen, *spare;
  int64_t looks; /* sweeps since the change was last measured */
} slab;

typedef struct relaxation {
  const simulate_slabs *slabs;
  bool async;
  int64_t n, depth;
  int inner;
  slab *slab;
} relaxation;

/* A row of the grid, numbered relative to the slab's first. */
static double *row_of(const relaxation *r, double *state, int64_t row)
{
  return state + (row + r->depth) * r->n;
}

/* Computes rows lo .. hi - 1 of a slab except sides of the grid. Returns the largest change of its own rows. */
static double relax(const relaxation *r, const slab *s, double *from, double *to, int64_t lo, int64_t hi)
{
  double change = 0;
  for (int64_t y = lo; y < hi; y++) {
    if (s->first + y <= 0 || s->first + y >= r->n - 1) continue;
    const double *u = row_of(r, from, y), *above = u - r->n, *below = u + r->n;
    double *out = row_of(r, to, y), largest = 0;
    for (int64_t x = 1; x < r->n - 1; x++) {
      out[x] = ((u[x - 1] + u[x + 1]) + (above[x] + below[x])) / 4;
      largest = fmax(largest, fabs(out[x] - u[x]));
    }
    if (y >= 0 && y < s->rows) change = fmax(change, largest);
  }
  return change;
}

/* Seconds for this many rows of a slab, and for the tasks besides those that compute. */
static double seconds_of(const relaxation *r, int number, double rows, int tasks)
{
  const double first = hg_platform_heat_time(r->slabs->device[number], rows * (double)r->n, 1, 0);
  return simulate_seconds(r->slabs, number, first, tasks);
}

/* Asynchronously all sweeps are over the slab's own rows; synchronously each has a margin that is one row narrower. */
static double sweep(void *self, int number, double *seconds)
{
  relaxation *r = self;
  slab *s = &r->slab[number];
  double change = NAN, rows = 0;
  const bool looks = s->looks == 0 || s->looks + r->inner > CHECK_EVERY;
  s->looks = looks ? r->inner : s->looks + r->inner;
  for (int k = 0; k < r->inner; k++) {
    const int64_t margin = r->async ? 0 : r->inner - 1 - k;
    const double largest = relax(r, s, s->now, s->next, -margin, s->rows + margin);
    double *swap = s->now;
    if (k == 0 && looks) change = largest;
    rows += (double)(s->rows + 2 * margin);
    s->now = s->next;
    s->next = swap;
  }
  *seconds = seconds_of(r, number, rows, r->async ? 3 + looks : 1);
  return change;
}

static void freeze(void *self, int number)
{
  const relaxation *r = self;
  const slab *s = &r->slab[number];
  memcpy(s->frozen, s->now, (size_t)((s->rows + 2 * r->depth) * r->n) * sizeof *s->now);
}

static double measure(void *self, int number, double *seconds)
{
  const relaxation *r = self;
  const slab *s = &r->slab[number];
  *seconds = seconds_of(r, number, (double)s->rows, 3);
  return relax(r, s, s->frozen, s->spare, 0, s->rows);
}

static void leave(void *self, int number, int side, hg_async_sim_vector vector, void *face)
{
  const relaxation *r = self;
  const slab *s = &r->slab[number];
  double *from = vector == HG_ROW_FROZEN ? s->frozen : s->now;
  memcpy(face, row_of(r, from, side ? s->rows - r->depth : 0), (size_t)(r->depth * r->n) * sizeof *from);
}

/* Held ghosts must be set in both states. */
static void arrive(void *self, int number, int side, hg_async_sim_vector vector, const void *face)
{
  const relaxation *r = self;
  const slab *s = &r->slab[number];
  const size_t bytes = (size_t)(r->depth * r->n) * sizeof(double);
  const int64_t row = side ? s->rows : -r->depth;
  if (vector == HG_ROW_FROZEN) {
    memcpy(row_of(r, s->frozen, row), face, bytes);
    return;
  }
  memcpy(row_of(r, s->now, row), face, bytes);
  memcpy(row_of(r, s->next, row), face, bytes);
}

static double flight(void *self, int from, int to, size_t bytes)
{
  return simulate_flight(((relaxation *)self)->slabs, from, to, bytes);
}

static const hg_async_sim_work work = {sweep, freeze, measure, leave, arrive, flight};

/* The last row is sin(pi x), all else 0. */
static hg_status make_slab(const relaxation *r, int number)
{
  slab *s = &r->slab[number];
  s->first = r->slabs->first[number];
  s->rows = r->slabs->first[number + 1] - s->first;
  double **const state[] = {&s->now, &s->next, &s->frozen, &s->spare};
  if (r->slabs->blocks > 1 && s->rows < r->depth)
    return hg_fail(HG_INVALID, "block %d has %" PRId64 " rows, must be >= %" PRId64 " (--time-block)", number, s->rows,
                   r->depth);
  for (int i = 0; i < 4; i++) {
    HG_TRY(hg_allocate("a slab", (size_t)((s->rows + 2 * r->depth) * r->n) * sizeof(double), (void **)state[i]));
    for (int64_t y = -r->depth; y < s->rows + r->depth; y++)
      for (int64_t x = 0; x < r->n && s->first + y == r->n - 1; x++)
        row_of(r, *state[i], y)[x] = x % (r->n - 1) == 0 ? 0 : sin(M_PI * (double)x / (double)(r->n - 1));
  }
  return HG_OK;
}

static hg_status relax_all(relaxation *r, double tolerance, simulate_iterated *out)
{
  hg_async_sim_end end;
  const hg_async_sim row = {.work = &work,
                            .self = r,
                            .blocks = r->slabs->blocks,
                            .rank = r->slabs->rank,
                            .face = (size_t)(r->depth * r->n) * sizeof(double),
                            .tolerance = tolerance,
                            .sweeps = MOST};
  for (int i = 0; i < row.blocks; i++) HG_TRY(make_slab(r, i));
  HG_TRY(r->async ? hg_async_sim_run(&row, out->stats, &end) : hg_lockstep_sim_run(&row, out->stats, &end));
  for (int i = 0; i < row.blocks; i++) out->stats[i].sweeps *= r->inner;
  out->seconds = end.seconds;
  out->residual = end.residual;
  out->snapshots = end.rounds;
  return HG_OK;
}

hg_status simulate_jacobi(const simulate_slabs *slabs, const simulate_iteration *what, simulate_iterated *out)
{
  const double h = 1 / (double)(what->side - 1);
  relaxation r = {.slabs = slabs,
                  .async = what->async,
                  .n = what->side,
                  .depth = what->async ? 1 : what->inner,
                  .inner = what->inner,
                  .slab = calloc((size_t)slabs->blocks, sizeof *r.slab)};
  if (!r.slab) return hg_fail(HG_MEMORY, "no memory for %d blocks", slabs->blocks);
  const hg_status status = relax_all(&r, what->tolerance * h * h / 4, out);
  if (status == HG_OK) out->residual *= 4 / (h * h);
  for (int i = 0; i < slabs->blocks; i++) {
    free(r.slab[i].now);
    free(r.slab[i].next);
    free(r.slab[i].frozen);
    free(r.slab[i].spare);
  }
  free(r.slab);
  return status;
}
