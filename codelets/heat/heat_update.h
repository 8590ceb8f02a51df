/* SPDX-License-Identifier: MIT */
/* Heat transfer as the update of a job, with kernels for whole tiles on CPUs and GPUs. */
#ifndef HG_CODELETS_HEAT_HEAT_UPDATE_H
#define HG_CODELETS_HEAT_HEAT_UPDATE_H

#include "codelets/heat/heat_kernels.h"
#include "codelets/units/units.h"

/** The update of a grid of `dims` dimensions. Its tasks read a hg_heat_coef as the job's parameters, and the job's
 * source if it has one.
 * @param kernel    CPU kernel, kept by reference
 * @param is_float  single precision */
hg_update hg_heat_update(int dims, const hg_heat_kernel *kernel, bool is_float);

/** The same with a field of diffusivity (m^2/s), which is the job's source; the coefficients are dt / dx^2. Only on
 * CPUs. */
hg_update hg_heat_field_update(int dims, bool is_float);

/** The CPU kernel of the update with a field. */
const hg_heat_kernel *hg_heat_field_kernel(void);

/** The best number of steps per task on CPUs and on GPUs, in a grid of `dims` dimensions. */
void hg_heat_depth(int dims, int depth[2]);

/** The change of a cell in a step, in absolute value. */
hg_quantity hg_heat_change(bool is_float);

/** Floating-point operations per cell and step; fused multiply-adds count as two. */
double hg_heat_flops(int dims);
double hg_heat_field_flops(int dims);
#endif
