/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_HEAT_OPTIONS_H
#define HG_APPS_HEAT_OPTIONS_H

#include <stdbool.h>

#include "hetgrid.h"
#include "job/arguments.h"
#include "job/divide.h"

/** The command line of hetgrid-heat. */
typedef struct heat_options {
  hg_heat_problem problem;
  bool size_given;
  const char *boundary, *init, *source;
  uint64_t seed;
  const char *sched, *kernel;
  hg_division division;
  double speed[HG_SPEEDS_MAX];
  int block;       /* 0: automatic */
  int64_t tile[3]; /* 0: automatic */
  const char *checkpoint, *restart;
  int64_t checkpoint_every;
  double rebalance; /* 0: never */
  bool verify, phases, plan_only;
  hg_run_options run;
} heat_options;

/** Parses the command line; ends the program with status 2 and a message if it is wrong. */
void heat_parse(int argc, char **argv, heat_options *options);
#endif
