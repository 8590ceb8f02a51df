/* SPDX-License-Identifier: MIT */
/* From a job to a run: session, division, tiles, initial values. */
#include "job/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/log.h"
#include "base/memory.h"
#include "codelets/units/batch_codelet.h"
#include "codelets/units/units_codelet.h"
#include "job/live.h"
#include "result/write.h"
#include "runtime/pinned.h"

/* --- start ------------------------------------------------------------------------------------------------------- */

hg_status hg_run_load(hg_run *r)
{
  hg_clear_message();
  r->done = r->first;
  r->failed = HG_OK;
  r->finished = r->converged = r->stalled = r->connected = r->wants_to_move = false;
  r->reduction = r->first > 0 ? r->restored.reduction : NAN;
  r->half = r->first > 0 ? r->restored.half : INFINITY;
  r->half_since = r->restored.half_since;
  r->reduced = r->first;
  r->dynamic_seconds = 0;
  if (r->parameters) memcpy(r->job->parameters, r->parameters, r->job->parameter_bytes);
  memset(r->kernel->fault, 0, (size_t)r->session.workers * sizeof *r->kernel->fault);
  HG_TRY(r->graph->ops->load(r->graph, r->first, hg_run_fill, r));
  hg_graph_reset_times(r->graph);
  if (r->balance.session) hg_balance_restart(&r->balance);
  return hg_run_begin_series(r);
}

/* A text has at most one line per unit; empty lines at its end do not count. */
static hg_status check_lines(const hg_source *s, const hg_job *j)
{
  const int64_t units = j->size[0] * j->size[1] * j->size[2];
  int64_t lines = s->line ? s->lines : 0;
  while (lines > units && !*s->line[lines - 1]) lines--;
  if (lines <= units) return HG_OK;
  return hg_fail(HG_FORMAT, "%s: has %" PRId64 " lines, must be at most one for each of the %" PRId64 " units",
                 j->input, lines, units);
}

/* Takes dimensions and size from the input if the job has none. */
static hg_status read_shape(hg_run *r)
{
  hg_job *j = &r->own;
  int dims = 0;
  int64_t n[3] = {0};
  hg_job_defaults(j);
  if (!j->update || j->dims < 0 || j->dims > 3) return hg_job_check(j);
  if (j->input) HG_TRY(hg_source_open(j, r->options->masks, &r->initial));
  hg_source_shape(&r->initial, &dims, n);
  const bool sized = (j->size[0] || j->size[1] || j->size[2]) && !(r->options->new_input && dims);
  if (dims && !sized && r->options->new_input) j->dims = 0;
  if (!j->dims) j->dims = j->update->dims;
  if (!j->dims && sized) j->dims = j->size[2] > 1 ? 3 : j->size[1] > 1 ? 2 : 1;
  if (!j->dims) j->dims = dims ? dims : 1;
  for (int a = 0; a < 3 && !sized; a++) j->size[a] = dims ? n[a] : 0;
  for (int a = j->dims; a < 3; a++)
    if (j->size[a] == 0) j->size[a] = 1;
  if (r->options->complete) HG_TRY(r->options->complete(r->options->arg, j));
  HG_TRY(hg_job_check(j));
  HG_TRY(check_lines(&r->initial, j));
  return j->source ? hg_job_open_field(j, r->options->masks, false, &r->source) : HG_OK;
}

/* Warns of a grid whose cells are all held, such as one layer in 3-D, where a 2-D grid may be meant. */
static void warn_of_held_cells(const hg_run *r)
{
  const hg_domain *d = &r->domain;
  for (int a = 0; a < d->dims && hg_run_is_stencil(r) && r->job->steps > 0; a++)
    if (d->side[a][0] == HG_FIXED && d->side[a][1] == HG_FIXED && d->n[a] <= 2 * d->radius)
      hg_log(HG_WARN,
             "%" PRId64 " x %" PRId64 " x %" PRId64
             " cells: fixed sides hold all of them along %c, so that none changes; with --boundary insulated they do",
             d->n[0], d->n[1], d->n[2], "xyz"[a]);
}

static hg_status set_domain(hg_run *r)
{
  const hg_job *j = r->job;
  r->domain = (hg_domain){.dims = j->dims,
                          .n = {j->size[0], j->size[1], j->size[2]},
                          .radius = hg_run_is_stencil(r) ? j->update->radius : 1};
  if (j->boundary) HG_TRY(hg_boundary_parse(j->boundary, j->dims, r->side));
  HG_TRY(hg_run_read_sides(r));
  for (int i = 0; i < 6; i++) {
    if (r->side[i / 2][i % 2].flux != 0 && !j->source_value)
      return hg_fail(HG_INVALID, "job '%s': boundary '%s': only hetgrid-heat supports a flux", j->name, j->boundary);
    if (r->side[i / 2][i % 2].has_value && !j->update->value_type)
      return hg_fail(HG_INVALID, "job '%s': boundary '%s': a fixed value needs values that are single numbers", j->name,
                     j->boundary);
    r->domain.side[i / 2][i % 2] = r->side[i / 2][i % 2].kind;
  }
  HG_TRY(hg_run_check_sides(r, 0));
  HG_TRY(hg_boundary_check(j->dims, r->side));
  warn_of_held_cells(r);
  if (hg_tiling_max_depth(&r->domain) < 1)
    return hg_fail(HG_INVALID, "job '%s': the grid is narrower than HG_RADIUS %d", j->name, j->update->radius);
  return HG_OK;
}

static hg_status make_kernel(hg_run *r)
{
  const hg_job *j = r->job;
  hg_units_kernel *k = r->kernel = calloc(1, sizeof *k);
  r->stencil_kernel = calloc(1, sizeof *r->stencil_kernel);
  if (!k || !r->stencil_kernel) return hg_fail(HG_MEMORY, "no memory");
  const size_t workers = (size_t)r->session.workers;
  void *fault;
  HG_TRY(hg_pinned_allocate("shared memory", workers * sizeof *k->fault, &fault));
  k->fault = fault;
  k->times = calloc(workers, sizeof *k->times);
  if (!k->times) return hg_fail(HG_MEMORY, "no memory for %zu workers", workers);
  k->update = j->update;
  k->quantity = j->quantity;
  k->blocks = j->blocks;
  k->threads = j->threads;
  k->flops = j->flops;
  k->parameters = j->parameters;
  k->parameter_bytes = j->parameter_bytes;
  memcpy(k->n, r->domain.n, sizeof k->n);
  if (k->update->independent)
    hg_batch_codelet(k, r->name);
  else
    hg_units_codelets(k, r->name, !hg_run_is_stencil(r));
  *r->stencil_kernel = hg_units_stencil_kernel(k, r->source || j->source_value, j->flops);
  return HG_OK;
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

static hg_status check_spacing(const hg_run *r)
{
  const int dims = r->domain.dims, given = r->options->grid.spacings;
  if (given <= 1 || given == dims) return HG_OK;
  return hg_fail(HG_INVALID, "--spacing: %d numbers for a %d-D grid, must be 1 or %d", given, dims, dims);
}

/* Finds out before computing whether the result can be written. */
static hg_status check_output(const hg_run *r)
{
  const hg_job *j = r->job;
  if (!j->output) return HG_OK;
  HG_TRY(hg_run_check_numbers(r));
  if (r->session.rank != 0) return HG_OK;
  HG_TRY(hg_output_check(j->output));
  return hg_output_fits(j->output, r->domain.dims, (double)hg_run_units(r) * (double)j->update->value_bytes);
}

/* Rank 0 divides, so its file counts; a single rank needs none. */
static hg_status open_network(hg_run *r)
{
  bool given = false;
  if (r->session.rank > 0) return HG_OK;
  HG_TRY(hg_network_open(r->options->grid.network, &r->network, &given));
  r->networked = given && r->session.ranks > 1 && hg_network_between(&r->network, true);
  return HG_OK;
}

/* Prepares what needs no runtime system. */
static hg_status prepare(hg_run *r)
{
  HG_TRY(hg_live_begin(r));
  HG_TRY(read_shape(r));
  r->name = r->job->name;
  HG_TRY(set_domain(r));
  HG_TRY(check_spacing(r));
  HG_TRY(check_output(r));
  HG_TRY(hg_run_check_snapshots(r));
  HG_TRY(open_network(r));
  return keep_parameters(r);
}

static hg_status compare(const hg_run *r)
{
  hg_consistency *list = hg_consistency_begin();
  hg_run_consistency(r, list);
  return hg_consistency_end(&r->session, list);
}

static hg_status start(hg_run *r)
{
  const hg_grid_options *o = &r->options->grid;
  hg_session *s = &r->session;
  HG_TRY(hg_session_agree(s, prepare(r)));
  HG_TRY(compare(r));
  HG_TRY(hg_session_open(&(hg_session_options){.sched = o->sched, .trace = r->options->trace}, s));
  HG_TRY(hg_session_agree(s, hg_run_watch(r)));
  HG_TRY(hg_run_divide(r));
  if (o->plan_only) return HG_OK;
  HG_TRY(hg_session_agree(s, make_kernel(r)));
  if (o->checkpoint || o->restart) HG_TRY(hg_run_know_problem(r));
  if (o->restart) HG_TRY(hg_run_restore(r, o->restart));
  HG_TRY(hg_run_graph(r, r->tiling, &r->graph));
  return hg_run_load(r);
}

/* Also releases an incomplete run. Memory of StarPU is freed before it ends; performance models afterwards, since
 * StarPU saves them when it ends. */
static void release(hg_run *r)
{
  hg_units_kernel *k = r->kernel;
  hg_run_stop_saving(r);
  hg_graph_free(r->graph);
  hg_balance_close(&r->balance);
  if (r->tiling) hg_tiling_free(r->tiling);
  free(r->tiling);
  if (k) hg_pinned_free(k->fault, (size_t)r->session.workers * sizeof *k->fault);
  if (k) free(k->times);
  free(r->parameters);
  free(r->problem);
  free(r->series.step);
  hg_network_free(&r->network);
  hg_run_free_sides(r);
  hg_source_close(&r->initial);
  hg_grid_close(r->source);
  hg_session_close(&r->session);
  free(k);
  free(r->stencil_kernel);
  hg_live_end(r);
  hg_free_distinct(r);
}

/* Options take precedence over the job's fields. */
static void take_options(hg_job *j, const hg_grid_options *o)
{
  if (!o->division.partition) return;
  j->partition = o->division.partition;
  j->divide = NULL;
}

hg_status hg_run_start(const hg_job *job, const hg_job_options *options, hg_run **out)
{
  hg_run *r = hg_allocate_distinct(sizeof *r);
  if (!r) return hg_fail(HG_MEMORY, "no memory");
  r->own = *job;
  r->holes = -1;
  r->job = &r->own;
  r->options = options;
  take_options(&r->own, &options->grid);
  hg_log_set_rank(hg_session_launch_rank());
  hg_status status = hg_session_check_fork("hg_start");
  if (status == HG_OK) status = hg_session_join(r->own.communicator, &r->session);
  if (status == HG_OK) status = hg_session_agree_or_abort(&r->session, start(r));
  if (status != HG_OK) {
    release(r);
    return status;
  }
  hg_live_rest();
  *out = r;
  return HG_OK;
}

hg_status hg_start(const hg_job *job, hg_run **out)
{
  static const hg_job_options none;
  HG_C_LOCALE;
  if (!job || !out) return hg_fail(HG_INVALID, "hg_start: %s is NULL", job ? "the place for the run" : "the job");
  return hg_run_start(job, &none, out);
}

hg_status hg_finish(hg_run *r)
{
  HG_C_LOCALE;
  HG_TRY(hg_live_work(r, "hg_finish"));
  hg_status status = hg_session_agree(&r->session, hg_run_check_failed(r, "hg_finish"));
  if (status == HG_OK) status = hg_run_write(r, r->job->output != NULL, &r->job->output, NULL);
  release(r);
  return status;
}

void hg_free(hg_run *r)
{
  HG_C_LOCALE;
  if (!r) return;
  if (hg_live_work(r, "hg_free") == HG_OK)
    release(r);
  else
    hg_log(HG_WARN, "%s", hg_message());
}
