/* SPDX-License-Identifier: MIT */
/* How long a product takes on workers that are described, before it runs, and the division that takes least: the cost
 * that grids are divided by (placement/machine.h), of panels in place of borders. */
#ifndef HG_MATMUL_PREDICT_H
#define HG_MATMUL_PREDICT_H

#include "matmul/divide.h"
#include "placement/machine.h"

/** The workers of all ranks and what connects them. */
typedef struct hg_matmul_machine {
  const hg_session *session;   /**< of which ranks, all_workers and worker_rank count */
  double units;                /**< that C has */
  const hg_speed_model *model; /**< [all_workers] s of a panel over units */
  hg_wire wire;                /**< of a rank */
  const hg_gpu_port *port;     /**< [all_workers] of GPUs, items are values; or NULL */
} hg_matmul_machine;

/** s of the product: the first panel comes to its ranks and GPUs and is computed, of the others the slowest of these
 * counts, since they overlap; then C leaves the GPUs.
 * @param box   [all_workers] @param rank  [ranks] of hg_matmul_divide */
double hg_matmul_time(const hg_matmul_machine *machine, const hg_matmul_problem *problem, const hg_box *box,
                      const hg_box *rank);

/** Shares that take least time: those given, or by FPM all workers, the fastest ones, or those of the fastest ranks, by
 * slices or rectangles. The given ones unless others gain more than such times are off.
 * @param others       are looked at @param layouts  slices may become rectangles
 * @param[in,out] units   [all_workers]; of rectangles chosen in place of slices, proportions
 * @param[out] layout  chosen @param[out] seconds  its time. HG_INVALID, HG_MEMORY. */
hg_status hg_matmul_choose(const hg_matmul_machine *machine, const hg_matmul_problem *problem, bool others,
                           bool layouts, int64_t *units, hg_matmul_layout *layout, double *seconds);
#endif
