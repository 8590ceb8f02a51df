/* SPDX-License-Identifier: MIT */
/* hetgrid-pricer: a portfolio of options (src/pricing/portfolio_run.h) priced by a job of independent pieces. */
#ifndef HG_APPS_PRICER_H
#define HG_APPS_PRICER_H

#include "job/run.h"
#include "pricing/portfolio_run.h"
#include "program/run_context.h"
#include "program/checkpointer.h"
#include "result/report.h"

/** The command line's settings. */
typedef struct pricer_options {
  hg_contract contract;  /**< fixings 0: not given */
  const char *portfolio; /**< file of contracts instead of one contract, or NULL */
  const char *golden;
  hg_portfolio_wishes wanted; /**< paths 0: not given */
  const char *restart;        /**< checkpoint to continue from, or NULL */
  bool dynamic;               /**< one queue for all ranks */
  hg_job_options job;
  hg_run_options run;
} pricer_options;

typedef struct pricer {
  pricer_options options;
  hg_run_context context;
  hg_portfolio_run book;
  hg_update update;
  hg_job job;
  hg_run *run;
  hg_checkpointer checkpointer; /**< of the last run, like the following: */
  hg_busy busy;
} pricer;

const hg_command *pricer_parse(int argc, char **argv, pricer_options *options);

/** Runs the cases of a golden file. HG_MISMATCH if some fail. */
hg_status pricer_golden(const char *path);

void pricer_columns(const hg_run_context *context, hg_columns *row);
void pricer_text(const hg_run_context *context);
#endif
