/* SPDX-License-Identifier: MIT */
/* Tasks on the tiles of a stencil, for any update: fill the margins from pieces, advance, write pieces. */
#ifndef HG_CODELETS_UNITS_STENCIL_CODELET_H
#define HG_CODELETS_UNITS_STENCIL_CODELET_H

#include <starpu.h>

#include "codelets/failure.h"
#include "codelets/phases.h"
#include "codelets/halo_pieces.h"
#include "codelets/tile.h"

typedef struct hg_stencil_kernel hg_stencil_kernel;

/** Data about a tile that stay the same during a run; in host memory, read by its tasks. */
typedef struct hg_tile_info {
  hg_tile_shape shape;
  int64_t lo[3]; /**< the tile's first cell, margin included, in the grid extended by margins */
  const hg_stencil_kernel *kernel;
  int in_count, out_count; /**< pieces read and written by each task */
  const hg_halo_piece_cells *in, *out;
  hg_phase_times *times; /**< [workers] */
  hg_failure *failure;   /**< of the run */
} hg_tile_info;

/** Argument of a task (cl_arg, owned by the task). */
typedef struct hg_tile_step {
  const hg_tile_info *tile;
  int64_t first; /**< number of the first step */
  int steps;     /**< to advance by */
  bool measure;  /**< measure the step; requires steps == 1 */
  /** [kernel->parameter_bytes] copied when the task was submitted */
  unsigned char parameters[] __attribute__((aligned(16)));
} hg_tile_step;

/** The states of a tile in a task's memory. */
typedef struct hg_tile_states {
  void *before;       /**< padded, with filled margins */
  void *after;        /**< padded; the core is written */
  const void *source; /**< padded, or NULL */
} hg_tile_states;

/** What a step computes. The CUDA functions queue work on a cudaStream_t and return a cudaError_t. */
struct hg_stencil_kernel {
  int64_t value_bytes; /**< bytes of a cell's value, >= 1 */
  bool has_source;
  size_t result_bytes;    /**< size of what a measuring task writes for its tile */
  double flops;           /**< per cell and step, for StarPU's reports */
  const void *data;       /**< the kernel's own data */
  const void *parameters; /**< copied into each task */
  size_t parameter_bytes;
  struct starpu_codelet *task; /**< of hg_stencil_cpu and hg_stencil_cuda; buffers as below */
  struct starpu_codelet *pack; /**< of hg_stencil_pack_cpu and hg_stencil_pack_cuda */
  bool (*advance)(const hg_tile_step *step, const hg_tile_states *states); /**< false: failed, and recorded */
  void (*measure)(const hg_tile_step *step, const hg_tile_states *states, void *result);
  int (*advance_cuda)(const hg_tile_step *step, const hg_tile_states *states, void *stream);
  /** NULL: measuring tasks run on CPUs. */
  int (*measure_cuda)(const hg_tile_step *step, const hg_tile_states *states, void *result, void *stream);
};

/** Cells of a tile's core. */
double hg_tile_core_count(const hg_tile_info *tile);

/** CPU function of a task that advances a tile. Buffers: state before (RW: its margins are filled in), state after
 * (W), [source (R)], [result (W), if measured], pieces in (R) x in_count, pieces out (W) x out_count. */
void hg_stencil_cpu(void *buffer[], void *step);
void hg_stencil_cuda(void *buffer[], void *step);

/** CPU function of a task that writes the pieces of a state. Buffers: state (R), pieces out (W) x out_count. */
void hg_stencil_pack_cpu(void *buffer[], void *step);
void hg_stencil_pack_cuda(void *buffer[], void *step);

/** For performance models: distinguishes tasks with different numbers of steps. */
uint32_t hg_stencil_footprint(struct starpu_task *task);
#endif
