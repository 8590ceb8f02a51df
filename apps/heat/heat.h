/* SPDX-License-Identifier: MIT */
/* Explicit heat transfer on a uniform grid (thesis eq. 2-2) as a job. */
#ifndef HG_APPS_HEAT_H
#define HG_APPS_HEAT_H

#include "codelets/heat/heat_kernels.h"
#include "input/grid.h"
#include "program/job_program.h"

/** Which cells have data, row by row. */
typedef struct heat_mask {
  hg_grid_input *input; /**< or NULL: all have data */
  double *row;          /**< [size x] of it: */
  int64_t y, z;
  bool good; /**< it could be read */
} heat_mask;

/** hetgrid-heat's additions to a job. */
typedef struct heat {
  hg_job_context context;
  hg_heat_coef alpha;      /**< diffusivity * dt / dx^2 per axis, dimensionless; 0 beyond the grid's dimensions */
  int alphas;              /**< number of values given */
  const char *diffusivity; /**< m^2/s, from which alpha is derived: numbers, or a field; or NULL */
  bool is_field;           /**< it is a field, passed as the job's source, and alpha is dt / dx^2 in s/m^2 */
  hg_parameter named[4];   /**< for the grid's axes */
  double flux[3][2];       /**< temperature added to the cells of a side per step */
  bool masks;              /**< cells of the input without data are not part of the grid */
  heat_mask mask;
  bool allow_unstable, is_float;
  const hg_heat_kernel *kernel; /**< on CPUs */
  hg_update update;
  hg_quantity change;
} heat;

/** The longest step to report, s: rounded so that the six digits printed do not exceed the bound. */
double heat_longest_step(double bound);

/** Takes the flux through sides, which becomes part of the job's source. HG_INVALID together with a field of
 * diffusivity. */
hg_status heat_take_flux(heat *heat, hg_job *job, const hg_side side[3][2]);

/** Excludes cells without data, by means of the job's source. HG_INVALID if the input is not a file, or together with
 * values of sides; HG_IO, HG_FORMAT, HG_MEMORY. */
hg_status heat_take_mask(heat *heat, hg_job *job, const hg_side side[3][2]);
void heat_close_mask(heat *heat);

/** Whether diffusivity differs between cells; then it is the job's source. */
static inline bool heat_has_field(const heat *h)
{
  return h->is_field || h->masks;
}

/** Derives the job's source from the values read, as the job does. */
void heat_make_source(const hg_job *job, hg_field *source);

/** Sides numbered as in codelets/heat/grid_sides.h. */
void heat_side_kinds(const hg_side side[3][2], int kind[3][2]);

/** Checks that the scheme is stable in the job's field of diffusivity. HG_INVALID naming the cell that requires the
 * shortest step, and that step; HG_FORMAT naming a cell with negative diffusivity. Cost: reads the field once. */
hg_status heat_field_check(const heat *heat, const hg_job *job);

/** Serial reference with a field of diffusivity k; otherwise like hg_heat_reference_double. */
void heat_field_reference_double(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,
                                 int64_t steps, double *a, double *b, const double *k);
void heat_field_reference_float(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,
                                int64_t steps, float *a, float *b, const float *k);

/** Recomputes all steps serially from the initial state, and compares bit for bit. On rank 0. HG_MISMATCH naming the
 * first differing cell. */
hg_status heat_verify(hg_job_context *context, const hg_field *result);
#endif
