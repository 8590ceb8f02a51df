/* SPDX-License-Identifier: MIT */
#include "heat_options.h"

#include <stdlib.h>
#include <string.h>

#include "job/arguments.h"

const char *argp_program_version = "hetgrid-heat " HG_VERSION;
const char *argp_program_bug_address = NULL;

enum {
  SIZE = 256,
  STEPS,
  ALPHA,
  PRECISION,
  BOUNDARY,
  INIT,
  SOURCE,
  TOLERANCE,
  CHECK_EVERY,
  KERNEL,
  VERIFY,
  PLAN_ONLY,
  SEED,
  ALLOW_UNSTABLE
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Problem:", 1},
    {"size", SIZE, "NX[,NY[,NZ]]", 0, "Columns, rows, layers (default: the initial file's, else 1000,1000)", 0},
    {"steps", STEPS, "N", 0, "Time steps (default 100; with --tolerance, at most N, default 1000000000)", 0},
    {"alpha", ALPHA, "AX[,AY[,AZ]]", 0, "Diffusivity * dt / dx^2 per axis; one number serves all axes (default .1)", 0},
    {"allow-unstable", ALLOW_UNSTABLE, NULL, 0, "Run although the sum of alpha is above 1/2", 0},
    {"precision", PRECISION, "double|float", 0, "Of state and arithmetic (default double)", 0},
    {"boundary", BOUNDARY, "KIND", 0,
     "fixed[=V], insulated or periodic (default fixed), or per side west=..,east=..,north=..,south=..,up=..,down=..",
     0},
    {"init", INIT, "FIELD", 0,
     "hotspot, plates, random, a number, or FILE[:DATASET] (.npy .npz .h5 .png .csv; default hotspot)", 0},
    {"source", SOURCE, "FIELD", 0, "Temperature added to every updated cell per step: a number or a file", 0},
    {"tolerance", TOLERANCE, "T", 0, "Stop when no cell changes by more than T per step", 0},
    {"check-every", CHECK_EVERY, "N", 0, "Steps between two such checks (default 100)", 0},
    {"seed", SEED, "S", 0, "Of --init random (default 1)", 0},
    {"kernel", KERNEL, "NAME", 0, "CPU kernel: auto, avx512, avx2, baseline, naive (default auto)", 0},
    {"plan-only", PLAN_ONLY, NULL, 0, "Print the regions and stop", 0},
    {"verify", VERIFY, NULL, 0, "Recompute serially from --init and compare bit for bit", 0},
    {0}};

static void parse_size(struct argp_state *state, const char *text, heat_options *o)
{
  hg_heat_problem *p = &o->problem;
  for (int i = 0; i < 3; i++) p->n[i] = 1;
  hg_arg_require(state, hg_parse_ints(text, "--size", 1, INT64_C(1) << 40, 3, p->n, &p->dims));
  o->size_given = true;
}

static void parse_alpha(struct argp_state *state, const char *text, hg_heat_problem *p)
{
  int count;
  hg_arg_require(state, hg_parse_reals(text, "--alpha", 0, 1e300, 3, p->alpha, &count));
  for (int i = count; i < 3; i++) p->alpha[i] = p->alpha[count - 1];
}

static error_t parse_problem(int key, char *arg, struct argp_state *state)
{
  heat_options *o = state->input;
  hg_heat_problem *p = &o->problem;
  switch (key) {
  case SIZE: parse_size(state, arg, o); break;
  case STEPS: p->steps = hg_arg_whole(state, arg, "--steps", 0, INT64_C(1) << 50); break;
  case ALPHA: parse_alpha(state, arg, p); break;
  case ALLOW_UNSTABLE: p->allow_unstable = true; break;
  case PRECISION:
    p->precision = hg_arg_one_of(state, arg, "--precision", hg_precision_names) ? HG_FLOAT : HG_DOUBLE;
    break;
  case BOUNDARY: o->boundary = arg; break;
  case INIT: o->init = arg; break;
  case SOURCE: o->source = arg; break;
  case TOLERANCE: hg_arg_require(state, hg_parse_real(arg, "--tolerance", 0, 1e300, &p->tolerance)); break;
  case CHECK_EVERY: p->check_every = hg_arg_whole(state, arg, "--check-every", 1, INT64_C(1) << 50); break;
  case SEED: o->seed = (uint64_t)hg_arg_whole(state, arg, "--seed", 0, INT64_MAX); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  heat_options *o = state->input;
  switch (key) {
  case KERNEL: o->kernel = arg; break;
  case VERIFY: o->verify = true; break;
  case PLAN_ONLY: o->plan_only = true; break;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->grid;
    state->child_inputs[1] = &o->run;
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  default: return parse_problem(key, arg, state);
  }
  return 0;
}

void heat_parse(int argc, char **argv, heat_options *o)
{
  static const struct argp_child children[] = {
      {&hg_grid_argp, 0, "Execution:", 2}, {&hg_run_argp, 0, "Results:", 3}, {NULL, 0, NULL, 0}};
  static const struct argp argp = {option_list,
                                   parse,
                                   NULL,
                                   "Heat transfer by explicit steps on a 1-, 2- or 3-D grid, over CPU cores, GPUs and "
                                   "MPI ranks.\v" HG_HELP_ENVIRONMENT
                                   "Exit status: 0 success, 1 failure, 2 wrong usage, 77 no processor to run on.",
                                   children,
                                   NULL,
                                   NULL};
  *o = (heat_options){
      .problem = {.dims = 2, .n = {1000, 1000, 1}, .alpha = {.1, .1, .1}, .steps = -1, .check_every = 100},
      .init = "hotspot",
      .kernel = "auto",
      .seed = 1,
      .run = HG_RUN_DEFAULTS,
      .grid = HG_GRID_DEFAULTS};
  argp_err_exit_status = 2;
  o->grid.division.partition = HG_PARTITION_DEFAULT;
  argp_parse(&argp, argc, argv, 0, NULL, o);
  if (o->problem.steps < 0) o->problem.steps = o->problem.tolerance > 0 ? 1000000000 : 100;
}
