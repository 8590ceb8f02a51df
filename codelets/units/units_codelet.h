/* SPDX-License-Identifier: MIT */
/* Applications' updates as tasks: on the tiles of a stencil, and on tiles whose neighbours are stored. */
#ifndef HG_CODELETS_UNITS_UNITS_CODELET_H
#define HG_CODELETS_UNITS_UNITS_CODELET_H

#include "base/exact.h"
#include "codelets/units/stencil_codelet.h"
#include "codelets/units/stored.h"
#include "codelets/units/units.h"

/** What a task measured on its tile. */
typedef struct hg_quantity_stats {
  double largest, smallest; /**< NaN if any value is */
  hg_exact sum;
} hg_quantity_stats;

/** The statistics of no values: -inf, inf, 0. */
void hg_quantity_stats_clear(hg_quantity_stats *m);

/** Adds values. @param arg  hg_quantity_stats */
void hg_quantity_stats_take(void *arg, const double *values, int64_t count);

enum { HG_MODEL_SYMBOL = 80 }; /* bytes of the name of a performance model */

/** What all tasks of a job read; kept until they are finished. */
typedef struct hg_units_kernel {
  const hg_update *update;
  const hg_quantity *quantity; /**< or NULL */
  int64_t n[3];                /**< of the grid */
  hg_fault *fault;             /**< [workers] */
  hg_phase_times *times;       /**< [workers] */
  int blocks, threads;         /**< of CUDA launches; 0: chosen */
  double flops;                /**< per unit and step, for reports; for stencils see hg_stencil_kernel */
  const void *parameters;      /**< copied into each task */
  size_t parameter_bytes;
  struct starpu_perfmodel model, pack_model;
  struct starpu_codelet task, pack, measure;
  char symbol[HG_MODEL_SYMBOL], pack_symbol[HG_MODEL_SYMBOL], pack_name[HG_MODEL_SYMBOL];
} hg_units_kernel;

/** Fills in the codelets from the other fields. @param stored  neighbours are stored or in zones */
void hg_units_codelets(hg_units_kernel *kernel, const char *name, bool stored);

/** The kernel for a stencil; `kernel` is kept by reference. The result of a measuring task is an hg_quantity_stats.
 * @param flops  per unit and step */
hg_stencil_kernel hg_units_stencil_kernel(const hg_units_kernel *kernel, bool has_source, double flops);

/* Buffers of kernel->task: state before (RW: received values are filled in), state after (W), index (R), pieces in (R)
 * x in_count. kernel->pack: state (R), index (R), positions of the units sent (R), pieces out (W) x out_count.
 * kernel->measure: state before (R), state after (R), hg_quantity_stats (W). */
#endif
