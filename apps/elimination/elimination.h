/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_ELIMINATION_H
#define HG_APPS_ELIMINATION_H

#include "base/file.h"
#include "elimination/check.h"
#include "elimination/distribute.h"
#include "elimination/factors.h"
#include "elimination/report.h"
#include "program/program.h"

/** The command line of hetgrid-elimination. */
typedef struct elimination_options {
  const char *matrix, *rhs;
  int64_t nrhs;
  uint64_t seed;
  hg_precision precision;
  int nb; /* 0: automatic */
  hg_pivoting pivoting;
  const char *sched;
  hg_lu_division division;
  double speed[HG_SPEEDS_MAX];
  const char *factors;
  bool factor_only, solve_only, determinant, verify;
  hg_run_options run;
} elimination_options;

/** Everything a run owns. */
typedef struct elimination {
  hg_run_context context;
  elimination_options options;
  hg_matrix *a, *b;
  hg_session session;
  hg_lu_distribution distribution;
  hg_lu_problem problem;
  hg_elimination *graph;
  hg_lu_run run;
  hg_field x;                     /**< solution of the last run */
  hg_metadata metadata;           /**< of its files */
  char kept_factors[HG_PATH_MAX]; /**< temporary file on rank 0; "": none */
} elimination;

/** Flops of a run, by LAPACK's counts. */
double elimination_flops(const hg_lu_run *run);

/** Columns of the CSV, and what is printed for people. */
void elimination_columns(const hg_run_context *context, hg_columns *row);
void elimination_text(const hg_run_context *context);

/** Parses the command line, which stays valid; on errors, ends the program with a message and status 2. */
const hg_command *elimination_parse(int argc, char **argv, elimination_options *options);
#endif
