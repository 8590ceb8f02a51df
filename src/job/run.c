/* SPDX-License-Identifier: MIT */
/* From a job to a run: session, division, tiles, initial values. */
#include "job/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "codelets/kernels.h"
#include "input/problem.h"
#include "partition/partition.h"
#include "placement/choose.h"

int64_t hg_run_units(const hg_run *r)
{
  return r->domain.n[0] * r->domain.n[1] * r->domain.n[2];
}

hg_cell hg_run_cell(const hg_run *r, int64_t id)
{
  const int64_t *n = r->domain.n;
  hg_cell c = {.id = id, .x = id % n[0], .y = id / n[0] % n[1], .z = id / n[0] / n[1], .step = r->done, .length = 1};
  if (r->job->length) c.length = r->job->length(&c, r->job->arg);
  return c;
}

int64_t hg_run_length(const hg_run *r, int64_t id)
{
  return r->job->length ? hg_run_cell(r, id).length : 1;
}

/* --- initial values ---------------------------------------------------------------------------------------------- */

/* Whether a value of the job's type can hold a number; fractions of whole ones are cut off. */
static bool fits(const hg_update *u, double number)
{
  if (u->value_type == 'f') return isfinite((float)number);
  if (u->value_type == 'd') return isfinite(number);
  if (u->value_type != 'i' && u->value_type != 'u') return true;
  const double half = ldexp(1, 8 * (int)u->value_bytes - 1);
  return u->value_type == 'i' ? number >= -half && number < half : number > -1 && number < 2 * half;
}

/* A number as the job's values are. */
static void store_number(const hg_update *u, double number, void *value)
{
  const int64_t whole = u->value_type == 'u' ? (int64_t)(uint64_t)number : (int64_t)number;
  if (u->value_type == 'd') memcpy(value, &number, sizeof number);
  if (u->value_type == 'f') memcpy(value, &(float){(float)number}, sizeof(float));
  if (u->value_type != 'i' && u->value_type != 'u') return;
  switch (u->value_bytes) {
  case 1: memcpy(value, &(int8_t){(int8_t)whole}, 1); break;
  case 2: memcpy(value, &(int16_t){(int16_t)whole}, 2); break;
  case 4: memcpy(value, &(int32_t){(int32_t)whole}, 4); break;
  default: memcpy(value, &whole, 8); break;
  }
}

static hg_status init_unit(const hg_run *r, const hg_cell *c, double number, void *value)
{
  const hg_source *s = &r->source;
  hg_input input = {.number = number};
  if (s->line) {
    char *end;
    input.text = c->id < s->lines ? s->line[c->id] : NULL;
    input.number = input.text ? strtod(input.text, &end) : NAN;
    if (input.text && end == input.text) input.number = NAN;
  }
  if (r->job->init) return r->job->init(c, value, &input, r->job->arg);
  if (isnan(input.number))
    return hg_fail(HG_FORMAT, "%s: line %" PRId64 ": '%s' does not begin with a number", r->job->input, c->id + 1,
                   input.text ? input.text : "");
  if (!fits(r->job->update, input.number))
    return hg_fail(HG_FORMAT, "%s: %g for unit %" PRId64 " does not fit into a value of type '%c' of %d bytes",
                   r->job->input, input.number, c->id, r->job->update->value_type, (int)r->job->update->value_bytes);
  store_number(r->job->update, input.number, value);
  return HG_OK;
}

/* A value of a checkpoint. */
static void restore_unit(const hg_run *r, int64_t id, size_t bytes, void *value)
{
  const hg_source *s = &r->source;
  const int64_t at = s->offset ? s->offset[id] : id * (int64_t)bytes;
  if (bytes) memcpy(value, s->values + at, bytes);
}

/* Values of the units of a box, one after the other. */
static hg_status fill(void *arg, const hg_box *box, void *values)
{
  hg_run *r = arg;
  const int64_t *n = r->domain.n, bytes = r->job->update->value_bytes;
  double *number = NULL;
  char *value = values;
  hg_status status = HG_OK;
  if (r->source.field && !r->source.values) {
    HG_TRY(hg_allocate("a part of the input", (size_t)hg_box_cells(box) * sizeof *number, (void **)&number));
    status = hg_grid_read(r->source.field, n, box, number);
  }
  int64_t i = 0;
  for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t x = box->lo[0]; x < box->hi[0] && status == HG_OK; x++, i++) {
        const hg_cell c = hg_run_cell(r, x + n[0] * (y + n[1] * z));
        if (r->source.values)
          restore_unit(r, c.id, (size_t)(c.length * bytes), value);
        else
          status = init_unit(r, &c, number ? number[i] : NAN, value);
        if (status != HG_OK && !*hg_message())
          hg_fail(status, "unit %" PRId64 " (%" PRId64 ", %" PRId64 ", %" PRId64 "): init failed", c.id, x, y, z);
        value += c.length * bytes;
      }
  free(number);
  return status;
}

hg_status hg_run_load(hg_run *r)
{
  hg_fail(HG_OK, "%s", "");
  r->done = r->first;
  r->finished = r->connected = false;
  r->reduction = NAN;
  r->dynamic_seconds = 0;
  if (r->parameters) memcpy(r->job->parameters, r->parameters, r->job->parameter_bytes);
  memset(r->kernel.fault, 0, (size_t)r->session.workers * sizeof *r->kernel.fault);
  HG_TRY(r->stencil ? hg_stencil_load(r->stencil, r->first, fill, r) : hg_units_load(r->graph, r->first, fill, r));
  if (r->stencil)
    hg_stencil_reset_times(r->stencil);
  else
    hg_units_reset_times(r->graph);
  return HG_OK;
}

/* --- start ------------------------------------------------------------------------------------------------------- */

/* Dimensions and size from the input where the job has none. */
static hg_status read_shape(hg_run *r)
{
  hg_job *j = r->job;
  int dims = 0;
  int64_t n[3] = {0};
  if (!j->update) return hg_job_check(j);
  if (!j->init && !j->input) j->input = "input.in";
  if (j->input) HG_TRY(hg_source_open(j->input, &r->source));
  hg_source_shape(&r->source, &dims, n);
  const bool sized = (j->size[0] || j->size[1] || j->size[2]) && !(r->options->new_input && dims);
  if (!j->dims) j->dims = j->update->dims;
  if (!j->dims && sized) j->dims = j->size[2] > 1 ? 3 : j->size[1] > 1 ? 2 : 1;
  if (!j->dims) j->dims = dims ? dims : 1;
  for (int a = 0; a < 3 && !sized; a++) j->size[a] = dims ? n[a] : 0;
  for (int a = j->dims; a < 3; a++)
    if (j->size[a] == 0) j->size[a] = 1;
  return hg_job_check(j);
}

static hg_status set_domain(hg_run *r)
{
  const hg_job *j = r->job;
  hg_side side[3][2] = {0};
  r->domain = (hg_domain){.dims = j->dims,
                          .n = {j->size[0], j->size[1], j->size[2]},
                          .radius = hg_run_is_stencil(r) ? j->update->radius : 1};
  if (j->boundary) HG_TRY(hg_boundary_parse(j->boundary, j->dims, side));
  for (int i = 0; i < 6; i++) {
    if (side[i / 2][i % 2].has_value)
      return hg_fail(HG_INVALID, "job '%s': boundary '%s': the values of fixed sides are those of `init`", j->name,
                     j->boundary);
    r->domain.side[i / 2][i % 2] = side[i / 2][i % 2].kind;
  }
  if (hg_tiling_max_depth(&r->domain) < 1)
    return hg_fail(HG_INVALID, "job '%s': the grid is narrower than HG_RADIUS %d", j->name, j->update->radius);
  return HG_OK;
}

/* A user's own division, with the job. */
static hg_status divide_by_user(void *arg, int parts, const double *speed, hg_box *box)
{
  const hg_run *r = arg;
  return r->job->divide(r->job, parts, speed, box, r->job->arg);
}

/* Mirror images do not evolve like the original unless the update says so, so they are made anew at every step. */
static bool mirrors(const hg_run *r)
{
  bool any = false;
  for (int i = 0; i < 2 * r->domain.dims; i++) any = any || r->domain.side[i / 2][i % 2] == HG_INSULATED;
  return any && !r->job->symmetric;
}

static int choose_depth(const hg_run *r, const hg_box *box, int wanted)
{
  if (!hg_run_is_stencil(r) || mirrors(r)) return 1;
  double least = -(wanted ? wanted
                          : hg_choose_units_depth(&r->domain, r->job->update->value_bytes, r->job->steps,
                                                  r->session.all_workers, box));
  hg_session_max(&r->session, &least);
  const int64_t most = hg_tiling_max_depth(&r->domain);
  return -least > (double)most ? (int)most : (int)-least;
}

static hg_status cut(const hg_run *r, const hg_box *box, hg_tiling *out)
{
  const hg_session *s = &r->session;
  const hg_grid_options *o = &r->options->grid;
  int64_t tile[s->all_workers][3];
  const int depth = choose_depth(r, box, o->block);
  for (int i = 0; i < s->all_workers; i++) {
    hg_choose_units_tile(&r->domain, r->job->update->value_bytes, &box[i], s->kind[i] == HG_CUDA_WORKER, depth,
                         tile[i]);
    for (int a = 0; a < 3; a++)
      if (o->tile[a]) tile[i][a] = o->tile[a];
  }
  return hg_tiling_make(&r->domain, s->all_workers, box, s->worker_rank, depth, (const int64_t(*)[3])tile, out);
}

/* A stencil without tables of its own borrows those of its class, which is heat's: a few operations on each of a few
 * neighbouring values (thesis 7.3.2). What counts is how workers compare. */
static void borrow_tables(const hg_update *update, hg_division *d)
{
  if (update->radius == 0) return;
  d->app = "heat";
  d->kernel = hg_heat_kernel_find("auto")->name;
  d->precision = update->value_bytes <= 4 ? "float" : "double";
}

hg_status hg_run_tiling(hg_run *r, const double *speed, hg_tiling **out)
{
  const hg_session *s = &r->session;
  hg_division division = r->options->grid.division;
  hg_box box[s->all_workers];
  division.partition = r->job->partition;
  division.cpus_only = !r->job->update->launch;
  borrow_tables(r->job->update, &division);
  if (r->job->divide) {
    division.divide = divide_by_user;
    division.arg = r;
  }
  HG_TRY(hg_divide(s, r->domain.dims, r->domain.n, &division, speed, box));
  hg_tiling *tiling = calloc(1, sizeof *tiling);
  hg_status status = tiling ? cut(r, box, tiling) : hg_fail(HG_MEMORY, "no memory for tiles");
  status = hg_session_agree(s, status);
  if (status != HG_OK)
    free(tiling);
  else
    *out = tiling;
  return status;
}

static hg_status make_kernel(hg_run *r)
{
  const hg_job *j = r->job;
  hg_units_kernel *k = &r->kernel;
  const size_t workers = (size_t)r->session.workers;
  void *fault;
  HG_TRY(hg_session_memory(workers * sizeof *k->fault, &fault));
  k->fault = fault;
  k->times = calloc(workers, sizeof *k->times);
  if (!k->times) return hg_fail(HG_MEMORY, "no memory for %zu workers", workers);
  k->update = j->update;
  k->quantity = j->quantity;
  k->blocks = j->blocks;
  k->threads = j->threads;
  k->parameters = j->parameters;
  k->parameter_bytes = j->parameter_bytes;
  memcpy(k->n, r->domain.n, sizeof k->n);
  hg_units_codelets(k, r->name, !hg_run_is_stencil(r));
  r->stencil_kernel = hg_units_stencil_kernel(k, j->flops);
  return HG_OK;
}

hg_status hg_run_graph(hg_run *r)
{
  const hg_job *j = r->job;
  if (hg_run_is_stencil(r)) return hg_stencil_make(&r->session, r->tiling, &r->stencil_kernel, NULL, NULL, &r->stencil);
  r->dependence = (hg_dependence){
      .neighbours = j->neighbours, .zone = j->zone, .length = j->length, .limit = j->neighbour_limit, .arg = j->arg};
  return hg_units_make(&r->session, r->tiling, &r->kernel, &r->dependence, &r->graph);
}

static hg_status keep_parameters(hg_run *r)
{
  const size_t bytes = r->job->parameter_bytes;
  if (bytes == 0) return HG_OK;
  r->parameters = malloc(bytes);
  if (!r->parameters) return hg_fail(HG_MEMORY, "no memory for %zu bytes of parameters", bytes);
  memcpy(r->parameters, r->job->parameters, bytes);
  return HG_OK;
}

static hg_status start(hg_run *r)
{
  const hg_grid_options *o = &r->options->grid;
  HG_TRY(read_shape(r));
  r->name = r->job->name;
  HG_TRY(set_domain(r));
  HG_TRY(keep_parameters(r));
  HG_TRY(hg_session_open(&(hg_session_options){.sched = o->sched, .trace = r->options->trace}, &r->session));
  r->open = true;
  HG_TRY(hg_run_tiling(r, NULL, &r->tiling));
  HG_TRY(hg_session_agree(&r->session, make_kernel(r)));
  if (o->restart) HG_TRY(hg_session_agree(&r->session, hg_run_restore(r, o->restart)));
  HG_TRY(hg_run_graph(r));
  return hg_run_load(r);
}

hg_status hg_run_start(hg_job *job, const hg_job_options *options, hg_run **out)
{
  hg_run *r = calloc(1, sizeof *r);
  if (!r) return hg_fail(HG_MEMORY, "no memory");
  r->job = job;
  r->options = options;
  hg_log_set_rank(hg_session_launch_rank());
  hg_status status = start(r);
  if (status != HG_OK)
    hg_abandon(r);
  else
    *out = r;
  return status;
}

hg_status hg_start(hg_job *job, hg_run **out)
{
  static const hg_job_options none;
  return hg_run_start(job, &none, out);
}

void hg_abandon(hg_run *r)
{
  if (!r) return;
  hg_stencil_free(r->stencil);
  hg_units_free(r->graph);
  if (r->tiling) hg_tiling_free(r->tiling);
  free(r->tiling);
  if (r->kernel.fault) hg_session_free_memory(r->kernel.fault, (size_t)r->session.workers * sizeof *r->kernel.fault);
  free(r->kernel.times);
  free(r->parameters);
  hg_source_close(&r->source);
  if (r->open) hg_session_close(&r->session);
  free(r);
}

/* --- looking at it ----------------------------------------------------------------------------------------------- */

void hg_run_times(hg_run *r, hg_worker_times *times)
{
  if (r->stencil)
    hg_stencil_times(r->stencil, times);
  else
    hg_units_times(r->graph, times);
}

double hg_run_exchanged(const hg_run *r)
{
  return r->stencil ? hg_stencil_exchanged(r->stencil) : hg_units_exchanged(r->graph);
}

hg_status hg_run_visit(void *run, hg_tile_sink *take, void *arg)
{
  hg_run *r = run;
  return r->stencil ? hg_stencil_visit(r->stencil, take, arg) : hg_units_visit(r->graph, take, arg);
}
