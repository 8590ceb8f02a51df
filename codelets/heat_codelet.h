/* SPDX-License-Identifier: MIT */
/* The heat kernels as tasks on the tiles of a stencil. */
#ifndef HG_CODELETS_HEAT_CODELET_H
#define HG_CODELETS_HEAT_CODELET_H

#include "codelets/kernels.h"
#include "codelets/stencil_codelet.h"

/** What the heat kernel reads beside a tile. */
typedef struct hg_heat_update {
  hg_heat_coef coef;
  bool is_float;
  const hg_heat_kernel *cpu; /**< CPU kernel */
} hg_heat_update;

/** A stencil kernel for heat; `update` is kept by reference. The result of a measuring task is the largest change, one
 * double. */
hg_stencil_kernel hg_heat_stencil_kernel(int dims, bool has_source, const hg_heat_update *update);
#endif
