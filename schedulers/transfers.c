/* SPDX-License-Identifier: MIT */
/* What it costs to bring a task's data to a memory. */
#include <math.h>

#include "schedulers/constants.h"
#include "schedulers/memory.h"
#include "schedulers/transfers.h"

unsigned hg_sched_gpus(void)
{
  return starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM);
}

/* By so much StarPU's estimate of a transfer is more than its time without others: 2 n where there are n GPUs, as if
 * all of them used the bus at all times both ways. */
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
    const unsigned node = hg_sched_node(p, w);
    if (known[node] || isinf(c->model.seconds[w])) continue;
    c->transfer[node] = alone ? (hg_transfer_cost){0} : hg_sched_transfer(p, task, last, node, &c->weights);
    known[node] = true;
  }
}

enum { GPUS_OF_NOTE = 2 }; /* fewer share the bus so little that nothing is counted */

void hg_sched_readers_ready(hg_policy *p, struct starpu_task *task)
{
  if (hg_sched_gpus() < GPUS_OF_NOTE) return;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++)
    if (!(STARPU_TASK_GET_MODE(task, b) & STARPU_W))
      hg_task_graph_reader_ready(&p->graph, STARPU_TASK_GET_HANDLE(task, b));
}

void hg_sched_data_done(hg_policy *p, struct starpu_task *task)
{
  if (hg_sched_gpus() < GPUS_OF_NOTE) return;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    const void *data = STARPU_TASK_GET_HANDLE(task, b);
    if (STARPU_TASK_GET_MODE(task, b) & STARPU_W)
      hg_task_graph_made(&p->graph, data);
    else
      hg_task_graph_reader_done(&p->graph, data);
  }
}

/* What a task only reads stays where it was and serves other tasks where it comes to: four times as long as alone. In a
 * memory that is nearly full what tasks write does not stay, and has to come again. Of data that no task writes more is
 * known. Where tasks that still wait will read them again to write the same, as the matrix in each step of an
 * iteration, they come once for all of these: their time alone. Else each may want a copy elsewhere, as of the factors
 * of a product. Where more than four tasks want them now, each GPU may fetch a copy of its own meanwhile: as often. */
static float weight_of_read(const hg_reading *r, unsigned gpus)
{
  if (r->written) return HG_SERVES;
  return r->later > 0 && r->again ? 1 : fmaxf(HG_SERVES, fminf((float)r->ready, (float)gpus));
}

/* What no task has written yet comes once, wherever it is worked on: as long as what is only read. */
static float weight_of_written(const hg_reading *r, double updated)
{
  return (float)(r->made ? updated : fmin(updated, HG_SERVES));
}

void hg_sched_find_weights(const hg_policy *p, struct starpu_task *task, hg_transfer_weights *f)
{
  const unsigned gpus = hg_sched_gpus(), buffers = STARPU_TASK_GET_NBUFFERS(task);
  f->updated = contention();
  f->other = gpus < GPUS_OF_NOTE ? 2 * (float)gpus : HG_SERVES;
  f->known = gpus < GPUS_OF_NOTE ? 0 : buffers < HG_WEIGHED ? buffers : HG_WEIGHED;
  for (unsigned b = 0; b < f->known; b++) {
    const hg_reading r = hg_task_graph_reading(&p->graph, STARPU_TASK_GET_HANDLE(task, b));
    const bool writes = STARPU_TASK_GET_MODE(task, b) & STARPU_W;
    f->written[b] = writes || r.written;
    f->buffer[b] = writes ? weight_of_written(&r, f->updated) : weight_of_read(&r, gpus);
  }
}

/* Of a buffer, for a memory that is full or not. */
static double weight_of(const hg_transfer_weights *f, unsigned b, bool writes, bool last, bool full)
{
  const bool known = b < f->known;
  if (writes && !last) return known ? f->buffer[b] : f->updated;
  if (full && (!known || f->written[b])) return contention();
  return !known ? f->other : writes ? HG_SERVES : f->buffer[b];
}

hg_transfer_cost hg_sched_transfer(const hg_policy *p, struct starpu_task *task, bool last, unsigned node,
                                   const hg_transfer_weights *weights)
{
  const double in_use = contention();
  const bool full = hg_sched_is_full(p, node);
  hg_transfer_cost cost = {0};
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    const enum starpu_data_access_mode mode = STARPU_TASK_GET_MODE(task, b);
    const double seconds = starpu_data_expected_transfer_time(STARPU_TASK_GET_HANDLE(task, b), node, mode) * 1e-6;
    if (seconds <= 0) continue;
    const double alone = seconds / in_use;
    cost.weighted += alone * weight_of(weights, b, mode & STARPU_W, last, full);
    cost.uncontended += alone;
    if (mode & STARPU_W) cost.updated += alone;
  }
  return cost;
}

bool hg_sched_is_last(const hg_policy *p, int node)
{
  return !p->resumed && node >= 0 && p->graph.node[node].rank <= p->graph.node[node].seconds;
}
