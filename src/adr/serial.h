/* SPDX-License-Identifier: MIT */
/* The same problem as one block in one thread: the reference for divided runs. */
#ifndef HG_ADR_SERIAL_H
#define HG_ADR_SERIAL_H

#include "adr/settings.h"

/** A grid of two species: species s at node (x, y, z) is value[((s nz + z) ny + y) nx + x]. */
typedef struct hg_adr_result {
  double *value; /**< [2 nz ny nx], owned */
  int64_t sweeps;
  double iterations;
} hg_adr_result;

/** Computes it. HG_MEMORY, or the status of hg_adr_check_sweep. Free value with free().
 * @param last  the last time step to compute */
hg_status hg_adr_serial(const hg_adr_problem *problem, const hg_adr_settings *settings, const hg_adr_kernel *kernel,
                        int64_t last, hg_adr_result *out);

/** The largest residual |F| / (|u_old| + 1) of values after a step of implicit Euler.
 * @param value,before  [2][nz ny nx] species after species, after and before step `number`
 * HG_MEMORY */
hg_status hg_adr_serial_residual(const hg_adr_problem *problem, const hg_adr_settings *settings,
                                 const hg_adr_kernel *kernel, int64_t number, const double *const value[2],
                                 const double *const before[2], double *residual);

/** Largest |value - exact| of both species at that time; NaN where unknown. */
double hg_adr_error(const hg_adr_problem *problem, const double *const value[2], double time);
#endif
