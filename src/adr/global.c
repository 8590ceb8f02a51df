/* SPDX-License-Identifier: MIT */
#include "adr/global.h"

#include <math.h>
#include <string.h>

#include "adr/tasks.h"
#include "codelets/simulated_costs.h"

/* The fields of the vectors whose faces are exchanged. */
enum { FIELD_OF_R = HG_ADR_RIGHT, FIELD_OF_P = HG_ADR_VECTORS + 2 };

/* Iterations of an inner solve in simulation, where nothing converges. */
enum { ITERATIONS_ASSUMED = 5 };

static hg_status submit_pass(hg_adr_graph *g, hg_adr_task *task, hg_adr_pass pass)
{
  task->pass = pass;
  for (int i = 0; i < g->tiles; i++) HG_TRY(hg_adr_submit_pass(g, &g->tile[i], task));
  return HG_OK;
}

/* Adds up the last pass' sums over all blocks, in the same order on every rank. */
static void add_up(hg_adr_graph *g, double sum[2])
{
  const int blocks = g->base.tiling->tiles;
  memset(g->sums, 0, 2 * (size_t)blocks * sizeof *g->sums);
  for (int i = 0; i < g->tiles; i++) {
    const hg_adr_tile *t = &g->tile[i];
    starpu_data_acquire(t->sums, STARPU_R);
    for (int k = 0; k < 2; k++) g->sums[2 * t->id + k] = hg_simulated ? 1 : t->dots[k];
    starpu_data_release(t->sums);
  }
  hg_session_sum_all(g->base.session, g->sums, 2 * blocks);
  sum[0] = sum[1] = 0;
  for (int i = 0; i < blocks; i++)
    for (int k = 0; k < 2; k++) sum[k] += g->sums[2 * i + k];
}

/* out = B in, and its sums. */
static hg_status multiply(hg_adr_graph *g, hg_adr_task *task, int field, hg_adr_pass pass, double sum[2])
{
  task->of_work = true;
  task->field = field;
  HG_TRY(hg_adr_exchange_faces(g, task));
  task->of_work = false;
  HG_TRY(submit_pass(g, task, pass));
  add_up(g, sum);
  return HG_OK;
}

static hg_status iterate(hg_adr_graph *g, hg_adr_task *task)
{
  hg_adr_krylov *it = &task->it;
  double sum[2] = {0, 0};
  HG_TRY(submit_pass(g, task, HG_ADR_SEARCH));
  HG_TRY(multiply(g, task, FIELD_OF_P, HG_ADR_ALONG_P, sum));
  hg_adr_krylov_alpha(it, sum[0]);
  if (it->usable) {
    HG_TRY(submit_pass(g, task, HG_ADR_DESCEND));
    HG_TRY(multiply(g, task, FIELD_OF_R, HG_ADR_ALONG_R, sum));
  }
  hg_adr_krylov_omega(it, sum[0], sum[1]);
  if (it->usable) {
    HG_TRY(submit_pass(g, task, HG_ADR_CORRECT));
    add_up(g, sum);
  }
  hg_adr_krylov_next(it, sum[0], sum[1], it->alpha / it->omega);
  return HG_OK;
}

static hg_status solve(hg_adr_graph *g, hg_adr_task *task)
{
  const int limit = hg_simulated ? ITERATIONS_ASSUMED : task->step.limit;
  double sum[2];
  HG_TRY(submit_pass(g, task, HG_ADR_BEGIN));
  add_up(g, sum);
  task->it = hg_adr_krylov_begin(sum[0], task->step.inner, limit);
  while (task->it.runs) HG_TRY(iterate(g, task));
  return submit_pass(g, task, HG_ADR_END);
}

/* Agrees on one scale per species for all blocks. */
static void agree_on_scale(hg_adr_graph *g)
{
  double scale[2] = {1, 1};
  for (int i = 0; i < g->tiles; i++) {
    starpu_data_acquire(g->tile[i].outcome, STARPU_R);
    for (int s = 0; s < 2; s++) scale[s] = fmax(scale[s], g->tile[i].stats[0].scale[s]);
    starpu_data_release(g->tile[i].outcome);
  }
  for (int s = 0; s < 2; s++) hg_session_max(g->base.session, &scale[s]);
  for (int i = 0; i < g->tiles; i++) {
    starpu_data_acquire(g->tile[i].outcome, STARPU_RW);
    for (int s = 0; s < 2; s++) g->tile[i].stats[0].scale[s] = scale[s];
    starpu_data_release(g->tile[i].outcome);
  }
}

static hg_status submit_residuals(hg_adr_graph *g, hg_adr_task *task, int64_t sweep)
{
  task->fresh = sweep == 0 || !g->settings->once;
  if (sweep > 0) HG_TRY(hg_adr_exchange_faces(g, task));
  for (int i = 0; i < g->tiles; i++) {
    const hg_adr_tile *t = &g->tile[i];
    HG_TRY(hg_adr_submit_residual(g, t, task, t->state[HG_ADR_STATE], t->norm[sweep % 2]));
  }
  return HG_OK;
}

/* Margins are valid when a step begins, and when it has converged. */
hg_status hg_adr_global_step(hg_adr_graph *g, hg_adr_task *task, int64_t number)
{
  double first = 0, failed;
  hg_overlap_tuner_pause(&g->base.rounds);
  agree_on_scale(g);
  for (int64_t sweep = 0;; sweep++) {
    HG_TRY(submit_residuals(g, task, sweep));
    const double residual = hg_adr_look(g, sweep, &failed);
    if (sweep == 0) first = residual;
    HG_TRY(hg_adr_check_sweep(g->settings, number, sweep, residual, first, failed));
    if (residual > g->settings->tolerance) {
      HG_TRY(solve(g, task));
      continue;
    }
    hg_adr_count(&g->stats, sweep, sweep);
    g->stats.residual = residual;
    return HG_OK;
  }
}
