/* SPDX-License-Identifier: MIT */
/* Explicit heat transfer on a uniform grid (thesis eq. 2-2) as a job. */
#ifndef HG_APPS_HEAT_H
#define HG_APPS_HEAT_H

#include "codelets/heat/heat_kernels.h"
#include "input/grid.h"
#include "program/job_program.h"

/** Which cells have data, row by row. */
typedef struct heat_mask {
  hg_grid_input *input; /**< or NULL: all have */
  double *row;          /**< [size x] of it: */
  int64_t y, z;
  bool good; /**< it could be read */
} heat_mask;

/** What hetgrid-heat adds to a job. */
typedef struct heat {
  hg_job_context context;
  hg_heat_coef alpha;      /**< diffusivity * dt / dx^2 per axis, dimensionless; 0 beyond the grid's dimensions */
  int alphas;              /**< numbers that were given */
  const char *diffusivity; /**< m^2/s, which alpha then follows from: numbers, or a field; or NULL */
  bool is_field;           /**< it is a field, the job's source, and alpha is dt / dx^2 in s/m^2 */
  hg_parameter named[4];   /**< those of the grid's axes */
  double flux[3][2];       /**< temperature that a step adds to the cells of a side */
  bool masks;              /**< cells of the input that have no data are no part of the grid */
  heat_mask mask;
  bool allow_unstable, is_float;
  const hg_heat_kernel *kernel; /**< on CPUs */
  hg_update update;
  hg_quantity change;
} heat;

/** The longest step that is told, s: with the six digits that are printed it is no longer than the bound. */
double heat_longest_step(double bound);

/** Takes what enters through sides, which becomes part of the job's source. HG_INVALID beside a field of diffusivity.
 */
hg_status heat_take_flux(heat *heat, hg_job *job, const hg_side side[3][2]);

/** Leaves out cells that have no data, by the job's source. HG_INVALID where the input is no file, or beside values of
 * sides; HG_IO, HG_FORMAT, HG_MEMORY. */
hg_status heat_take_mask(heat *heat, hg_job *job, const hg_side side[3][2]);
void heat_close_mask(heat *heat);

/** Whether cells differ in their diffusivity, which is the job's source then. */
static inline bool heat_has_field(const heat *h)
{
  return h->is_field || h->masks;
}

/** Makes the job's source of what was read, as the job does. */
void heat_make_source(const hg_job *job, hg_field *source);

/** Sides as codelets/heat/grid_sides.h numbers them. */
void heat_side_kinds(const hg_side side[3][2], int kind[3][2]);

/** Whether the scheme is stable in the job's field of diffusivity. HG_INVALID naming the cell that asks for the
 * shortest step, and that; HG_FORMAT naming one whose diffusivity is negative. Cost: reads the field once. */
hg_status heat_field_check(const heat *heat, const hg_job *job);

/** Serial reference in a field of diffusivity k; else as hg_heat_reference_double. */
void heat_field_reference_double(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,
                                 int64_t steps, double *a, double *b, const double *k);
void heat_field_reference_float(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,
                                int64_t steps, float *a, float *b, const float *k);

/** Recomputes all steps serially from the initial state, and compares bit for bit. On rank 0. HG_MISMATCH naming the
 * first differing cell. */
hg_status heat_verify(hg_job_context *context, const hg_field *result);
#endif
