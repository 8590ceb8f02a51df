/* SPDX-License-Identifier: MIT */
/* The steps of a job, and what happens between them: dynamic changes, reductions, faults, balance. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/integers.h"
#include "base/locale.h"
#include "codelets/simulated_costs.h"
#include "codelets/units/units_codelet.h"
#include "job/live.h"
#include "job/run.h"

static hg_status fault_status(const hg_run *r, const hg_fault *f)
{
  const hg_cell c = hg_run_cell(r, f->unit);
  char place[200], other[100];
  snprintf(place, sizeof place, "%s: unit %" PRId64 " (%" PRId64 ", %" PRId64 ", %" PRId64 "), step %" PRId64, r->name,
           c.id, c.x, c.y, c.z, f->step);
  if (f->kind == HG_FAULT_OFFSET)
    return hg_fail(HG_INVALID, "%s: hg_at reads %" PRId64 " away, HG_RADIUS is %" PRId64, place, f->value, f->bound);
  if (f->kind == HG_FAULT_NEIGHBOUR)
    return hg_fail(HG_INVALID, "%s: neighbour number %" PRId64 ", the unit has %" PRId64 " and the first is 0", place,
                   f->value, f->bound);
  if (f->kind == HG_FAULT_QUANTITY)
    return hg_fail(HG_INVALID, "%s: quantity '%s' reads another unit, may only use hg_value and hg_value_after", place,
                   r->job->quantity->name);
  if (f->kind == HG_FAULT_STORED)
    return hg_fail(HG_INVALID,
                   "%s: hg_values, hg_neighbours or hg_get with HG_RADIUS %" PRId64 "; use hg_value and hg_at instead",
                   place, f->bound);
  if (f->kind == HG_FAULT_AFTER) return hg_fail(HG_INVALID, "%s: hg_value_after may only be used by quantities", place);
  if (f->kind == HG_FAULT_USER) return hg_fail(HG_INVALID, "%s: stopped with code %" PRId64, place, f->value);
  const hg_cell o = hg_run_cell(r, f->value);
  snprintf(other, sizeof other, "unit (%" PRId64 ", %" PRId64 ", %" PRId64 ")", o.x, o.y, o.z);
  return hg_fail(HG_INVALID, "%s: hg_get reads %s, which is neither in the tile nor in its zones", place, other);
}

/* Reports the fault of the earliest step and lowest unit, so that it does not depend on which worker found one
 * first. */
static hg_status check_faults(const hg_run *r)
{
  const hg_fault *first = NULL;
  for (int w = 0; w < r->session.workers; w++) {
    const hg_fault *f = &r->kernel->fault[w];
    if (f->kind == HG_FAULT_NONE) continue;
    if (!first || f->step < first->step || (f->step == first->step && f->unit < first->unit)) first = f;
  }
  return hg_session_agree(&r->session, first ? fault_status(r, first) : HG_OK);
}

static hg_status wait_for_steps(hg_run *r)
{
  HG_TRY(r->graph->ops->wait(r->graph));
  return check_faults(r);
}

static void join(void *arg, const void *result)
{
  hg_quantity_stats *all = arg;
  const hg_quantity_stats *m = result;
  if (!(m->largest <= all->largest) && !isnan(all->largest)) all->largest = m->largest;
  if (!(m->smallest >= all->smallest) && !isnan(all->smallest)) all->smallest = m->smallest;
  hg_exact_join(&all->sum, &m->sum);
}

/* The largest value of all ranks; NaN wins. */
static double largest_of(const hg_run *r, double mine)
{
  double nan = isnan(mine), largest = isnan(mine) ? 0 : mine;
  hg_session_max(&r->session, &nan);
  hg_session_max(&r->session, &largest);
  return nan > 0 ? NAN : largest;
}

static void reduce(hg_run *r)
{
  hg_quantity_stats all;
  hg_quantity_stats_clear(&all);
  r->graph->ops->measured(r->graph, join, &all);
  if (r->job->reduction == HG_SUM) r->reduction = hg_run_sum(r, &all.sum);
  if (r->job->reduction == HG_MAX) r->reduction = largest_of(r, all.largest);
  if (r->job->reduction == HG_MIN) r->reduction = -largest_of(r, -all.smallest);
}

/* Calls `dynamic` or `finished`, which may access values. */
static hg_status ask_job(hg_run *r, bool *finished)
{
  const hg_job *j = r->job;
  HG_PROGRAMS_LOCALE;
  hg_status status = HG_OK;
  hg_live_between(true);
  if (finished)
    *finished = j->finished(r, r->done, r->reduction, j->arg);
  else
    status = j->dynamic(r, r->done, j->arg);
  hg_live_between(false);
  return status;
}

static hg_status call_dynamic(hg_run *r)
{
  HG_TRY(wait_for_steps(r));
  const double start = hg_now();
  hg_clear_message();
  hg_status status = ask_job(r, NULL);
  if (status != HG_OK && !*hg_message()) hg_fail(status, "%s: `dynamic` failed before step %" PRId64, r->name, r->done);
  r->dynamic_seconds += hg_now() - start;
  return hg_session_agree(&r->session, status);
}

static hg_status set_sides(hg_run *r)
{
  HG_TRY(wait_for_steps(r));
  const double start = hg_now();
  HG_TRY(hg_run_set_sides(r));
  r->dynamic_seconds += hg_now() - start;
  return HG_OK;
}

static bool due(int64_t step, int64_t every)
{
  return every > 0 && step % every == 0;
}

/* The step since which the neighbours are as they are, also after a new division or a restart. */
static int64_t neighbours_since(const hg_run *r)
{
  const int64_t every = r->job->neighbours_every;
  if (r->job->zone) return r->done;
  return every > 0 ? r->done - r->done % every : 0;
}

/* Does what is due between steps. */
static hg_status prepare(hg_run *r)
{
  const hg_job *j = r->job;
  if (hg_run_sides_are_due(r, r->done) && !hg_simulated) HG_TRY(set_sides(r));
  if (j->dynamic && due(r->done, j->dynamic_every)) HG_TRY(call_dynamic(r));
  const bool known = r->connected && !j->zone && !(j->neighbours && due(r->done, j->neighbours_every));
  if (!r->graph->ops->connect || known) return HG_OK;
  const double start = hg_now();
  hg_status status = r->graph->ops->connect(r->graph, neighbours_since(r));
  r->dynamic_seconds += hg_now() - start;
  r->connected = status == HG_OK;
  return status;
}

static int64_t next_multiple(int64_t step, int64_t every)
{
  return every > 0 ? (step / every + 1) * every : INT64_MAX;
}

/* The next step at which something must be checked. */
static int64_t next_stop(const hg_run *r, int64_t target)
{
  const hg_job *j = r->job;
  if (r->options->relax) return target; /* relaxation checks by itself */
  int64_t stop = hg_min(target, hg_run_first_look(r));
  if (j->quantity || j->finished) stop = hg_min(stop, next_multiple(r->done, j->check_every));
  if (j->dynamic) stop = hg_min(stop, next_multiple(r->done, j->dynamic_every));
  if (j->neighbours) stop = hg_min(stop, next_multiple(r->done, j->neighbours_every));
  if (r->follows) stop = hg_min(stop, next_multiple(r->done, j->boundary_every));
  if (j->snapshot_every) stop = hg_min(stop, next_multiple(r->done, j->snapshot_every));
  return j->zone ? hg_min(stop, r->done + 1) : stop;
}

/* Called after each block; returns whether to submit the next. */
static bool note_progress(void *arg, int64_t submitted)
{
  hg_run *r = arg;
  r->submitted = submitted;
  if (r->bar) hg_progress_update(r->bar, r->done + submitted);
  r->wants_to_move = !hg_run_is_new(r) && hg_run_wants_to_move(r, r->done + submitted);
  return !r->wants_to_move;
}

static hg_status compare(hg_run *r)
{
  double tolerance = r->job->tolerance;
  if (tolerance > 0 && r->options->tolerance) HG_TRY(r->options->tolerance(r, r->options->arg, &tolerance));
  if (tolerance > 0 && r->reduction <= tolerance) r->finished = true;
  return HG_OK;
}

/* A run has stalled if its quantity is not halved in time and within rounding, or is 0. */
static hg_status look_for_stall(hg_run *r)
{
  const double epsilon = r->job->update->value_type == 'f' ? FLT_EPSILON : DBL_EPSILON;
  const bool fell = !(r->reduction > r->half);
  hg_summary s = {0};
  if (!fell && r->done - r->half_since < r->options->halving) return HG_OK;
  if (!fell) HG_TRY(hg_run_summary(r, &s));
  r->stalled = r->reduction == 0 || r->reduction <= r->options->noise * epsilon * fmax(-s.smallest, s.largest);
  r->half = r->reduction / 2;
  r->half_since = r->done;
  return r->stalled ? compare(r) : HG_OK;
}

/* Asks the job, and agrees with all ranks. */
static hg_status conclude(hg_run *r)
{
  bool finished = false;
  if (r->job->finished) ask_job(r, &finished);
  if (finished) r->finished = true;
  double any = r->finished; /* ranks that do not agree all stop */
  hg_session_max(&r->session, &any);
  r->converged = any > 0;
  r->finished = r->converged || r->stalled;
  return HG_OK;
}

static hg_status look(hg_run *r, bool measured)
{
  HG_TRY(wait_for_steps(r));
  if (measured) reduce(r), r->reduced = r->done;
  if (measured && (r->reduction <= r->job->tolerance || r->graph->ended)) HG_TRY(compare(r));
  const bool regular = due(r->done, r->job->check_every); /* as in a run that continues */
  if (measured && regular && !r->finished && r->options->halving > 0) HG_TRY(look_for_stall(r));
  return conclude(r);
}

/* A restored run that a condition had ended has nothing left to do, unless the condition differs now, or was checked
 * only because the run ended there. */
static hg_status look_at_restored(hg_run *r)
{
  if (!due(r->first, r->job->check_every)) return HG_OK;
  r->stalled = r->restored.stalled;
  HG_TRY(compare(r));
  return conclude(r);
}

/* Advances to the next stop, or as far as the division is worth keeping. */
static hg_status advance_to(hg_run *r, int64_t stop)
{
  const hg_job *j = r->job;
  const bool check = due(stop, j->check_every) || stop == j->steps, measure = check && j->quantity && !hg_simulated;
  r->wants_to_move = false;
  r->submitted = 0;
  HG_TRY(r->graph->ops->advance(r->graph, stop - r->done, measure, note_progress, r));
  r->done += r->submitted;
  const bool there = r->done == stop || r->graph->ended;
  if (there && check && (j->quantity || j->finished) && !hg_simulated) HG_TRY(look(r, measure));
  if (r->graph->ended) r->finished = true;
  return HG_OK;
}

static hg_status snapshot(hg_run *r)
{
  if (!due(r->done, r->job->snapshot_every)) return HG_OK;
  HG_TRY(wait_for_steps(r));
  return hg_run_snapshot(r);
}

/* Checks the division before more is submitted, so that a bad one costs as little as possible. */
static hg_status look_first(hg_run *r)
{
  HG_TRY(wait_for_steps(r));
  r->wants_to_move = hg_run_wants_to_move(r, r->done);
  return HG_OK;
}

/* Divides again only if steps follow: results of the last one stay in place until they are read. */
static hg_status repartition(hg_run *r)
{
  HG_TRY(wait_for_steps(r));
  r->wants_to_move = false;
  return hg_run_rebalance(r);
}

static hg_status advance(hg_run *r, int64_t steps)
{
  const hg_job *j = r->job;
  const int64_t left = j->steps - r->done, target = r->done + hg_min(steps, left);
  if (r->done == r->first && r->first > 0 && (r->restored.converged || r->restored.stalled))
    HG_TRY(look_at_restored(r));
  if (r->done == r->first && !r->finished) HG_TRY(hg_run_snapshot(r));
  if (r->options->relax && r->options->tolerance)
    HG_TRY(r->options->tolerance(r, r->options->arg, &r->relax.tolerance));
  while (r->done < target && !r->finished) {
    if (r->wants_to_move) HG_TRY(repartition(r));
    const int64_t before = r->done;
    const bool is_new = hg_run_is_new(r);
    HG_TRY(prepare(r));
    HG_TRY(advance_to(r, next_stop(r, target)));
    if (r->done > before) HG_TRY(snapshot(r));
    if (is_new) HG_TRY(look_first(r));
  }
  if (r->done >= j->steps) r->finished = true;
  return wait_for_steps(r);
}

static hg_status check(const hg_run *r, int64_t steps)
{
  if (steps < 0) return hg_fail(HG_INVALID, "hg_advance: %" PRId64 " steps, must be >= 0", steps);
  return hg_run_check_failed(r, "hg_advance");
}

/* The values after a failed step are no result, so the failure is recorded. */
static hg_status advance_and_note(hg_run *r, int64_t steps)
{
  r->failed = advance(r, steps);
  if (r->failed != HG_OK) snprintf(r->failure, sizeof r->failure, "%s", hg_message());
  return r->failed;
}

hg_status hg_advance(hg_run *r, int64_t steps)
{
  HG_C_LOCALE;
  HG_TRY(hg_live_work(r, "hg_advance"));
  hg_status status = check(r, steps);
  if (status == HG_OK) status = advance_and_note(r, steps);
  hg_live_rest();
  return status;
}

int64_t hg_steps_done(const hg_run *r)
{
  return hg_live_is(r) ? r->done : -1;
}

bool hg_is_finished(const hg_run *r)
{
  return hg_live_is(r) && r->finished;
}

double hg_reduced(const hg_run *r)
{
  return hg_live_is(r) ? r->reduction : NAN;
}

int hg_rank(const hg_run *r)
{
  return hg_live_is(r) ? r->session.rank : -1;
}

int hg_ranks(const hg_run *r)
{
  return hg_live_is(r) ? r->session.ranks : -1;
}

const int64_t *hg_size(const hg_run *r)
{
  return hg_live_is(r) ? r->job->size : NULL;
}
