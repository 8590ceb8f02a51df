/* SPDX-License-Identifier: MIT */
/* The tasks of an adr block. A sweep is pack, unpack, residual, solve; begin precedes a time step's first sweep. */
#ifndef HG_CODELETS_ADR_ADR_CODELET_H
#define HG_CODELETS_ADR_ADR_CODELET_H

#include <starpu.h>

#include "codelets/adr/adr.h"
#include "codelets/adr/adr_krylov.h"
#include "codelets/phases.h"
#include "codelets/halo_pieces.h"

/** Data about a block that stay the same during a run; in host memory, read by its tasks. */
typedef struct hg_adr_info {
  hg_adr_block block;
  const hg_adr_kernel *kernel;
  int real;                            /**< inner solver: 0 double, 1 float */
  const hg_halo_piece_cells *in, *out; /**< of the first species, in the state */
  int in_count, out_count;
  hg_phase_times *times; /**< [workers] */
  double iterations;     /**< of a solve, assumed in simulation */
} hg_adr_info;

/** Argument of a task (cl_arg, owned by the task). */
typedef struct hg_adr_task {
  const hg_adr_info *info;
  hg_adr_step step;
  bool first, bdf2; /**< of begin */
  bool fresh;       /**< of residual */
  bool idle;        /**< of solve, in simulation: there is nothing to do */
  int state;        /**< of pack and unpack: which state */
  bool of_work;     /**< of pack and unpack: a vector of the inner solver, in `work` instead of a state, */
  int field;        /**< whose first field this is; its values are as large as a state's */
  hg_adr_pass pass; /**< of pass: the method's current pass */
  hg_adr_krylov it;
} hg_adr_task;

/** Buffers: state (RW), old (RW), before (RW), outcome (RW). */
extern struct starpu_codelet hg_adr_begin_codelet;
/** Buffers: state (RW: its ghosts), old (R), tables (R), work (RW), outcome (RW), norm (W: a copy of the outcome to be
 * read). */
extern struct starpu_codelet hg_adr_residual_codelet;
/** Buffers: state (RW), tables (R), work (RW), outcome (RW). Does nothing if the residual was small enough. */
extern struct starpu_codelet hg_adr_solve_codelet;
/** Buffers: state (RW), tables (R), work (RW), outcome (RW), sums (W, 2 doubles). A pass of a method over all blocks.
 */
extern struct starpu_codelet hg_adr_pass_codelet;
/** Buffers: state or work (RW, so that it follows the block's other tasks), pieces out (W). */
extern struct starpu_codelet hg_adr_pack_codelet;
/** Buffers: state or work (RW), pieces in (R). A piece holds both species, one after the other. */
extern struct starpu_codelet hg_adr_unpack_codelet;
#endif
