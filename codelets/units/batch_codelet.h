/* SPDX-License-Identifier: MIT */
/* Tasks on batches of independent units: each computes the values of its units and reads nothing but its arguments. */
#ifndef HG_CODELETS_UNITS_BATCH_CODELET_H
#define HG_CODELETS_UNITS_BATCH_CODELET_H

#include "base/box.h"
#include "codelets/units/units_codelet.h"

/** Argument of a task (cl_arg, owned by the task). */
typedef struct hg_batch_step {
  const hg_units_kernel *kernel;
  hg_box box; /**< of its units */
  int64_t step;
  /** [kernel->parameter_bytes] copied when the task was submitted */
  unsigned char parameters[] __attribute__((aligned(16)));
} hg_batch_step;

/** Flops of a task, for reports; 0: not known. */
double hg_batch_flops(const hg_batch_step *step);

/** Fills in kernel->task from the other fields. Its buffer: the values (W), with x varying fastest. */
void hg_batch_codelet(hg_units_kernel *kernel, const char *name);
#endif
