/* SPDX-License-Identifier: MIT */
/* The heat kernels as StarPU tasks. */
#ifndef HG_CODELETS_HEAT_CODELET_H
#define HG_CODELETS_HEAT_CODELET_H

#include <starpu.h>

#include "codelets/kernels.h"
#include "codelets/pieces.h"

/** Seconds that each worker spent in the phases of its tasks. Written by the worker alone. */
typedef struct hg_phase_times {
  double unpack, compute, pack;
  double cells;  /**< times steps, that its tasks advanced */
  double queued; /**< of a worker whose tasks only queue work: executing, by StarPU's profiling */
  bool failed;   /**< a task found no scratch memory and computed nothing; looked at when all tasks are done */
} hg_phase_times;

/** What stays the same about a tile during a run; on the host, read by its tasks. */
typedef struct hg_heat_tile {
  hg_heat_shape shape;
  hg_heat_coef coef;
  bool is_float;
  bool has_source;
  const hg_heat_kernel *cpu; /**< CPU kernel */
  int in_count, out_count;   /**< pieces read and written by each task */
  const hg_piece_cells *in, *out;
  hg_phase_times *times; /**< [workers] */
} hg_heat_tile;

/** Argument of a task (cl_arg, owned by the task). */
typedef struct hg_heat_step {
  const hg_heat_tile *tile;
  int steps;    /**< time steps to advance */
  bool measure; /**< write the largest change of the last step; requires steps == 1 */
} hg_heat_step;

/** Advances a tile by some steps. Buffers: state before (RW: its margins are filled in), state after (W),
 * [source (R)], [largest change, one double (W), if measured], pieces in (R) x in_count, pieces out (W) x out_count. */
extern struct starpu_codelet hg_heat_codelet;

/** Writes the pieces of a tile's initial state. Buffers: state (R), pieces out (W) x out_count. */
extern struct starpu_codelet hg_heat_pack_codelet;
#endif
