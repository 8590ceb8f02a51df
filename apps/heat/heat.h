/* SPDX-License-Identifier: MIT */
/* Explicit heat transfer on a uniform grid (thesis eq. 2-2) as a job. */
#ifndef HG_APPS_HEAT_H
#define HG_APPS_HEAT_H

#include "codelets/heat/kernels.h"
#include "program/job_program.h"

/** What hetgrid-heat adds to a job. */
typedef struct heat {
  hg_job_context context;
  hg_heat_coef alpha;    /**< diffusivity * dt / dx^2 per axis, dimensionless; 0 beyond the grid's dimensions */
  int alphas;            /**< numbers that were given */
  double diffusivity[3]; /**< m^2/s, which alpha then follows from */
  int diffusivities;     /**< numbers that were given */
  hg_parameter named[4]; /**< those of the grid's axes */
  bool allow_unstable, is_float;
  const hg_heat_kernel *kernel; /**< on CPUs */
  hg_update update;
  hg_quantity change;
} heat;

/** Recomputes all steps serially from the initial state, and compares bit for bit. On rank 0. HG_MISMATCH naming the
 * first differing cell. */
hg_status heat_verify(hg_job_context *context, const hg_field *result);
#endif
