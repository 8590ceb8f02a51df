/* SPDX-License-Identifier: MIT */
/* StarPU's energy model of tasks, for workers whose power is known. All our codelets share it, so that policies that
 * weigh joules (STARPU_SCHED_GAMMA; also StarPU's dmda and dmdas) find a model for tasks of every size. A run has the
 * kernels of only one program, so one power per worker is enough:
 *
 *   joules = watts while it computes * time that the codelet's performance model expects; 0 where either is unknown */
#ifndef HG_CODELETS_ENERGY_CODELET_H
#define HG_CODELETS_ENERGY_CODELET_H

#include <starpu.h>

extern struct starpu_perfmodel hg_energy_model;

/** Sets the power of each worker while it computes. @param workers  those of this process; 0: unknown again
 * @param watts  [workers] W, >= 0, by StarPU's worker ids */
void hg_energy_model_fill(int workers, const double *watts);
#endif
