/* SPDX-License-Identifier: MIT */
/* hetgrid-adr's problem mms in slabs of planes (async.h): sweeps with its kernels and defaults. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adr/blocks.h"
#include "adr/settings.h"
#include "base/memory.h"
#include "async.h"

static const double STEP = .02; /* s of a time step */

/* Bytes per node that tasks move: beginning of a step, residual, iteration in single precision. */
enum { BEGIN_BYTES = 112, RESIDUAL_BYTES = 100, ITERATION_BYTES = HG_PLATFORM_ADR_BYTES };

typedef struct slab {
  hg_adr_place place;
  hg_adr_block b;
  hg_adr_outcome outcome;
  double *tables, *u, *old, *before, *frozen;
  void *work;
  hg_halo_piece_cells in[2], out[2]; /* of the neighbours before and after */
} slab;

typedef struct diffusion {
  const simulate_slabs *slabs;
  const hg_adr_kernel *kernel;
  hg_adr_problem problem;
  hg_adr_settings settings;
  hg_adr_step step;
  hg_tiling tiling;
  slab *slab;
} diffusion;

/* Seconds of a task that moves this many bytes per node of a block, and of the tasks that go with it. */
static double seconds_of(const diffusion *d, int number, double bytes, int tasks)
{
  const int64_t *n = d->slab[number].b.n;
  const double nodes = (double)(n[0] * n[1] * n[2]);
  return simulate_seconds(d->slabs, number, hg_platform_adr_time(d->slabs->device[number], nodes, bytes), tasks);
}

static double sweep(void *self, int number, double *seconds)
{
  diffusion *d = self;
  slab *s = &d->slab[number];
  const double before = s->outcome.iterations;
  d->kernel->residual[1](&s->b, &d->step, s->tables, s->u, s->old, true, s->work, &s->outcome);
  if (s->outcome.residual > d->step.tolerance)
    d->kernel->solve[1](&s->b, &d->step, s->tables, s->u, s->work, &s->outcome);
  const double bytes = RESIDUAL_BYTES + ITERATION_BYTES * (s->outcome.iterations - before);
  *seconds = seconds_of(d, number, bytes, d->settings.async ? 6 : 4);
  return isnan(s->outcome.residual) || s->outcome.failed > 0 ? INFINITY : s->outcome.residual;
}

static void freeze(void *self, int number)
{
  const slab *s = &((diffusion *)self)->slab[number];
  memcpy(s->frozen, s->u, 2 * (size_t)s->b.field * sizeof *s->u);
}

static double measure(void *self, int number, double *seconds)
{
  const diffusion *d = self;
  const slab *s = &d->slab[number];
  hg_adr_outcome outcome = s->outcome;
  d->kernel->residual[1](&s->b, &d->step, s->tables, s->frozen, s->old, true, s->work, &outcome);
  *seconds = seconds_of(d, number, RESIDUAL_BYTES, 5);
  return outcome.residual;
}

/* Both species, one after the other. */
static void leave(void *self, int number, int side, hg_async_sim_vector vector, void *face)
{
  const slab *s = &((diffusion *)self)->slab[number];
  const hg_halo_piece_cells *c = &s->out[side];
  const double *state = vector == HG_ROW_FROZEN ? s->frozen : s->u;
  for (int k = 0; k < 2; k++)
    hg_halo_piece_pack(c, sizeof *state, state + k * s->b.field, (double *)face + k * c->n[0] * c->n[1] * c->n[2]);
}

static void arrive(void *self, int number, int side, hg_async_sim_vector vector, const void *face)
{
  const slab *s = &((diffusion *)self)->slab[number];
  const hg_halo_piece_cells *c = &s->in[side];
  double *state = vector == HG_ROW_FROZEN ? s->frozen : s->u;
  for (int k = 0; k < 2; k++)
    hg_halo_piece_unpack(c, sizeof *state, state + k * s->b.field,
                         (const double *)face + k * c->n[0] * c->n[1] * c->n[2]);
}

static double flight(void *self, int from, int to, size_t bytes)
{
  return simulate_flight(((diffusion *)self)->slabs, from, to, bytes);
}

static const hg_async_sim_work work = {sweep, freeze, measure, leave, arrive, flight};

/* --- blocks --- */

/* Fills values including ghosts: a problem with fixed sides knows these. */
static void fill(const diffusion *d, slab *s)
{
  const int64_t *n = d->problem.n;
  for (int k = 0; k < 2; k++) {
    double *u = s->u + k * s->b.field;
    for (int64_t i = 0; i < s->b.field; i++) u[i] = d->problem.outside[k];
    for (int64_t z = -1; z <= s->b.n[2]; z++)
      for (int64_t i = 0; i < n[0] * n[1]; i++) {
        const int64_t at[3] = {i % n[0], i / n[0], s->place.unknowns.lo[2] + z};
        if (at[2] < 0 || at[2] >= n[2]) continue;
        u[s->b.origin + z * s->b.stride[2] + at[1] * s->b.stride[1] + at[0]] = hg_adr_initial(&d->problem, k, at);
      }
  }
  hg_adr_fill_tables(&d->problem, &s->b, s->place.unknowns.lo, s->tables);
  s->outcome = (hg_adr_outcome){.scale = {1, 1}};
}

static hg_status make_slab(diffusion *d, int number)
{
  slab *s = &d->slab[number];
  hg_adr_block_make(&d->problem, &d->tiling, number, d->settings.overlap, &s->place, &s->b);
  const size_t state = 2 * (size_t)s->b.field * sizeof(double);
  double **const states[] = {&s->u, &s->old, &s->before, &s->frozen};
  for (int i = 0; i < 4; i++) HG_TRY(hg_allocate("a state", state, (void **)states[i]));
  HG_TRY(hg_allocate("tables", (size_t)hg_adr_table_at(&s->b, 3, 0) * sizeof(double), (void **)&s->tables));
  HG_TRY(hg_allocate("the inner solver", HG_ADR_FIELDS * (size_t)s->b.field * sizeof(float), &s->work));
  fill(d, s);
  return HG_OK;
}

/* The planes that a block gets from the previous or next one, which owns them. */
static hg_status connect(diffusion *d, int to, int side)
{
  const int from = to + (side ? 1 : -1), planes = d->settings.overlap + 1;
  if (from < 0 || from >= d->slabs->blocks) return HG_OK;
  slab *s = &d->slab[to], *other = &d->slab[from];
  hg_box box = s->place.core;
  box.lo[2] = side ? s->place.core.hi[2] : s->place.core.lo[2] - planes;
  box.hi[2] = box.lo[2] + planes;
  if (hg_box_extent(&other->place.core, 2) < planes)
    return hg_fail(HG_INVALID, "block %d has %" PRId64 " planes, must be >= %d", from,
                   hg_box_extent(&other->place.core, 2), planes);
  s->in[side] = hg_adr_cells(&s->b, &s->place, &box);
  other->out[1 - side] = hg_adr_cells(&other->b, &other->place, &box);
  return HG_OK;
}

static hg_status tile(diffusion *d)
{
  const int blocks = d->slabs->blocks;
  const int64_t *n = d->problem.n;
  const hg_domain domain = {.dims = 3, .n = {n[0], n[1], n[2]}, .radius = d->settings.overlap + 1};
  hg_box box[blocks];
  int64_t whole[blocks][3];
  for (int i = 0; i < blocks; i++) {
    box[i] = (hg_box){{0, 0, d->slabs->first[i]}, {n[0], n[1], d->slabs->first[i + 1]}};
    memcpy(whole[i], n, sizeof whole[i]);
  }
  return hg_tiling_make(&domain, blocks, box, d->slabs->rank, 1, (const int64_t(*)[3])whole, &d->tiling);
}

static hg_status make(diffusion *d)
{
  HG_TRY(tile(d));
  for (int i = 0; i < d->slabs->blocks; i++) HG_TRY(make_slab(d, i));
  for (int i = 0; i < d->slabs->blocks; i++)
    for (int side = 0; side < 2; side++) HG_TRY(connect(d, i, side));
  return HG_OK;
}

static void release(diffusion *d)
{
  for (int i = 0; i < d->slabs->blocks; i++) {
    slab *s = &d->slab[i];
    free(s->tables);
    free(s->u);
    free(s->old);
    free(s->before);
    free(s->frozen);
    free(s->work);
  }
  free(d->slab);
  hg_tiling_free(&d->tiling);
}

/* --- steps --- */

static double begin(diffusion *d, int64_t number)
{
  double longest = 0;
  d->step = hg_adr_step_make(&d->problem, &d->settings, number);
  for (int i = 0; i < d->slabs->blocks; i++) {
    slab *s = &d->slab[i];
    hg_adr_begin(&s->b, number == 1, false, s->u, s->old, s->before, &s->outcome);
    longest = fmax(longest, seconds_of(d, i, BEGIN_BYTES, 1));
  }
  return longest;
}

/* If an asynchronous step does not settle, its result is the frozen vector, with its ghosts. */
static hg_status advance(diffusion *d, const hg_async_sim *row, int64_t number, simulate_iterated *out)
{
  hg_async_sim_end end;
  out->seconds += begin(d, number);
  HG_TRY(d->settings.async ? hg_async_sim_run(row, out->stats, &end) : hg_lockstep_sim_run(row, out->stats, &end));
  out->seconds += end.seconds;
  out->snapshots += end.rounds;
  out->residual = end.residual;
  if (!(end.residual <= row->tolerance))
    return hg_fail(HG_RUNTIME, "step %" PRId64 ": the residual is %.3g after %" PRId64 " sweeps, must be <= %g", number,
                   end.residual, row->sweeps, row->tolerance);
  for (int i = 0; i < d->slabs->blocks && d->settings.async && !end.settled; i++)
    memcpy(d->slab[i].u, d->slab[i].frozen, 2 * (size_t)d->slab[i].b.field * sizeof(double));
  return HG_OK;
}

static hg_status run(diffusion *d, simulate_iterated *out)
{
  const hg_async_sim row = {.work = &work,
                            .self = d,
                            .blocks = d->slabs->blocks,
                            .rank = d->slabs->rank,
                            .face = 2 * sizeof(double) * (size_t)(d->problem.n[0] * d->problem.n[1]) *
                                    (size_t)(d->settings.overlap + 1),
                            .tolerance = d->settings.tolerance,
                            .hopeless = 1e8,
                            .still = true,
                            .sweeps = 10 * d->settings.sweeps};
  HG_TRY(make(d));
  for (int64_t i = 1; i <= d->settings.steps; i++) HG_TRY(advance(d, &row, i, out));
  return HG_OK;
}

hg_status simulate_adr(const simulate_slabs *slabs, const simulate_iteration *what, simulate_iterated *out)
{
  const int64_t n[3] = {what->side, what->side, what->side};
  diffusion d = {.slabs = slabs, .kernel = hg_adr_kernel_find("auto"), .settings = HG_ADR_SETTINGS_DEFAULTS};
  d.settings.async = what->async;
  d.settings.steps = what->steps;
  d.settings.time = STEP * (double)what->steps;
  d.settings.tolerance = what->tolerance;
  HG_TRY(hg_adr_problem_make(0, n, &d.problem));
  d.slab = calloc((size_t)slabs->blocks, sizeof *d.slab);
  if (!d.slab) return hg_fail(HG_MEMORY, "no memory for %d blocks", slabs->blocks);
  const hg_status status = run(&d, out);
  release(&d);
  return status;
}
