/* SPDX-License-Identifier: MIT */
/* What an elimination run prints. */
#ifndef HG_ELIMINATION_REPORT_H
#define HG_ELIMINATION_REPORT_H

#include "elimination/check.h"

/** One timed run. */
typedef struct hg_lu_run {
  const hg_session *session;
  const hg_lu_problem *problem;
  int64_t n, nrhs;
  int p, q;              /**< ranks by rows and columns; 0 where they are no grid */
  const char *partition; /**< name of the distribution */
  int repeat;            /**< number of the run, from 0 */
  bool solved;           /**< the time includes the right-hand sides */
  double seconds;
  hg_lu_facts facts;
  hg_lu_quality quality; /**< of the last run; negative numbers where something was not computed */
} hg_lu_run;

/** "dynamic", "static", "none". */
const char *hg_pivoting_name(hg_pivoting pivoting);

/** Whether a result is to be trusted: "ok", "singular", or "FAILED". */
const char *hg_lu_verdict(const hg_lu_run *run);

void hg_lu_report_csv_header(void);
void hg_lu_report_csv(const hg_lu_run *run);

/** A few lines for people: of a timed run, and of the quality of the last. */
void hg_lu_report_text(const hg_lu_run *run);
void hg_lu_report_quality(const hg_lu_run *run);
#endif
