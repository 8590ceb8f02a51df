/* SPDX-License-Identifier: MIT */
#include "adr/tasks.h"

#include <math.h>
#include <stdlib.h>

#include "codelets/simulated_costs.h"
#include "runtime/messages.h"
#include "runtime/record.h"

hg_status hg_adr_submit(const hg_adr_graph *g, const hg_adr_tile *t, struct starpu_codelet *codelet,
                        const hg_task_data *d, const hg_adr_task *what, double flops)
{
  hg_adr_task *task = malloc(sizeof *task);
  if (!task) return hg_fail(HG_MEMORY, "no memory for a task");
  *task = *what;
  task->info = &t->info;
  const hg_session *s = g->base.session;
  const int error = starpu_task_insert(codelet, STARPU_DATA_MODE_ARRAY, d->list, d->count, STARPU_CL_ARGS, task,
                                       sizeof *task, STARPU_FLOPS, isnan(flops) ? 0 : flops, STARPU_CALLBACK,
                                       isnan(flops) ? hg_record_counting_task() : hg_record_task(),
                                       STARPU_CALLBACK_ARG_NFREE, hg_record_number(), STARPU_TASK_WORKERIDS,
                                       hg_task_allowed_words(s, codelet, false), s->allowed, 0);
  return hg_task_status(error, codelet->name);
}

hg_status hg_adr_submit_begin(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task)
{
  hg_task_data d = {.list = g->descr};
  for (int i = 0; i < HG_ADR_STATES; i++) hg_task_add(&d, t->state[i], STARPU_RW);
  hg_task_add(&d, t->outcome, STARPU_RW);
  return hg_adr_submit(g, t, &hg_adr_begin_codelet, &d, task,
                       hg_adr_begin_flops(&t->info.block, task->first, task->bdf2));
}

hg_status hg_adr_submit_residual(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task,
                                 starpu_data_handle_t state, starpu_data_handle_t norm)
{
  hg_task_data d = {.list = g->descr};
  hg_task_add(&d, state, STARPU_RW);
  hg_task_add(&d, t->state[HG_ADR_OLD], STARPU_R);
  hg_task_add(&d, t->table, STARPU_R);
  hg_task_add(&d, t->work, STARPU_RW);
  hg_task_add(&d, t->outcome, STARPU_RW);
  hg_task_add(&d, norm, STARPU_W);
  return hg_adr_submit(g, t, &hg_adr_residual_codelet, &d, task, hg_adr_residual_flops(&t->info.block, task->fresh));
}

/* The data that a block's solve uses. */
static hg_task_data data_of_solve(const hg_adr_graph *g, const hg_adr_tile *t)
{
  hg_task_data d = {.list = g->descr};
  hg_task_add(&d, t->state[HG_ADR_STATE], STARPU_RW);
  hg_task_add(&d, t->table, STARPU_R);
  hg_task_add(&d, t->work, STARPU_RW);
  hg_task_add(&d, t->outcome, STARPU_RW);
  return d;
}

hg_status hg_adr_submit_solve(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task)
{
  const hg_task_data d = data_of_solve(g, t);
  return hg_adr_submit(g, t, &hg_adr_solve_codelet, &d, task, NAN);
}

hg_status hg_adr_submit_pass(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task)
{
  hg_task_data d = data_of_solve(g, t);
  hg_task_add(&d, t->sums, STARPU_W);
  return hg_adr_submit(g, t, &hg_adr_pass_codelet, &d, task,
                       hg_adr_pass_flops(&t->info.block, task->pass, task->it.fresh));
}

/* --- what blocks exchange --- */

static hg_status submit_copy(hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task, bool pack)
{
  const int parity = (int)(g->exchanged % 2), count = pack ? t->info.out_count : t->info.in_count;
  hg_task_data d = {.list = g->descr};
  if (count == 0) return HG_OK;
  hg_task_add(&d, task->of_work ? t->work : t->state[task->state], STARPU_RW);
  for (int i = 0; i < count; i++)
    hg_task_add(&d, (pack ? t->out : t->in)[i]->handle[parity], pack ? STARPU_W : STARPU_R);
  return hg_adr_submit(g, t, pack ? &hg_adr_pack_codelet : &hg_adr_unpack_codelet, &d, task, 0);
}

static void submit_transfers(hg_adr_graph *g)
{
  const hg_session *s = g->base.session;
  const int parity = (int)(g->exchanged % 2);
  if (!s->mpi) return;
  hg_graph_before_exchange(&g->base);
  for (int i = 0; i < g->exchanges; i++) {
    const hg_adr_exchange *x = &g->exchange[i];
    if (x->peer < 0) continue;
    const int64_t tag = 2 * x->tag + parity;
    if (x->outgoing)
      hg_message_send(s, x->handle[parity], x->peer, tag);
    else
      hg_message_receive(s, x->handle[parity], x->peer, tag, NULL, NULL);
  }
}

hg_status hg_adr_exchange_faces(hg_adr_graph *g, const hg_adr_task *task)
{
  for (int i = 0; i < g->tiles; i++) HG_TRY(submit_copy(g, &g->tile[i], task, true));
  submit_transfers(g);
  for (int i = 0; i < g->tiles; i++) HG_TRY(submit_copy(g, &g->tile[i], task, false));
  for (int i = 0; i < g->tiles; i++) g->base.exchanged += hg_adr_tile_bytes(&g->tile[i]);
  g->exchanged++;
  return HG_OK;
}

/* --- residuals --- */

static double not_less(double a, double b)
{
  return isfinite(b) ? a > b ? a : b : INFINITY;
}

double hg_adr_look(const hg_adr_graph *g, int64_t sweep, double *failed)
{
  double residual = 0;
  *failed = 0;
  for (int i = 0; i < g->tiles; i++) {
    const hg_adr_tile *t = &g->tile[i];
    starpu_data_acquire(t->norm[sweep % 2], STARPU_R);
    residual = not_less(residual, t->stats[1 + sweep % 2].residual);
    *failed = not_less(*failed, t->stats[1 + sweep % 2].failed);
    starpu_data_release(t->norm[sweep % 2]);
  }
  if (hg_simulated) return sweep < HG_ADR_SWEEPS_ASSUMED;
  if (*failed > 0) residual = INFINITY;
  hg_session_max(g->base.session, &residual);
  if (isinf(residual)) hg_session_max(g->base.session, failed);
  return residual;
}
