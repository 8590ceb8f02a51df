/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_HEAT_OPTIONS_H
#define HG_APPS_HEAT_OPTIONS_H

#include <stdbool.h>

#include "hetgrid.h"
#include "job/grid_arguments.h"

/** The command line of hetgrid-heat. */
typedef struct heat_options {
  hg_heat_problem problem;
  bool size_given;
  const char *boundary, *init, *source;
  uint64_t seed;
  const char *kernel;
  bool verify, plan_only;
  hg_grid_options grid;
  hg_run_options run;
} heat_options;

/** Parses the command line; ends the program with status 2 and a message if it is wrong. */
void heat_parse(int argc, char **argv, heat_options *options);
#endif
