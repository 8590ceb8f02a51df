/* SPDX-License-Identifier: MIT */
/* Outer products as tasks: for each panel and worker C_w += A_w B_w, bound to the worker, one after the other in the
 * order of panels. An entry of C is therefore the same sum in the same order however C is divided. */
#ifndef HG_MATMUL_PRODUCT_H
#define HG_MATMUL_PRODUCT_H

#include "matmul/part.h"

/** Makes a panel be in memory, or says how far the product is: panels done. */
typedef hg_status hg_matmul_bring_fn(void *arg, int panel);
typedef void hg_matmul_progress_fn(void *arg, int64_t panels);

/** What is computed. */
typedef struct hg_matmul_run {
  hg_matmul_part *part;
  const hg_box *box;         /**< [workers of this rank] within the part's */
  int first, end;            /**< panels */
  bool fresh;                /**< C is 0, whatever its memory holds */
  bool goes_on;              /**< with another call: C stays where it is */
  hg_matmul_bring_fn *bring; /**< called panel by panel while earlier ones are computed; or NULL */
  void *bring_arg;
  hg_matmul_progress_fn *progress; /**< or NULL */
  void *progress_arg;
  double *busy; /**< [workers] s that each worker's tasks took (kernels, no transfers); written */
} hg_matmul_run;

/** Adds the panels' products to C; returns when all is done and, unless it goes on, in main memory. Of this rank alone,
 * unless `bring` is collective. HG_NO_WORKER, HG_RUNTIME, and what `bring` returns. */
hg_status hg_matmul_compute(const hg_matmul_run *run);

/** To be called once StarPU runs: tasks are timed from then on. */
void hg_matmul_prepare(void);
#endif
