/* SPDX-License-Identifier: MIT */
/* The cost of transferring a task's data to a memory. */
#include <math.h>

#include "schedulers/constants.h"
#include "schedulers/memory.h"
#include "schedulers/transfers.h"

unsigned hg_sched_gpus(void)
{
  return starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
}

/* The factor by which StarPU's estimate exceeds a transfer's time without others: 2 n with n GPUs, as if all of them
 * used the bus at all times in both directions. */
static double contention(void)
{
  const unsigned gpus = hg_sched_gpus();
  return gpus > 0 ? 2 * gpus : 1;
}

void hg_sched_transfers(const hg_policy *p, struct starpu_task *task, bool last, hg_costs *c)
{
  bool known[STARPU_MAXNODES] = {false};
  const bool alone = starpu_memory_nodes_get_count() == 1;
  const int workers = p->workers;
  for (int w = 0; w < workers; w++) {
    const unsigned node = p->worker[w].node;
    if (known[node] || isinf(c->model.seconds[w])) continue;
    c->transfer[node] = alone ? (hg_transfer_cost){0} : hg_sched_transfer(p, task, last, node, c->again);
    known[node] = true;
  }
}

uint64_t hg_sched_find_again(const hg_policy *p, struct starpu_task *task)
{
  enum { MOST = 64 };
  const unsigned buffers = STARPU_TASK_GET_NBUFFERS(task);
  uint64_t again = 0;
  for (unsigned b = 0; b < buffers && b < MOST && hg_sched_gpus() > 1; b++)
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_W) && hg_task_graph_again(&p->graph, STARPU_TASK_GET_HANDLE(task, b)))
      again |= UINT64_C(1) << b;
  return again;
}

/* The weight of a transfer. Data that a task only reads remain where they were and serve other tasks at their new
 * place: four times the time alone. If tasks read them again to write the same, as the matrix in each step of an
 * iteration, they are transferred once for all: the time alone. Written data have to come back, and in a nearly full
 * memory nothing stays: StarPU's full estimate. So it is with one GPU, which shares the bus with none. */
static double weight_of(bool writes, bool again, bool last, bool full)
{
  if (hg_sched_gpus() < 2 || full || (writes && !last)) return contention();
  return again ? 1 : HG_SERVES;
}

hg_transfer_cost hg_sched_transfer(const hg_policy *p, struct starpu_task *task, bool last, unsigned node,
                                   uint64_t again)
{
  const bool full = hg_sched_is_full(p, node);
  hg_transfer_cost cost = {0};
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++, again >>= 1) {
    const enum starpu_data_access_mode mode = STARPU_TASK_GET_MODE(task, b);
    const double us = starpu_data_expected_transfer_time(STARPU_TASK_GET_HANDLE(task, b), node, mode);
    if (us <= 0) continue;
    const double alone = us * 1e-6 / contention();
    cost.weighted += alone * weight_of(mode & STARPU_W, again & 1, last, full);
    cost.alone += alone;
    if (mode & STARPU_W) cost.updated += alone;
  }
  return cost;
}

bool hg_sched_is_last(const hg_policy *p, int node)
{
  return !p->resumed && node >= 0 && p->graph.node[node].rank <= p->graph.node[node].seconds;
}
