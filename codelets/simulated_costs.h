/* SPDX-License-Identifier: MIT */
/* Costs of tasks when nothing is computed: in programs linked with StarPU's SimGrid build. */
#ifndef HG_CODELETS_SIMULATED_COSTS_H
#define HG_CODELETS_SIMULATED_COSTS_H

#include <stdbool.h>

#include "platform/platform.h"

/** Whether time is virtual in this build. */
extern const bool hg_simulated;

/** Sets the simulated machine and which of its nodes this process is. The platform is kept by reference. */
void hg_costs_set(const hg_platform *platform, int node);

/** A performance model with such costs (in simulation), or StarPU's own where tasks are measured. */
#ifdef STARPU_SIMGRID
#define HG_COST_MODEL(name, cost, ...)                                                                                 \
  {                                                                                                                    \
    .type = STARPU_PER_WORKER, .symbol = name, .worker_cost_function = cost                                            \
  }
#else
#define HG_COST_MODEL(name, cost, ...)                                                                                 \
  {                                                                                                                    \
    .symbol = name, __VA_ARGS__                                                                                        \
  }
#endif

/** Seconds as the cost in us that StarPU expects; it takes 0 for unknown. */
static inline double hg_cost_us(double seconds, bool single_precision)
{
  const double us = seconds * (single_precision ? .5e6 : 1e6);
  return us > 1e-3 ? us : 1e-3;
}

/** The processor of a StarPU worker of this process. */
const hg_device *hg_costs_device(unsigned worker);
#endif
