/* SPDX-License-Identifier: MIT */
/* Simulates a row of blocks in virtual time: iterations with or without waiting, on machines that need not exist.
 * Each block has a neighbour on either side. Values are real and given by functions. Functions also say how long a
 * sweep and a message take, and events are handled one after another, so the result depends neither on the machine
 * that runs the simulation nor on its load. Asynchronous communication is that of the programs (blocks.h, mailbox.h):
 * newer values replace those not yet sent, one message of a link is in flight, frozen ones go first, converged blocks
 * rest, and the detection is the same code (termination.h). StarPU and MPI are left out: the given functions must
 * include their time. */
#ifndef HG_ASYNC_ASYNC_SIM_H
#define HG_ASYNC_ASYNC_SIM_H

#include <stddef.h>

#include "async/termination.h"

/** Which vector the values of a face belong to. */
typedef enum hg_async_sim_vector { HG_ROW_RUNNING, HG_ROW_FROZEN } hg_async_sim_vector;

/** The work of blocks. Side 0 is towards the previous block, side 1 towards the next. */
typedef struct hg_async_sim_work {
  /** A sweep with the block's current ghosts. Returns the residual of the values before it; NaN: not measured.
   * @param[out] seconds  duration, > 0 */
  double (*sweep)(void *self, int block, double *seconds);
  /** Copies the values of a block. */
  void (*freeze)(void *self, int block);
  /** The residual of the frozen values with the frozen ghosts, and the s it takes. */
  double (*measure)(void *self, int block, double *seconds);
  /** The face sent to the neighbour at a side, and the one received from it. @param face  [hg_async_sim.face] bytes */
  void (*leave)(void *self, int block, int side, hg_async_sim_vector vector, void *face);
  void (*arrive)(void *self, int block, int side, hg_async_sim_vector vector, const void *face);
  /** Seconds that a message takes from one block to another, >= 0. */
  double (*flight)(void *self, int from, int to, size_t bytes);
} hg_async_sim_work;

typedef struct hg_async_sim {
  const hg_async_sim_work *work;
  void *self;
  int blocks;             /**< >= 1 */
  const int *rank;        /**< [blocks] ascending from 0 without gaps */
  size_t face;            /**< bytes */
  hg_detection detection; /**< of asynchronous iterations */
  double tolerance;       /**< of the residual */
  double hopeless;        /**< a block with a larger residual gives up; 0: none does */
  int64_t sweeps;         /**< most sweeps of a block, after which it gives up */
  bool eager;             /**< blocks do not rest */
  bool still;             /**< a sweep whose residual is small enough changes nothing: see hg_async_work */
} hg_async_sim;

/** Statistics of a block. */
typedef struct hg_async_sim_stats {
  int64_t sweeps;
  int64_t staleness; /**< most sweeps in a row without news from a neighbour */
  double busy;       /**< s in its sweeps and measurements */
} hg_async_sim_stats;

typedef struct hg_async_sim_end {
  double seconds;  /**< until the last block knows that the end is reached */
  double residual; /**< of the result: the frozen vector, or with synchronous iterations the values */
  int64_t rounds;  /**< frozen vectors measured */
  bool settled;    /**< the result is the running vector */
} hg_async_sim_end;

/** Runs without waiting. At the start the blocks' ghosts are as new as their neighbours' values. @param[in,out] stats
 * [blocks], added to. HG_MEMORY; HG_RUNTIME if no event is left, which would be a bug here. */
hg_status hg_async_sim_run(const hg_async_sim *row, hg_async_sim_stats *stats, hg_async_sim_end *end);

/** Runs with waiting for the neighbours' faces of the previous sweep. The residual of all blocks is read during the
 * next sweep, after a reduction of log2(ranks) messages, each taking `flight` from the first to the last block.
 * `freeze` and `measure` are not called. @param[in,out] stats  [blocks]  HG_MEMORY */
hg_status hg_lockstep_sim_run(const hg_async_sim *row, hg_async_sim_stats *stats, hg_async_sim_end *end);
#endif
