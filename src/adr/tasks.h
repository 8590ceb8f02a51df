/* SPDX-License-Identifier: MIT */
/* The tasks of a block, as synchronous and asynchronous sweeps submit them. Internal to adr/. */
#ifndef HG_ADR_TASKS_H
#define HG_ADR_TASKS_H

#include "adr/tiles.h"
#include "runtime/task_data.h"

/** Submits a task. HG_MEMORY, HG_NO_WORKER, HG_RUNTIME. @param data  in the order of the codelet @param flops  NAN:
 * the task reports them when it is done */
hg_status hg_adr_submit(const hg_adr_graph *g, const hg_adr_tile *t, struct starpu_codelet *codelet,
                        const hg_task_data *data, const hg_adr_task *task, double flops);

/** Begins a step. */
hg_status hg_adr_submit_begin(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task);

/** The residual of a state, to be read in `norm`; then the task that solves for the update. */
hg_status hg_adr_submit_residual(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task,
                                 starpu_data_handle_t state, starpu_data_handle_t norm);
hg_status hg_adr_submit_solve(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task);

/** A pass of a method over all blocks. */
hg_status hg_adr_submit_pass(const hg_adr_graph *g, const hg_adr_tile *t, const hg_adr_task *task);

/** Packs and sends faces of all blocks and fills margins: those of the states, or of the vector that the task names.
 * To be called on all ranks. */
hg_status hg_adr_exchange_faces(hg_adr_graph *g, const hg_adr_task *task);

enum { HG_ADR_SWEEPS_ASSUMED = 8 }; /* of a step in simulation, where nothing converges */

/** Waits for a sweep's largest residual on all ranks; infinite if an inner solver failed, with its residual in
 * `failed`. Collective. */
double hg_adr_look(const hg_adr_graph *g, int64_t sweep, double *failed);
#endif
