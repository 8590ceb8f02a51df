/* SPDX-License-Identifier: MIT */
/* For StarPU's queries of task times in simulation: which described device a worker is. */
#include <starpu.h>

#include "codelets/simulated_costs.h"

static const hg_platform *simulated_platform;
static int simulated_node;

#ifdef STARPU_SIMGRID
const bool hg_simulated = true;
#else
const bool hg_simulated = false;
#endif

void hg_costs_set(const hg_platform *platform, int node)
{
  simulated_platform = platform;
  simulated_node = node;
}

const hg_device *hg_costs_device(unsigned worker)
{
  const hg_platform_node *node = &simulated_platform->node[simulated_node];
  const int number = starpu_worker_get_devid((int)worker);
  const bool cuda = starpu_worker_get_type((int)worker) == STARPU_CUDA_WORKER;
  return &simulated_platform->device[node->device[cuda ? number : node->gpus + number % (node->workers - node->gpus)]];
}
