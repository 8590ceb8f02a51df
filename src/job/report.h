/* SPDX-License-Identifier: MIT */
/* What a job's run prints. Internal to job/. */
#ifndef HG_JOB_REPORT_H
#define HG_JOB_REPORT_H

#include "job/run.h"
#include "result/report.h"

/** A timed run. */
typedef struct hg_job_timing {
  int repeat;
  int64_t steps;
  double seconds, exchanged; /**< bytes between regions, all ranks */
  hg_busy busy;
  int64_t rebuilt; /**< times that exchange zones changed */
  double told;     /**< identifiers and counts that ranks sent each other for that */
} hg_job_timing;

/** Completes what was measured on each rank. Collective. */
void hg_job_measure(hg_run *run, hg_job_timing *timing);

void hg_job_csv_header(void);
void hg_job_csv(const hg_run *run, const hg_job_timing *timing);
void hg_job_text(const hg_run *run, const hg_job_timing *timing);
#endif
