/* SPDX-License-Identifier: MIT */
#include "graph/times.h"

#include <starpu.h>
#include <string.h>

#include "codelets/costs.h"

void hg_times_reset(const hg_session *s, hg_phase_times *noted)
{
  memset(noted, 0, (size_t)s->workers * sizeof *noted);
  struct starpu_profiling_worker_info forgotten; /* reading the counters resets them */
  for (int w = 0; w < s->workers; w++) starpu_profiling_worker_get_info(w, &forgotten);
}

void hg_times_read(const hg_session *s, hg_phase_times *noted, hg_worker_times *times)
{
  for (int w = 0; w < s->workers; w++) {
    hg_phase_times *t = &noted[w];
    struct starpu_profiling_worker_info info; /* reading the counters resets them */
    const bool queues = hg_simulated || starpu_worker_get_type(w) == STARPU_CUDA_WORKER;
    times[w] = (hg_worker_times){t->unpack, t->compute, t->pack, t->unpack + t->compute + t->pack, t->cells};
    if (!queues || starpu_profiling_worker_get_info(w, &info) != 0) continue;
    t->queued += starpu_timing_timespec_to_us(&info.executing_time) * 1e-6;
    times[w].busy = times[w].compute = t->queued;
  }
}
