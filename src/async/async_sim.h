/* SPDX-License-Identifier: MIT */
/* A row of blocks in virtual time: iterations that wait for each other, or do not, on machines that need not exist.
 *
 * Each block has a neighbour before and one behind it. Values are real ones, given by functions; how long a sweep and a
 * message take is said by functions too, and events are handled one after another, so the answer depends on neither the
 * machine it is computed on nor its load. Asynchronously, what moves is what moves in programs (blocks.h, mailbox.h):
 * newer values replace those that have not left, one message of a link is in flight, frozen ones leave first, blocks
 * that have converged rest, and the detection is the programs' own (termination.h). Left out are StarPU and MPI: the
 * time that they take is the functions' to say. */
#ifndef HG_ASYNC_ASYNC_SIM_H
#define HG_ASYNC_ASYNC_SIM_H

#include <stddef.h>

#include "async/termination.h"

/** Whose values a face has. */
typedef enum hg_async_sim_vector { HG_ROW_RUNNING, HG_ROW_FROZEN } hg_async_sim_vector;

/** What blocks do. Sides are 0, towards the block before, and 1. */
typedef struct hg_async_sim_work {
  /** A sweep with the ghosts that the block holds. Returns the residual of the values before; NaN: not measured.
   * @param[out] seconds  it takes, > 0 */
  double (*sweep)(void *self, int block, double *seconds);
  /** Copies the values of a block. */
  void (*freeze)(void *self, int block);
  /** The residual of the frozen values with the frozen ghosts, and the s that it takes. */
  double (*measure)(void *self, int block, double *seconds);
  /** What the neighbour at a side gets, and what comes from it. @param face  [hg_async_sim.face] bytes */
  void (*leave)(void *self, int block, int side, hg_async_sim_vector vector, void *face);
  void (*arrive)(void *self, int block, int side, hg_async_sim_vector vector, const void *face);
  /** s that a message takes from a block to another, >= 0. */
  double (*flight)(void *self, int from, int to, size_t bytes);
} hg_async_sim_work;

typedef struct hg_async_sim {
  const hg_async_sim_work *work;
  void *self;
  int blocks;             /**< >= 1 */
  const int *rank;        /**< [blocks] of each block, ascending from 0 without gaps */
  size_t face;            /**< bytes */
  hg_detection detection; /**< of asynchronous iterations */
  double tolerance;       /**< of the residual */
  double hopeless;        /**< a block whose residual is larger gives up; 0: none does */
  int64_t sweeps;         /**< of a block at most, then it gives up */
  bool eager;             /**< blocks do not rest */
  bool still;             /**< a sweep whose residual is small enough changes nothing: see hg_async_work */
} hg_async_sim;

/** How a block fared. */
typedef struct hg_async_sim_stats {
  int64_t sweeps;
  int64_t staleness; /**< sweeps in a row without news from a neighbour, at most */
  double busy;       /**< s of its sweeps and measurements */
} hg_async_sim_stats;

typedef struct hg_async_sim_end {
  double seconds;  /**< until the last block knows that it is over */
  double residual; /**< of the result: the frozen vector, or synchronously the values */
  int64_t rounds;  /**< frozen vectors that were measured */
  bool settled;    /**< the result is the running vector */
} hg_async_sim_end;

/** Nobody waits. The blocks hold ghosts that are as new as their neighbours' values. @param[in,out] stats  [blocks],
 * added to. HG_MEMORY; HG_RUNTIME if nothing happens any more, which would be our own bug. */
hg_status hg_async_sim_run(const hg_async_sim *row, hg_async_sim_stats *stats, hg_async_sim_end *end);

/** All wait for their neighbours' faces of the sweep before; the residual of all blocks is looked at when the next
 * sweep is under way, by a reduction whose messages take `flight` from the first to the last block, as often as ranks
 * can be halved. `freeze`, `measure` are not called. @param[in,out] stats  [blocks]  HG_MEMORY */
hg_status hg_lockstep_sim_run(const hg_async_sim *row, hg_async_sim_stats *stats, hg_async_sim_end *end);
#endif
