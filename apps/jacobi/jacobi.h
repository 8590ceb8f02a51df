/* SPDX-License-Identifier: MIT */
/* Jacobi relaxation of -lap u = f on NX x NY points including the sides, which are held: a sweep is u' = ((W + E) + (N
 * + S)) / 4 + h^2 f / 4. That is heat's form with a = 1/4 (c0 = 0, and quarters are exact), so heat's kernels compute
 * it bit for bit. Points are h apart along both axes: from --spacing or a map, in m, else 1 / (NX - 1). Their
 * coordinates are x h, y h, both for the built-in problems and in files.
 *
 * Bounds of the error (max norm): |u - u*| <= d n^2 / 2 for a sweep's change d, with n the smaller number of
 * intervals, since the discrete solution of lap w = -1 is at most 1/8 of the square of the shorter side. Errors shrink
 * by rho = (cos(pi / (NX-1)) + cos(pi / (NY-1))) / 2 per sweep, rigorously in the 2-norm, since a sweep's matrix is
 * symmetric: there |u - u*| <= |u' - u| / (1 - rho).
 *
 * This holds for exact sweeps. A sweep with rounding errs by at most r at a point, so its change d is that of an exact
 * sweep within r: d + r replaces d in all bounds (in the 2-norm r sqrt(points)). With unit roundoff e, |u| <= U, |q|
 * <= Q, and p(U) the largest power of 2 below U: sums of two neighbours are rounded by 2 e p(U), a quarter of which
 * counts twice, their sum by e p(U), that with q by e p(U + Q). The result is u or u', whose bounds are equal. The
 * effect of rounded sides and sources on the solution itself is in the bounds, too. */
#ifndef HG_APPS_JACOBI_H
#define HG_APPS_JACOBI_H

#include "async/relax.h"
#include "options/async_options.h"
#include "program/job_program.h"

/** hetgrid-jacobi's additions to a job. */
typedef struct jacobi {
  hg_job_context context;
  const char *problem;               /**< "laplace", "poisson", or a file with start and sides */
  const char *field;                 /**< f, a file or a number, or NULL */
  const char *golden;                /**< file of cases to run instead, or NULL */
  double tolerance, residual, error; /**< change, |f + lap u| or |u - u*| at which to stop; 0: do not use it */
  int64_t n[2];                      /**< points, once known */
  double h;                          /**< their distance if given, m; 0: not given */
  bool is_float;
  hg_mode mode;
  hg_relax_options relax; /**< for an asynchronous run */
  hg_relax_stats stats;   /**< of the last such run, over all ranks */
  hg_update update;
  hg_quantity change;
  double norm;       /**< 2-norm of the last change; NaN: unknown */
  bool heated;       /**< there is a q */
  double largest;    /**< largest |q| at a point of this rank */
  double heat;       /**< the same over all ranks */
  double held;       /**< largest |u| at a point, for the values checked last; likewise: */
  double rounding;   /**< bound on the rounding of a sweep */
  double sides;      /**< bound on the rounding of the sides */
  double certain[2]; /**< |u - u*| and |f + lap u| derived from the result itself; infinite: not computed */
} jacobi;

/** Sets defaults; and what follows from the given options. */
void jacobi_defaults(jacobi *j);
void jacobi_settle(jacobi *j);

/** Runs the cases of a golden file. HG_MISMATCH if some fail. */
hg_status jacobi_golden(const char *path);

/** Takes the distance of points from --spacing or from the map that a problem is. HG_INVALID if it differs between
 * axes, if both are given and differ, or if a map is in degrees; HG_IO, HG_FORMAT, HG_MEMORY. */
hg_status jacobi_take_spacing(jacobi *j, const hg_job *job);

/** Distance of points; error bound per change, in the maximum norm and in the 2-norm; error factor per sweep. */
double jacobi_spacing(const jacobi *j);
double jacobi_bound(const jacobi *j);
double jacobi_bound_of_norm(const jacobi *j);
double jacobi_rho(const jacobi *j);

/** Sweeps that halve any change, with a margin of two (from the spectral radius, and (4 / pi)^2 for the maximum
 * norm). */
int64_t jacobi_halving(const jacobi *j);

/** Computes j->certain from the current values, with hardly any rounding: with exact r = M u + q - u, M a sweep, the
 * error is (1 - M)^-1 r = (1 - M^2)^-1 (r + M r), at most (n^2 / 4 + 1/2) max |r + M r|. This bound is not affected by
 * values that oscillate due to rounding. Gathers the values. Collective. HG_MEMORY */
hg_status jacobi_certify(jacobi *j, hg_run *run);

/** Checks the current values and sets j->rounding and j->sides. Collective. HG_MEMORY */
hg_status jacobi_look(jacobi *j, hg_run *run);

/** Guaranteed upper bounds: the error in both norms, and |f + lap u|, of the result checked last. */
double jacobi_error(const jacobi *j);
double jacobi_error_norm(const jacobi *j);
double jacobi_residual(const jacobi *j);

/** The change that satisfies --tolerance, --residual and --error, for exact sweeps or for those of the values checked
 * last; 0: none is requested. */
double jacobi_change_wanted(const jacobi *j, bool exact);

/** hg_job_options.tolerance: the same for the current values; before an asynchronous run, half of what is requested,
 * to leave room for rounding, but not less than a change that rounding would hide. */
hg_status jacobi_tolerance(hg_run *run, void *arg, double *tolerance);

/** Which of the requested bounds was reached. */
void jacobi_reached(const hg_job_context *context, int room, char *text);

/** Start and sides of the built-in problems, hg_job.init. */
hg_status jacobi_start(const hg_cell *cell, void *value, const hg_input *input, void *arg);

/** q = h^2 f / 4, hg_job.source_value. */
double jacobi_source(const hg_cell *cell, double f, void *arg);

/** The largest change of the first sweep of the built-in problems; NaN for others. */
double jacobi_first_change(const jacobi *j);

/** Checks for options that asynchronous runs do not support. HG_INVALID naming the option. */
hg_status jacobi_check_mode(const jacobi *j);

/** Columns and text of asynchronous runs, on rank 0; a synchronous run has the columns, too. */
void jacobi_mode_columns(const jacobi *j, hg_columns *row);
void jacobi_mode_text(const jacobi *j);

/** Recomputes the change of the result by a plain sweep and compares it bit for bit. On rank 0. */
hg_status jacobi_verify_change(hg_job_context *context, const hg_field *result);

/** Recomputes all sweeps by plain loops and compares bit for bit; not after a restart. On rank 0. */
hg_status jacobi_verify(hg_job_context *context, const hg_field *result);
#endif
