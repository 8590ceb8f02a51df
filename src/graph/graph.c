/* SPDX-License-Identifier: MIT */
#include "graph/graph.h"

#include <starpu.h>
#include <string.h>

#include "base/clock.h"
#include "codelets/simulated_costs.h"

void hg_graph_reset_times(const hg_graph *g)
{
  memset(g->times, 0, (size_t)g->session->workers * sizeof *g->times);
  if (hg_simulated || starpu_cuda_worker_get_count() > 0) starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  struct starpu_profiling_worker_info forgotten; /* reading the counters resets them */
  for (int w = 0; w < g->session->workers; w++) starpu_profiling_worker_get_info(w, &forgotten);
}

void hg_graph_times(const hg_graph *g, hg_worker_times *times)
{
  for (int w = 0; w < g->session->workers; w++) {
    hg_phase_times *t = &g->times[w];
    struct starpu_profiling_worker_info info; /* reading the counters resets them */
    const bool queues = hg_simulated || starpu_worker_get_type(w) == STARPU_CUDA_WORKER;
    const double unpack = hg_phase_read(&t->unpack), compute = hg_phase_read(&t->compute),
                 pack = hg_phase_read(&t->pack);
    times[w] = (hg_worker_times){.unpack = unpack,
                                 .compute = compute,
                                 .pack = pack,
                                 .busy = unpack + compute + pack,
                                 .cells = hg_phase_read(&t->cells)};
    if (!queues || starpu_profiling_worker_get_info(w, &info) != 0) continue;
    t->queued += starpu_timing_timespec_to_us(&info.executing_time) * 1e-6;
    times[w].busy = times[w].compute = t->queued;
  }
}

void hg_graph_busy(const hg_graph *g, double *seconds)
{
  hg_worker_times times[g->session->workers + 1];
  hg_graph_times(g, times);
  for (int w = 0; w < g->session->workers; w++) seconds[w] = times[w].busy;
}

void hg_graph_before_exchange(hg_graph *g)
{
  if (!g->session->mpi_shares_core) return;
  if (!g->rounds.goes_on) starpu_task_wait_for_all();
  hg_overlap_tuner_next(&g->rounds, hg_now());
}

int hg_graph_worker(const hg_graph *g, int tile)
{
  return (int)(hg_tile_region(g->tiling, tile) - g->tiling->region) - g->session->first_worker;
}

void hg_graph_free(hg_graph *g)
{
  if (g) g->ops->release(g);
}
