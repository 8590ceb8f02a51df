/* SPDX-License-Identifier: MIT */
/* Jacobi relaxation of -lap u = f on NX x NY points, sides included, whose sides are held: a sweep is
 * u' = ((W + E) + (N + S)) / 4 + h^2 f / 4. That is heat's form with a = 1/4 (c0 = 0, and quarters are exact), so
 * heat's kernels give it bit for bit. Points are h = 1 / (NX - 1) apart.
 *
 * Bounds of the error (max norm): |u - u*| <= d n^2 / 2 for a sweep's change d and n the smaller number of intervals,
 * since the discrete solution of lap w = -1 is at most 1/8 of the square of the shorter side. Errors shrink by
 * rho = (cos(pi / (NX-1)) + cos(pi / (NY-1))) / 2 a sweep, in the 2-norm surely, since a sweep's matrix is symmetric:
 * there |u - u*| <= |u' - u| / (1 - rho). */
#ifndef HG_APPS_JACOBI_H
#define HG_APPS_JACOBI_H

#include "graph/relax.h"
#include "job/mode.h"
#include "program/job_program.h"

/** What hetgrid-jacobi adds to a job. */
typedef struct jacobi {
  hg_job_life life;
  const char *problem;    /**< "laplace", "poisson", or a file of start and sides */
  const char *field;      /**< f, a file or a number, or NULL */
  const char *golden;     /**< file of cases to run instead, or NULL */
  double residual, error; /**< |f + lap u| or |u - u*| at which to stop; 0: not */
  int64_t n[2];           /**< points, once they are known */
  bool is_float;
  hg_mode mode;
  hg_relax_options relax; /**< of an asynchronous run */
  hg_relax_tally tally;   /**< of the last one, on all ranks */
  hg_update update;
  hg_quantity change;
  double norm; /**< 2-norm of the last change; NaN: not known */
} jacobi;

/** Sets what is so unless the command line says otherwise; and what follows from what was given. */
void jacobi_defaults(jacobi *j);
void jacobi_settle(jacobi *j);

/** Runs the cases of a golden file. HG_MISMATCH if some do not hold. */
hg_status jacobi_golden(const char *path);

/** Distance of points; error bound per change, in the maximum norm and in the 2-norm; factor per sweep. */
double jacobi_spacing(const jacobi *j);
double jacobi_bound(const jacobi *j);
double jacobi_bound_of_norm(const jacobi *j);
double jacobi_rho(const jacobi *j);

/** Start and sides of the built-in problems, hg_job.init. */
hg_status jacobi_start(const hg_cell *cell, void *value, const hg_input *input, void *arg);

/** q = h^2 f / 4, hg_job.source_value. */
double jacobi_source(const hg_cell *cell, double f, void *arg);

/** The largest change of the first sweep of the built-in problems; NaN of others. */
double jacobi_first_change(const jacobi *j);

/** What asynchronous runs cannot do. HG_INVALID naming the option. */
hg_status jacobi_check_mode(const jacobi *j);

/** Their columns and text, on rank 0; a synchronous run has the columns too. */
void jacobi_mode_columns(const jacobi *j, hg_columns *row);
void jacobi_mode_text(const jacobi *j);

/** Recomputes the change of the result by a plain sweep and compares it bit for bit. On rank 0. */
hg_status jacobi_verify_change(hg_job_life *life, const hg_field *result);

/** Recomputes all sweeps by plain loops and compares bit for bit; not after a restart. On rank 0. */
hg_status jacobi_verify(hg_job_life *life, const hg_field *result);
#endif
