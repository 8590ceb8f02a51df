/* SPDX-License-Identifier: MIT */
/* hetgrid-heat: from its command line to a job, and the columns of its reports. */
#include "heat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/version.h"
#include "codelets/heat/heat_update.h"
#include "runtime/versions.h"
#include "options/grid_options.h"
#include "partition/partition.h"
#include "program/exit.h"
#ifndef HG_VIRTUAL_TIME
#include "runtime/mpi_nap.h"
#endif

const char *argp_program_version = "hetgrid-heat " HG_VERSION;

enum { SIZE = 256, STEPS, ALPHA, PRECISION, BOUNDARY, INIT, SOURCE };
enum { TOLERANCE = 512, CHECK_EVERY, KERNEL, VERIFY, SEED, ALLOW_UNSTABLE, DIFFUSIVITY };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Problem:", 1},
    {"size", SIZE, "NX[,NY[,NZ]]", 0, "Columns, rows, layers (default: the initial file's, else 1000,1000)", 0},
    {"steps", STEPS, "N", 0, "Time steps (default 100; with --tolerance, at most N, default 1000000000)", 0},
    {"alpha", ALPHA, "AX[,AY[,AZ]]", 0, "Diffusivity * dt / dx^2 per axis; one number serves all axes (default .1)", 0},
    {"diffusivity", DIFFUSIVITY, "K[,KY[,KZ]]", 0, "m^2/s; alpha then follows from it, --time-step and --spacing", 0},
    {"allow-unstable", ALLOW_UNSTABLE, NULL, 0, "Run although the sum of alpha is above 1/2", 0},
    {"precision", PRECISION, "double|float", 0, "Of state and arithmetic (default double)", 0},
    {"boundary", BOUNDARY, "KIND", 0,
     "fixed[=V], insulated or periodic (default fixed), or per side west=..,east=..,north=..,south=..,up=..,down=..",
     0},
    {"init", INIT, "FIELD", 0,
     "hotspot, plates, random, a number, or FILE[:DATASET] (.npy .npz .h5 .nc .png .csv .asc; default hotspot)", 0},
    {"source", SOURCE, "FIELD", 0, "Temperature added to every updated cell per step: a number or a file", 0},
    {"tolerance", TOLERANCE, "T", 0,
     "Stop when no cell changes by more than T per step. If the last step still does, a warning and the CSV's column "
     "`converged` say so; the result is written, and the exit status is 0",
     0},
    {"check-every", CHECK_EVERY, "N", 0, "Steps between two such checks (default 100)", 0},
    {"seed", SEED, "S", 0, "Of --init random (default 1)", 0},
    {"kernel", KERNEL, "NAME", 0, "CPU kernel: auto, avx512, avx2, baseline, naive (default auto)", 0},
    {"verify", VERIFY, NULL, 0, "Recompute serially from --init and compare bit for bit", 0},
    {0}};

static void parse_kernel(struct argp_state *state, const char *name, heat *h)
{
  char known[200] = "auto";
  h->kernel = hg_heat_kernel_find(name);
  if (h->kernel) return;
  for (const hg_heat_kernel *k = hg_heat_kernel_list(); k->name; k++)
    if (k->usable()) strncat(strcat(known, ", "), k->name, 20);
  argp_failure(state, 2, 0, "--kernel: '%s' is unknown or needs another processor; here there are %s", name, known);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  heat *h = state->input;
  hg_job *j = &h->context.job;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &h->context.options.grid;
    state->child_inputs[1] = &h->context.results;
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  case SIZE:
    j->size[0] = j->size[1] = j->size[2] = 1;
    hg_arg_require(state, hg_parse_ints(arg, "--size", 1, INT64_C(1) << 40, 3, j->size, &j->dims));
    h->context.sized = true;
    break;
  case STEPS: j->steps = hg_arg_int(state, arg, "--steps", 0, INT64_C(1) << 50); break;
  case ALPHA: hg_arg_require(state, hg_parse_doubles(arg, "--alpha", 0, 1e300, 3, h->alpha.a, &h->alphas)); break;
  case DIFFUSIVITY:
    hg_arg_require(state, hg_parse_doubles(arg, "--diffusivity", 0, 1e300, 3, h->diffusivity, &h->diffusivities));
    break;
  case ALLOW_UNSTABLE: h->allow_unstable = true; break;
  case PRECISION: h->is_float = hg_arg_one_of(state, arg, "--precision", hg_precision_names); break;
  case BOUNDARY: j->boundary = arg; break;
  case INIT: j->input = arg; break;
  case SOURCE: j->source = arg; break;
  case TOLERANCE: hg_arg_require(state, hg_parse_double(arg, "--tolerance", 1e-300, 1e300, &j->tolerance)); break;
  case CHECK_EVERY: j->check_every = hg_arg_int(state, arg, "--check-every", 1, INT64_C(1) << 50); break;
  case SEED: j->seed = hg_arg_seed(state, arg); break;
  case KERNEL: parse_kernel(state, arg, h); break;
  case VERIFY: h->context.verify = true; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const double MOST_ALPHA = .5 * (1 + 4e-16); /* of all axes, rounded */

/* Diffusivity * dt / dx^2. */
static hg_status find_alpha(heat *h, int dims)
{
  const hg_grid_options *g = &h->context.options.grid;
  const int given = h->diffusivities;
  if (given == 0) return HG_OK;
  if (h->alphas > 0) return hg_fail(HG_INVALID, "--diffusivity and --alpha exclude each other");
  if (!(g->time_step > 0) || g->spacings == 0)
    return hg_fail(HG_INVALID, "--diffusivity: needs --time-step and --spacing");
  if (given > 1 && given != dims)
    return hg_fail(HG_INVALID, "--diffusivity: %d numbers for a %d-D grid, must be 1 or %d", given, dims, dims);
  double sum = 0;
  for (int axis = 0; axis < dims; axis++) {
    h->alpha.a[axis] = h->diffusivity[given > 1 ? axis : 0] * g->time_step / (g->spacing[axis] * g->spacing[axis]);
    sum += h->alpha.a[axis];
  }
  h->alphas = dims;
  if (sum <= MOST_ALPHA || h->allow_unstable) return HG_OK;
  return hg_fail(
      HG_INVALID,
      "--time-step: %g s is too long for a stable scheme with this --diffusivity and --spacing, must be <= %g "
      "s (--allow-unstable overrides)",
      g->time_step, g->time_step * .5 / sum);
}

static hg_status check_alpha(const heat *h, int dims)
{
  double sum = 0;
  if (h->alphas > 1 && h->alphas != dims)
    return hg_fail(HG_INVALID, "--alpha: %d numbers for a %d-D grid, must be 1 or %d", h->alphas, dims, dims);
  for (int axis = 0; axis < dims; axis++) sum += h->alpha.a[axis];
  if (sum <= MOST_ALPHA || h->allow_unstable) return HG_OK;
  return hg_fail(
      HG_INVALID,
      "--alpha: the sum over the axes is %g, must be <= 0.5 for a stable scheme (--allow-unstable overrides)", sum);
}

/* The slowest wave is a quarter of one along an axis, between a fixed and an insulated side, or faster. */
static int64_t halving_of(const heat *h, const hg_job *j)
{
  double slowest = INFINITY;
  for (int axis = 0; axis < j->dims; axis++)
    if (h->alpha.a[axis] > 0 && j->size[axis] > 1)
      slowest = fmin(slowest, 2 * h->alpha.a[axis] * (1 - cos(M_PI / 2 / (double)j->size[axis])));
  return slowest > 1e-15 && slowest < 1 && !h->allow_unstable ? (int64_t)(2 / slowest) : 0;
}

/* What depends on the number of dimensions. */
static hg_status complete(void *arg, hg_job *j)
{
  static const char *const names[3] = {"alpha_x", "alpha_y", "alpha_z"};
  heat *h = arg;
  HG_TRY(find_alpha(h, j->dims));
  for (int axis = 1; axis < 3 && h->alphas <= 1; axis++) h->alpha.a[axis] = h->alpha.a[0];
  HG_TRY(check_alpha(h, j->dims));
  for (int axis = j->dims; axis < 3; axis++) h->alpha.a[axis] = 0;
  for (int axis = 0; axis < j->dims; axis++)
    h->named[axis] = (hg_parameter){.name = names[axis], .offset = (size_t)axis * sizeof h->alpha.a[axis]};
  j->parameter = h->named;
  h->update = hg_heat_update(j->dims, h->kernel, h->is_float);
  j->flops = hg_heat_flops(j->dims);
  h->context.options.halving = halving_of(h, j);
  h->context.options.noise = j->source ? 16 : INFINITY; /* what is heated may never come to rest */
  return HG_OK;
}

static void list_consistency(const hg_job_context *l, hg_consistency *list)
{
  const heat *h = l->self;
  hg_consistency_text(list, "--precision", hg_precision_names[h->is_float]);
  hg_consistency_of_problem(list, false); /* of the job as its parameters, axis by axis */
  hg_consistency_doubles(list, "--alpha", h->alphas ? h->alphas : 1, h->alpha.a);
  hg_consistency_doubles(list, "--diffusivity", 3, h->diffusivity);
  hg_consistency_flag(list, "--allow-unstable", h->allow_unstable);
}

/* Defaults that depend on what was given. */
static void settle(heat *h)
{
  hg_job *j = &h->context.job;
  if (j->steps < 0) j->steps = j->tolerance > 0 ? 1000000000 : 100;
  if (j->steps == 0) j->steps = -1; /* none */
  h->update = hg_heat_update(2, h->kernel, h->is_float);
  h->update.dims = 0;
  h->change = hg_heat_change(h->is_float);
  if (j->tolerance > 0) j->quantity = &h->change;
  j->partition = h->context.options.grid.division.partition;
  j->rebalance = h->context.options.grid.rebalance;
}

int main(int argc, char **argv)
{
  static const struct argp_child children[] = {
      {&hg_grid_argp, 0, "Execution:", 2}, {&hg_run_argp, 0, "Results:", 3}, {NULL, 0, NULL, 0}};
  static const struct argp argp = {option_list,
                                   parse,
                                   NULL,
                                   "Heat transfer by explicit steps on a 1-, 2- or 3-D grid, over CPU cores, GPUs and "
                                   "MPI ranks.\v" HG_HELP_ENVIRONMENT HG_HELP_EXIT,
                                   children,
                                   NULL,
                                   NULL};
  static heat h = {.alpha = {{.1, .1, .1}}, .context.results = HG_RUN_DEFAULTS};
  h.context.context.begin = hg_now();
  h.context.context.kernels = "heat";
  h.context.program = (hg_job_program){
      .noun = "cells", .columns = hg_stencil_columns, .consistency = list_consistency, .verify = heat_verify};
  h.context.self = &h;
  h.context.job = (hg_job){.name = "heat",
                           .dims = 2,
                           .size = {1000, 1000, 1},
                           .update = &h.update,
                           .steps = -1,
                           .symmetric = true,
                           .parameters = &h.alpha,
                           .parameter_bytes = sizeof h.alpha,
                           .input = "hotspot",
                           .value_name = "temperature"};
  h.context.options = (hg_job_options){.new_input = true, .complete = complete, .arg = &h};
  h.context.options.grid.division.partition = HG_PARTITION_DEFAULT;
  h.kernel = hg_heat_kernel_find("auto");
  hg_program_begin("hetgrid-heat", hg_about);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &h);
  settle(&h);
  return hg_job_program_run(&h.context);
}
