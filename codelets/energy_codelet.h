/* SPDX-License-Identifier: MIT */
/* What StarPU asks for the joules of a task, where somebody knows what its worker draws: all our codelets share this
 * energy model, so that policies that weigh joules (STARPU_SCHED_GAMMA), StarPU's dmda and dmdas too, find one for
 * tasks of every size. A run has kernels of one program, so that one power a worker is enough:
 *
 *   joules = watts while it computes * time that the codelet's performance model expects; 0 where either is unknown */
#ifndef HG_CODELETS_ENERGY_CODELET_H
#define HG_CODELETS_ENERGY_CODELET_H

#include <starpu.h>

extern struct starpu_perfmodel hg_energy_model;

/** What each worker draws while it computes. @param workers  those of this process; 0: unknown again
 * @param watts  [workers] W, >= 0, by StarPU's worker ids */
void hg_energy_model_fill(int workers, const double *watts);
#endif
