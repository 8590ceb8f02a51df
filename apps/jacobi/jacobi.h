/* SPDX-License-Identifier: MIT */
/* Jacobi relaxation of -lap u = f on NX x NY points, sides included, whose sides are held: a sweep is
 * u' = ((W + E) + (N + S)) / 4 + h^2 f / 4. That is heat's form with a = 1/4 (c0 = 0, and quarters are exact), so
 * heat's kernels give it bit for bit. Points are h apart along both axes: as --spacing or a map has it, in m, else
 * 1 / (NX - 1). They lie at x h, y h, where the built-in problems are evaluated too, and where files have them.
 *
 * Bounds of the error (max norm): |u - u*| <= d n^2 / 2 for a sweep's change d and n the smaller number of intervals,
 * since the discrete solution of lap w = -1 is at most 1/8 of the square of the shorter side. Errors shrink by
 * rho = (cos(pi / (NX-1)) + cos(pi / (NY-1))) / 2 a sweep, in the 2-norm surely, since a sweep's matrix is symmetric:
 * there |u - u*| <= |u' - u| / (1 - rho).
 *
 * That is so of exact sweeps. One of rounded numbers is off by at most r at a point, so that what it changes, d, is
 * that of an exact one within r: d + r stands for d in all bounds (in the 2-norm r sqrt(points)). With unit roundoff e,
 * |u| <= U, |q| <= Q, and p(U) the largest power of 2 below U: sums of two neighbours are rounded by 2 e p(U), of which
 * a quarter counts twice, their sum by e p(U), that with q by e p(U + Q). The result is u or u', whose bounds are
 * equal. What the solution itself owes to rounded sides and sources is in the bounds too. */
#ifndef HG_APPS_JACOBI_H
#define HG_APPS_JACOBI_H

#include "async/relax.h"
#include "options/async_options.h"
#include "program/job_program.h"

/** What hetgrid-jacobi adds to a job. */
typedef struct jacobi {
  hg_job_context context;
  const char *problem;               /**< "laplace", "poisson", or a file of start and sides */
  const char *field;                 /**< f, a file or a number, or NULL */
  const char *golden;                /**< file of cases to run instead, or NULL */
  double tolerance, residual, error; /**< change, |f + lap u| or |u - u*| at which to stop; 0: not */
  int64_t n[2];                      /**< points, once they are known */
  double h;                          /**< their distance as it was given, m; 0: it was not */
  bool is_float;
  hg_mode mode;
  hg_relax_options relax; /**< of an asynchronous run */
  hg_relax_stats stats;   /**< of the last one, on all ranks */
  hg_update update;
  hg_quantity change;
  double norm;       /**< 2-norm of the last change; NaN: not known */
  bool heated;       /**< there is a q */
  double largest;    /**< |q| at a point of this rank */
  double heat;       /**< and of all */
  double held;       /**< |u| at a point, at most, of the values looked at last; as is: */
  double rounding;   /**< of a sweep, at most, for the values looked at last */
  double sides;      /**< rounding of the sides, likewise */
  double certain[2]; /**< |u - u*| and |f + lap u| as found from the result itself; infinite: not looked for */
} jacobi;

/** Sets what is so unless the command line says otherwise; and what follows from what was given. */
void jacobi_defaults(jacobi *j);
void jacobi_settle(jacobi *j);

/** Runs the cases of a golden file. HG_MISMATCH if some do not hold. */
hg_status jacobi_golden(const char *path);

/** Takes the distance of points from --spacing or from the map that a problem is. HG_INVALID where axes differ in it,
 * both say it and differ, or a map has degrees; HG_IO, HG_FORMAT, HG_MEMORY. */
hg_status jacobi_take_spacing(jacobi *j, const hg_job *job);

/** Distance of points; error bound per change, in the maximum norm and in the 2-norm; factor per sweep. */
double jacobi_spacing(const jacobi *j);
double jacobi_bound(const jacobi *j);
double jacobi_bound_of_norm(const jacobi *j);
double jacobi_rho(const jacobi *j);

/** Sweeps that halve any change, twice over (by spectral radius, and (4 / pi)^2 for the maximum norm). */
int64_t jacobi_halving(const jacobi *j);

/** Finds j->certain from the values held, with hardly any rounding: with exact r = M u + q - u, M a sweep, the error is
 * (1 - M)^-1 r = (1 - M^2)^-1 (r + M r), at most (n^2 / 4 + 1/2) max |r + M r|. That bound sees through values that
 * rounding keeps swinging to and fro. Gathers them. Collective. HG_MEMORY */
hg_status jacobi_certify(jacobi *j, hg_run *run);

/** Looks at the values held and sets j->rounding and j->sides. Collective. HG_MEMORY */
hg_status jacobi_look(jacobi *j, hg_run *run);

/** Surely not below: the error in both norms, and |f + lap u|, of the result looked at last. */
double jacobi_error(const jacobi *j);
double jacobi_error_norm(const jacobi *j);
double jacobi_residual(const jacobi *j);

/** The change that is small enough for --tolerance, --residual and --error, by exact sweeps or by those of the values
 * looked at last; 0: none is asked for. */
double jacobi_change_wanted(const jacobi *j, bool exact);

/** hg_job_options.tolerance: the same for the values held; before an asynchronous run, half of what is asked for, so
 * that there is room for rounding, but a change that rounding does not hide. */
hg_status jacobi_tolerance(hg_run *run, void *arg, double *tolerance);

/** What was reached of what is asked for. */
void jacobi_reached(const hg_job_context *context, int room, char *text);

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
hg_status jacobi_verify_change(hg_job_context *context, const hg_field *result);

/** Recomputes all sweeps by plain loops and compares bit for bit; not after a restart. On rank 0. */
hg_status jacobi_verify(hg_job_context *context, const hg_field *result);
#endif
