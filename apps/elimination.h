/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_ELIMINATION_H
#define HG_APPS_ELIMINATION_H

#include "job/arguments.h"
#include "hetgrid.h"

enum { SPEEDS_MAX = 4096 };

/** The command line of hetgrid-elimination. */
typedef struct elimination_options {
  const char *matrix, *rhs;
  int64_t nrhs;
  uint64_t seed;
  hg_precision precision;
  int nb;   /* 0: automatic */
  int p, q; /* 0: 1 x ranks */
  hg_pivoting pivoting;
  const char *partition, *sched;
  double speed[SPEEDS_MAX];
  int speeds, pattern;
  const char *factors;
  bool factor_only, solve_only, determinant, rcond, verify;
  hg_run_options run;
} elimination_options;

/** Parses the command line; ends the program with status 2 and a message if it is wrong. */
void elimination_parse(int argc, char **argv, elimination_options *options);
#endif
