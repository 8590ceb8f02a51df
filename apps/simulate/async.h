/* SPDX-License-Identifier: MIT */
/* Synchronous and asynchronous iterations on a described machine (async/async_sim.h): slabs of a grid, one per
 * processor, with real values and times from the description. */
#ifndef HG_SIMULATE_ASYNC_H
#define HG_SIMULATE_ASYNC_H

#include "async/async_sim.h"
#include "simulate.h"

/** What is varied in addition to the case. */
typedef struct simulate_modes {
  const char *mode[SIMULATE_LIST]; /**< "sync", "async" */
  double delay[SIMULATE_LIST];     /**< s added to the network's latency, for each message between nodes */
  double slower[SIMULATE_LIST];    /**< factors by which the last node's processors are slower than described */
  int modes, delays, slowers;
  double tolerance; /**< |f + lap u| of jacobi, |F| / (|u_old| + 1) of adr; 0: 20, 1e-8 */
} simulate_modes;

/** Slabs and their processors. */
typedef struct simulate_slabs {
  const hg_platform *platform;
  int blocks;
  const hg_device **device; /**< [blocks] */
  int *rank;                /**< [blocks] node, numbered without gaps */
  double *slower;           /**< [blocks] factor */
  int64_t *first;           /**< [blocks + 1] first plane of each, in the grid */
  double delay;             /**< s */
} simulate_slabs;

/** The run to simulate. */
typedef struct simulate_iteration {
  bool async;
  int64_t side;  /**< nodes along each axis */
  int inner;     /**< jacobi: sweeps of a task */
  int64_t steps; /**< adr: time steps of 0.02 s */
  double tolerance;
} simulate_iteration;

/** The results. */
typedef struct simulate_iterated {
  double seconds, residual;
  int64_t snapshots;
  hg_async_sim_stats *stats; /**< [blocks] */
} simulate_iterated;

/** Seconds of what a block does at once. @param first  s of the computing task @param tasks  number of StarPU tasks
 * that programs submit for it, including that one */
double simulate_seconds(const simulate_slabs *slabs, int block, double first, int tasks);

/** Seconds of a message from one block to another. */
double simulate_flight(const simulate_slabs *slabs, int from, int to, size_t bytes);

/** Relaxation of problem laplace, until |f + lap u| is small enough. HG_INVALID, HG_MEMORY. */
hg_status simulate_jacobi(const simulate_slabs *slabs, const simulate_iteration *what, simulate_iterated *out);

/** Time steps of problem mms. HG_INVALID, HG_MEMORY; HG_RUNTIME if they do not converge. */
hg_status simulate_adr(const simulate_slabs *slabs, const simulate_iteration *what, simulate_iterated *out);

/** Runs every combination of modes, delays and slow nodes, with sizes varying slowest, and prints rows. @param picture
 *  file, or NULL */
hg_status simulate_async(const hg_platform *platform, const simulate_case *common, int sizes, const int64_t (*size)[2],
                         const simulate_modes *modes, bool csv, const char *picture);
#endif
