/* SPDX-License-Identifier: MIT */
/* Where the time of a worker went. */
#ifndef HG_CODELETS_PHASES_H
#define HG_CODELETS_PHASES_H

/** Seconds that each worker spent in the phases of its tasks. Written by the worker alone. */
typedef struct hg_phase_times {
  double unpack, compute, pack;
  double cells;  /**< times steps, that its tasks advanced */
  double queued; /**< of a worker whose tasks only queue work: executing, by StarPU's profiling */
} hg_phase_times;
#endif
