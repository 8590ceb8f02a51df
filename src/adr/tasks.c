/* SPDX-License-Identifier: MIT */
#include "adr/tasks.h"

#include <stdlib.h>

#include "graph/record.h"

hg_status hg_adr_submit(const hg_adr_tile *t, struct starpu_codelet *codelet, const hg_task_data *d,
                        const hg_adr_task *what)
{
  hg_adr_task *task = malloc(sizeof *task);
  if (!task) return hg_fail(HG_MEMORY, "no memory for a task");
  *task = *what;
  task->info = &t->info;
  const int error =
      starpu_task_insert(codelet, STARPU_DATA_MODE_ARRAY, d->list, d->count, STARPU_CL_ARGS, task, sizeof *task,
                         STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE, hg_record_number(), 0);
  return hg_task_status(error, codelet->name);
}

hg_status hg_adr_submit_begin(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task)
{
  hg_task_data d = {.list = g->descr};
  for (int i = 0; i < HG_ADR_STATES; i++) hg_task_add(&d, t->state[i], STARPU_RW);
  hg_task_add(&d, t->facts, STARPU_RW);
  return hg_adr_submit(t, &hg_adr_begin_codelet, &d, task);
}

hg_status hg_adr_submit_residual(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task,
                                 starpu_data_handle_t state, starpu_data_handle_t norm)
{
  hg_task_data d = {.list = g->descr};
  hg_task_add(&d, state, STARPU_RW);
  hg_task_add(&d, t->state[HG_ADR_OLD], STARPU_R);
  hg_task_add(&d, t->table, STARPU_R);
  hg_task_add(&d, t->work, STARPU_RW);
  hg_task_add(&d, t->facts, STARPU_RW);
  hg_task_add(&d, norm, STARPU_W);
  return hg_adr_submit(t, &hg_adr_residual_codelet, &d, task);
}

hg_status hg_adr_submit_solve(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task)
{
  hg_task_data d = {.list = g->descr};
  hg_task_add(&d, t->state[HG_ADR_STATE], STARPU_RW);
  hg_task_add(&d, t->table, STARPU_R);
  hg_task_add(&d, t->work, STARPU_RW);
  hg_task_add(&d, t->facts, STARPU_RW);
  return hg_adr_submit(t, &hg_adr_solve_codelet, &d, task);
}
