/* SPDX-License-Identifier: MIT */
/* Where the time of a worker went. */
#ifndef HG_CODELETS_PHASES_H
#define HG_CODELETS_PHASES_H

/** Seconds that each worker spent in the phases of its tasks. Written by the worker alone, and read by others
 * meanwhile. */
typedef struct hg_phase_times {
  double unpack, compute, pack;
  double cells;  /**< times steps, that its tasks advanced */
  double queued; /**< of a worker whose tasks only queue work: executing, by StarPU's profiling */
} hg_phase_times;

/** Adds to one of them, by the worker. */
static inline void hg_phase_add(double *sum, double more)
{
  more += *sum;
  __atomic_store(sum, &more, __ATOMIC_RELAXED);
}

/** Reads one of them, by anyone. */
static inline double hg_phase_read(const double *sum)
{
  double value;
  __atomic_load(sum, &value, __ATOMIC_RELAXED);
  return value;
}
#endif
