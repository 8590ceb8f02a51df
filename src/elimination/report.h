/* SPDX-License-Identifier: MIT */
/* Results of an elimination. */
#ifndef HG_ELIMINATION_REPORT_H
#define HG_ELIMINATION_REPORT_H

#include "elimination/check.h"

/** One timed run. */
typedef struct hg_lu_run {
  const hg_session *session;
  const hg_lu_problem *problem;
  int64_t n, nrhs;
  int p, q;              /**< process grid by rows and columns; 0 if the ranks form no grid */
  const char *partition; /**< name of the distribution */
  int repeat;            /**< number of the run, from 0 */
  bool factored;         /**< the time includes the factorisation: factors were not read from a file */
  bool solved;           /**< ... and back substitution for the right-hand sides */
  double seconds;
  hg_lu_metadata metadata;
  hg_lu_quality quality; /**< of the last run; negative numbers where something was not computed */
} hg_lu_run;

/** What an exactly zero pivot means for a matrix: "is singular", unless no other pivot was looked for. */
const char *hg_lu_breakdown(const hg_lu_problem *problem);
/** "dynamic", "static", "none", "tournament". */
const char *hg_pivoting_name(hg_pivoting pivoting);

/** Whether a result can be trusted: "ok", "singular", or "FAILED". */
const char *hg_lu_validate(const hg_lu_run *run);

/** Whether rcond is below the precision: even with a small residual, the solution may have no correct digit. */
bool hg_lu_is_ill_conditioned(const hg_lu_run *run);
#endif
