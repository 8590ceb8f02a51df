/* SPDX-License-Identifier: MIT */
#include "runtime/worker_usage.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/energy_codelet.h"
#include "codelets/gpu/gpu.h"
#include "schedulers/hetgrid_sched.h"

void hg_use_watch(void)
{
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

void hg_use_times(const hg_session *s, hg_worker_use *use)
{
  for (int w = 0; w < s->workers; w++) {
    struct starpu_profiling_worker_info info; /* reading the counters resets them */
    const bool known = starpu_profiling_worker_get_info(w, &info) == 0;
    use[w] = (hg_worker_use){.busy = known ? starpu_timing_timespec_to_us(&info.executing_time) * 1e-6 : 0,
                             .transfers = known ? starpu_timing_timespec_to_us(&info.waiting_time) * 1e-6 : 0};
  }
}

bool hg_use_sleeps(void)
{
#if defined(STARPU_NON_BLOCKING_DRIVERS) || defined(STARPU_SIMGRID) /* on simulated machines workers poll */
  return false;
#else
  return true;
#endif
}

enum { BITS = 32 }; /* bits per word of session->allowed */

hg_status hg_use_only(hg_session *s, const bool *use)
{
  const unsigned words = (unsigned)(s->workers + BITS - 1) / BITS;
  uint32_t bits[words + 1];
  int used = 0, cores = 0;
  memset(bits, 0, sizeof bits);
  for (int w = 0; w < s->workers; w++) {
    if (!use[s->first_worker + w]) continue;
    bits[w / BITS] |= UINT32_C(1) << w % BITS;
    used++;
    cores += s->kind[s->first_worker + w] == HG_CPU_WORKER;
  }
  const bool all = used == 0 || used == s->workers;
  if (!all && !s->allowed) s->allowed = calloc(words, sizeof *s->allowed);
  if (!all && !s->allowed) return hg_fail(HG_MEMORY, "no memory for %d workers", s->workers);
  if (!all) memcpy(s->allowed, bits, words * sizeof *bits); /* pending tasks refer to these bits */
  s->allowed_words = all ? 0 : words;
  s->allowed_core_words = cores > 0 ? s->allowed_words : 0;
  return HG_OK;
}

int hg_use_count(const hg_session *s, hg_worker_kind kind)
{
  int count = 0;
  for (int w = 0; w < s->workers; w++)
    count += s->kind[s->first_worker + w] == kind && (s->allowed_words == 0 || s->allowed[w / BITS] >> w % BITS & 1);
  return count;
}

double hg_use_gpu_rate(const hg_session *s, bool is_float)
{
  const bool any = s->workers > 0 && starpu_worker_get_type(0) == STARPU_CUDA_WORKER;
  return any ? hg_gpu_rate(starpu_worker_get_devid(0), is_float) : 0;
}

double hg_use_gpu_room(int worker)
{
  const double ROOM = .9;
  const unsigned node = starpu_worker_get_memory_node((unsigned)worker);
  const starpu_ssize_t bytes = starpu_memory_get_total(node);
  int sharing = 0;
  if (starpu_worker_get_type(worker) != STARPU_CUDA_WORKER || bytes <= 0) return 0;
  for (unsigned w = 0; w < starpu_worker_get_count(); w++) sharing += starpu_worker_get_memory_node(w) == node;
  return ROOM * (double)bytes / sharing;
}

double hg_use_transfer(unsigned from, unsigned to, double bytes)
{
  return 1e-6 * (starpu_transfer_latency(from, to) + bytes / starpu_transfer_bandwidth(from, to));
}

/* StarPU's dmda weighs joules by default, with a gamma of 1000 us per joule. Counting joules must not change a run, so
 * the energy models stay empty unless a gamma was set. */
void hg_use_powers(const hg_session *s, const double *watts)
{
  hg_sched_set_powers(s->workers, watts);
  if (getenv("STARPU_SCHED_GAMMA")) hg_energy_model_fill(s->workers, watts);
}

void hg_use_gpus(const hg_session *s, char (*bus)[HG_BUS_NAME])
{
  for (int w = 0; w < s->workers; w++) {
    bus[w][0] = '\0';
    if (starpu_worker_get_type(w) == STARPU_CUDA_WORKER) hg_gpu_bus(starpu_worker_get_devid(w), bus[w], HG_BUS_NAME);
  }
}
