/* SPDX-License-Identifier: MIT */
/* Iterations that wait for each other and iterations that do not, on a machine that is described (async/async_sim.h):
 * slabs of a grid, one a processor, real values, and times by the description. */
#ifndef HG_SIMULATE_ASYNC_H
#define HG_SIMULATE_ASYNC_H

#include "async/async_sim.h"
#include "simulate.h"

/** What is varied, beside the case. */
typedef struct simulate_modes {
  const char *mode[SIMULATE_LIST]; /**< "sync", "async" */
  double delay[SIMULATE_LIST];     /**< s beside the network's latency, of each message between nodes */
  double slower[SIMULATE_LIST];    /**< factors by which the last node's processors are slower than they are said */
  int modes, delays, slowers;
  double tolerance; /**< |f + lap u| of jacobi, |F| / (|u_old| + 1) of adr; 0: 20, 1e-8 */
} simulate_modes;

/** Slabs and the processors that have them. */
typedef struct simulate_slabs {
  const hg_platform *platform;
  int blocks;
  const hg_device **device; /**< [blocks] */
  int *rank;                /**< [blocks] node, without gaps */
  double *slower;           /**< [blocks] factor */
  int64_t *first;           /**< [blocks + 1] plane of the grid where each begins */
  double delay;             /**< s */
} simulate_slabs;

/** What a run is to do. */
typedef struct simulate_iteration {
  bool async;
  int64_t side;  /**< nodes along each axis */
  int inner;     /**< jacobi: sweeps of a task */
  int64_t steps; /**< adr: time steps of .02 s */
  double tolerance;
} simulate_iteration;

/** What came out. */
typedef struct simulate_iterated {
  double seconds, residual;
  int64_t snapshots;
  hg_async_sim_stats *stats; /**< [blocks] */
} simulate_iterated;

/** s of what a block does at once. @param first  s of the task that computes @param tasks  StarPU's, as programs submit
 * them, that one included */
double simulate_seconds(const simulate_slabs *slabs, int block, double first, int tasks);

/** s of a message from a block to another. */
double simulate_flight(const simulate_slabs *slabs, int from, int to, size_t bytes);

/** Relaxation of problem laplace, until |f + lap u| is small enough. HG_INVALID, HG_MEMORY. */
hg_status simulate_jacobi(const simulate_slabs *slabs, const simulate_iteration *what, simulate_iterated *out);

/** Time steps of problem mms. HG_INVALID, HG_MEMORY; HG_RUNTIME if they do not converge. */
hg_status simulate_adr(const simulate_slabs *slabs, const simulate_iteration *what, simulate_iterated *out);

/** Every combination of modes, delays and slow nodes, sizes last; prints rows. @param picture  file, or NULL */
hg_status simulate_async(const hg_platform *platform, const simulate_case *common, int sizes, const int64_t (*size)[2],
                         const simulate_modes *modes, bool csv, const char *picture);
#endif
