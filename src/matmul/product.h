/* SPDX-License-Identifier: MIT */
/* Outer products as tasks: for each panel and worker C_w += A_w B_w, bound to the worker, in the order of panels. An
 * entry of C is therefore the same sum in the same order however C is divided. Where a GPU's memory cannot hold its
 * part of C, all workers compute one strip of columns after the other. */
#ifndef HG_MATMUL_PRODUCT_H
#define HG_MATMUL_PRODUCT_H

#include "matmul/part.h"

/** Brings a panel into memory; or reports progress: panels done. */
typedef hg_status hg_matmul_bring_fn(void *arg, int panel);
typedef void hg_matmul_progress_fn(void *arg, int64_t panels);

/** The products to compute. */
typedef struct hg_matmul_run {
  hg_matmul_part *part;
  const hg_box *box;         /**< [workers of this rank] within the part's */
  int strips;                /**< of columns into which each box is cut: hg_matmul_strips */
  int first, end;            /**< panels */
  bool fresh;                /**< C starts from 0, whatever its memory holds */
  bool goes_on;              /**< another call follows: C stays where it is */
  hg_matmul_bring_fn *bring; /**< called for each panel while earlier ones are computed; or NULL */
  void *bring_arg;
  hg_matmul_progress_fn *progress; /**< or NULL */
  void *progress_arg;
  double *busy; /**< [workers] s of each worker's tasks (kernels without transfers); written */
} hg_matmul_run;

/** Adds the panels' products to C. On return all is done and, unless goes_on is set, in main memory. Not collective,
 * unless `bring` is. HG_NO_WORKER, HG_RUNTIME, and any status of `bring`. */
hg_status hg_matmul_compute(const hg_matmul_run *run);

/** To be called once StarPU runs: tasks are timed from then on. */
void hg_matmul_prepare(void);
#endif
