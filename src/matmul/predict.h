/* SPDX-License-Identifier: MIT */
/* Predicts the time of a product on described workers before it runs, and finds the division that takes the least:
 * with the cost by which grids are divided (placement/machine.h), for panels instead of borders. */
#ifndef HG_MATMUL_PREDICT_H
#define HG_MATMUL_PREDICT_H

#include "matmul/divide.h"
#include "placement/machine.h"

/** The workers of all ranks and their interconnect. */
typedef struct hg_matmul_machine {
  const hg_session *session;   /**< only ranks, all_workers and worker_rank are used */
  double units;                /**< number of units in C */
  const hg_speed_model *model; /**< [all_workers] s per panel as a function of units */
  hg_wire wire;                /**< of a rank */
  const hg_gpu_port *port;     /**< [all_workers] of GPUs, with values as items; or NULL */
} hg_matmul_machine;

/** Seconds of the product: the first panel is sent to its ranks and GPUs and computed; for the others the slowest of
 * these phases counts, since they overlap; then C is copied from the GPUs.
 * @param box   [all_workers] @param rank  [ranks] from hg_matmul_divide */
double hg_matmul_time(const hg_matmul_machine *machine, const hg_matmul_problem *problem, const hg_box *box,
                      const hg_box *rank);

/** The shares that take the least time: the given ones, or FPM's for all workers, for the fastest ones, or for those
 * of the fastest ranks, in slices or rectangles. The given ones remain unless the gain exceeds the error of such
 * predictions.
 * @param others       also try other shares @param layouts  slices may become rectangles
 * @param[in,out] units   [all_workers]; proportions, if rectangles replace slices
 * @param[out] layout  chosen @param[out] seconds  its time. HG_INVALID, HG_MEMORY. */
hg_status hg_matmul_choose(const hg_matmul_machine *machine, const hg_matmul_problem *problem, bool others,
                           bool layouts, int64_t *units, hg_matmul_layout *layout, double *seconds);
#endif
