/* SPDX-License-Identifier: MIT */
/* The quality of a factorisation and a solution. All functions are collective and give all ranks the same numbers. */
#ifndef HG_ELIMINATION_CHECK_H
#define HG_ELIMINATION_CHECK_H

#include "elimination/graph.h"
#include "result/field.h"

/** Results of a run in addition to hg_lu_metadata; negative where not computed. */
typedef struct hg_lu_quality {
  double residual_hpl; /**< worst column of ||A x - b||_inf / (eps (||A||_inf ||x||_inf + ||b||_inf) n), HPL's test */
  double dget01;       /**< ||L U - P A||_1 / (n ||A||_1 eps), LAPACK's test */
  double growth;       /**< max |u_ij| / max |a_ij| */
  double rcond;        /**< estimate of 1 / (||A||_1 ||A^-1||_1) */
  bool has_determinant;
  int sign;                 /**< of the determinant, 0 if it is zero */
  double log10_determinant; /**< of its absolute value */
} hg_lu_quality;

/** Bounds of the tests: HPL 2.3 and LAPACK's testing/dtest.in. */
#define HG_LU_RESIDUAL_BOUND 16.
#define HG_LU_FACTORS_BOUND 30.

/** Largest element of U over the largest of A. After hg_elimination_factor. */
hg_status hg_lu_growth(const hg_session *session, hg_elimination *e, double *growth);

/** Sign, and log10 of the absolute value, which does not overflow. */
hg_status hg_lu_determinant(const hg_session *session, hg_elimination *e, hg_lu_quality *quality);

/** Estimates rcond by the method of Hager and Higham (LAPACK's dlacn2): a few solves with A and its transpose. */
hg_status hg_lu_rcond(const hg_session *session, hg_elimination *e, double *rcond);

/** The solution, n x nrhs, on every rank. Free with hg_field_free. */
hg_status hg_lu_solution(const hg_session *session, hg_elimination *e, const hg_lu_problem *problem, hg_field *x);

/** Residual of the solution, with A and B read again. */
hg_status hg_lu_residual(const hg_session *session, hg_elimination *e, const hg_lu_problem *problem, const hg_field *x,
                         double *residual);

/** Difference between A (read again) and the tiles after hg_elimination_multiply_back, as dget01's ratio. */
hg_status hg_lu_factors_error(const hg_session *session, hg_elimination *e, const hg_lu_problem *problem,
                              double *ratio);
#endif
