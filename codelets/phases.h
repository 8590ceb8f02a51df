/* SPDX-License-Identifier: MIT */
/* What a worker's time was spent on. */
#ifndef HG_CODELETS_PHASES_H
#define HG_CODELETS_PHASES_H

/** Seconds that each worker spent in the phases of its tasks. Only the worker writes them; others may read them
 * meanwhile. */
typedef struct hg_phase_times {
  double unpack, compute, pack;
  double cells;  /**< advanced by its tasks, times steps */
  double queued; /**< for a worker whose tasks only queue work: executing, according to StarPU's profiling */
} hg_phase_times;

/** Adds to one of them; called by the worker. */
static inline void hg_phase_add(double *sum, double more)
{
  more += *sum;
  __atomic_store(sum, &more, __ATOMIC_RELAXED);
}

/** Reads one of them; called by any thread. */
static inline double hg_phase_read(const double *sum)
{
  double value;
  __atomic_load(sum, &value, __ATOMIC_RELAXED);
  return value;
}
#endif
