/* SPDX-License-Identifier: MIT */
/* hetgrid-jacobi: makes a job from its command line, decides when it stops, and adds the columns of its reports. */
#include "jacobi.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "codelets/heat/heat_update.h"
#include "runtime/versions.h"
#include "job/snapshot_options.h"
#include "options/grid_options.h"
#include "program/exit.h"
#include "runtime/mpi_backoff.h"

#define O jacobi

static const hg_option option_list[] = {
    {"size", HG_LIST_IN(O, context.job.size, context.job.dims, 3, 1LL << 40), "NX[,NY]",
     "Columns and rows of points, including those on the sides; one number applies to both (default 1000)", 0},
    {"problem", HG_TEXT(O, problem), "NAME|FILE",
     "laplace: sin(pi x) on the last row, else 0; poisson: f = 2 pi^2 sin(pi x) sin(pi y), sides 0; or a file with "
     "the initial values, whose sides stay fixed (.npy .npz .h5 .nc .png .csv .asc .tif; default laplace). Points are "
     "h apart: --spacing, or the cell size of a map, or 1/(NX-1)",
     HG_PROBLEM | HG_CONTENTS},
    {.name = "input", .use = HG_ALIAS | HG_HIDDEN},
    {"source", HG_TEXT(O, field), "FIELD", "Right-hand side f: a file or a number (default 0)", HG_SAME | HG_CONTENTS},
    {"precision", HG_ONE_OF(O, is_float, hg_precision_names), NULL,
     "Precision of state and arithmetic (default double)", HG_PROBLEM},
    {"max-sweeps", HG_IN(O, context.job.steps, 0, 1LL << 50), "N",
     "Largest number of sweeps (default 1000000000 with one of the following)", HG_SAME},
    {.name = "steps", .use = HG_ALIAS | HG_HIDDEN},
    {"tolerance", HG_IN(O, tolerance, 0, 1e300), "D", "Stop when no point changes by more than D per sweep (0: never)",
     HG_SAME},
    {"residual", HG_IN(O, residual, 1e-300, 1e300), "R", "Stop when |f + lap u| is at most R everywhere", HG_SAME},
    {"error", HG_IN(O, error, 1e-300, 1e300), "E",
     "Stop when the distance to the discrete solution is guaranteed to be at most E everywhere", HG_SAME},
    {"seed", HG_IN(O, context.job.seed, 0, 0x1p63), "S", "Seed of --problem random (default 1)", 0},
    {"check-every", HG_IN(O, context.job.check_every, 1, 1LL << 50), "N",
     "Sweeps between two checks of these criteria (default 100)", 0},
    {"inner-sweeps", HG_IN(O, relax.inner, 1, 1000000), "K",
     "With --mode async: sweeps per task, between which ghost cells are not updated (default: as many as --time-block "
     "would have)",
     HG_SAME},
    {.name = "inner", .use = HG_ALIAS | HG_HIDDEN},
    {"verify", HG_FLAG(O, context.verify), NULL,
     "Recompute with plain loops and compare bit for bit (with --mode async only the change of one more sweep)",
     HG_SAME},
    {"golden", HG_TEXT(O, golden), "FILE", "Run the cases of a golden file and print TAP", HG_HIDDEN},
    {0}};

static hg_status check(const hg_command *command, void *values)
{
  static const char *const own[] = {"inner-sweeps", NULL};
  jacobi *j = values;
  hg_job *job = &j->context.job;
  if (job->dims == 1) job->size[job->dims++] = job->size[0];
  HG_TRY(hg_job_options_check(command, j));
  if (!j->golden && j->context.job.steps < 0 && !(j->tolerance > 0) && !(j->residual > 0) && !(j->error > 0))
    return hg_fail(HG_INVALID, "a stopping criterion is missing: --tolerance, --residual, --error or --max-sweeps");
  HG_TRY(hg_mode_needed(command, &j->mode, own));
  return jacobi_check_mode(j);
}

/* Sweeps of a run that needs `needed`: up to the next check of the change, but at most the allowed number. */
static double sweeps_made(const hg_job *job, double needed)
{
  const double every = (double)job->check_every, looked = ceil(needed / every) * every, most = (double)job->steps;
  return looked > most || job->tolerance == 0 ? most : looked;
}

/* NaN: unknown; below 0: none needed. */
static void print_prediction(const hg_job_context *l)
{
  const jacobi *j = l->self;
  const hg_job *job = l->run->job;
  const double needed = log(jacobi_first_change(j) / job->tolerance) / -log(jacobi_rho(j));
  const double sweeps = sweeps_made(job, needed) - (double)l->run->first, seconds = l->run->predicted * sweeps;
  if (job->tolerance > 0 && needed > 0)
    printf("about %.3g sweeps are expected: errors shrink by %.6g per sweep\n", needed, jacobi_rho(j));
  if (seconds > 0 && !j->mode.async) printf("about %.3g s by the speed tables for %.3g sweeps\n", seconds, sweeps);
}

/* Sets what depends on the number of points. Values are of the order of 1 in the built-in problems; a change cannot
 * fall below their rounding errors. */
static hg_status complete(void *arg, hg_job *job)
{
  enum { FORLORN = 400 }; /* halvings: ten times as many as there are digits */
  jacobi *j = arg;
  const double least = j->is_float ? (double)FLT_EPSILON / 8 : DBL_EPSILON / 8;
  if (job->dims != 2) return hg_fail(HG_INVALID, "--size: %d extents, must be 2", job->dims);
  if (j->field && strcmp(j->problem, "poisson") == 0)
    return hg_fail(HG_INVALID, "--source: not with --problem poisson, which defines f itself");
  if (job->size[0] < 3 || job->size[1] < 3)
    return hg_fail(HG_INVALID,
                   "--size: a grid of %" PRId64 " x %" PRId64 " points has no inner points, must be >= 3 x 3",
                   job->size[0], job->size[1]);
  memcpy(j->n, job->size, sizeof j->n);
  HG_TRY(jacobi_take_spacing(j, job));
  job->tolerance = jacobi_change_wanted(j, true);
  if (job->tolerance > 0 && job->tolerance < least && job->init)
    return hg_fail(HG_INVALID, "%s: a change of %.3g per sweep is below what rounding allows, must be >= %.3g",
                   job->tolerance == j->tolerance ? "--tolerance"
                   : j->error > 0                 ? "--error"
                                                  : "--residual",
                   job->tolerance, least);
  j->context.options.halving = jacobi_halving(j);
  j->context.options.noise = INFINITY;
  if (j->mode.async && job->steps > FORLORN * jacobi_halving(j)) job->steps = FORLORN * jacobi_halving(j);
  job->quantity = job->tolerance > 0 ? &j->change : NULL;
  return HG_OK;
}

static void columns(const hg_job_context *l, hg_columns *row)
{
  const jacobi *j = l->self;
  hg_stencil_columns(l, row);
  jacobi_mode_columns(j, row);
}

static void text(const hg_job_context *l)
{
  const double UP = 1.0005; /* keeps a bound valid when printed with four digits */
  const jacobi *j = l->self;
  jacobi_mode_text(j);
  if (isnan(l->run->reduction)) return;
  printf("  error      at most %.4g from the discrete solution, |f + lap u| at most %.4g, rounding of a sweep %.3g\n",
         jacobi_error(j) * UP, jacobi_residual(j) * UP, j->rounding * UP);
  printf("  2-norm     of the error at most %.4g", jacobi_error_norm(j) * UP);
  if (!isnan(j->norm)) printf(", of the last change %.17g", j->norm);
  putchar('\n');
}

static hg_status validated(hg_job_context *l)
{
  jacobi *j = l->self;
  if (j->mode.async) j->stats = hg_relax_count(l->run->graph);
  HG_TRY(j->error > 0 || j->residual > 0 ? jacobi_certify(j, l->run) : jacobi_look(j, l->run));
  return hg_run_change_norm(l->run, &j->norm);
}

static void add_metadata(const void *self, const hg_job *job, hg_metadata *metadata)
{
  const jacobi *j = self;
  if (job->init) hg_metadata_add_text(metadata, "problem", j->problem);
}

/* The coordinates of points determine f. */
static void list_spacing(const hg_job_context *l, hg_consistency *list)
{
  const hg_grid_options *g = &l->options.grid;
  if (g->spacings > 0) hg_consistency_doubles(list, "--spacing", 2, g->spacing);
}

/* Defaults that depend on what was given. */
void jacobi_settle(jacobi *j)
{
  hg_job *job = &j->context.job;
  const bool built_in = strcmp(j->problem, "laplace") == 0 || strcmp(j->problem, "poisson") == 0;
  if (job->steps < 0) job->steps = 1000000000;
  if (job->steps == 0) job->steps = -1; /* none */
  if (built_in)
    job->init = jacobi_start;
  else
    job->input = j->problem;
  job->source = j->field;
  j->heated = j->field || strcmp(j->problem, "poisson") == 0;
  if (j->heated) job->source_value = jacobi_source;
  j->update = hg_heat_update(2, hg_heat_kernel_find("auto"), j->is_float);
  j->change = hg_heat_change(j->is_float);
  job->flops = hg_heat_flops(2);
  if (!j->mode.async) return;
  j->context.options.grid.rebalance = -1;
  j->relax.detection = j->mode.detection;
  j->relax.eager = j->mode.eager;
  j->context.options.relax = &j->relax;
  j->context.program.verify = jacobi_verify_change;
  j->context.program.verified = "a plain sweep changes the result by the same amount, bit for bit";
}

void jacobi_defaults(jacobi *out)
{
  static hg_heat_coef quarter = {{.25, .25, 0}};
  *out = (jacobi){.problem = "laplace", .norm = NAN, .context.results = HG_RUN_DEFAULTS};
  out->context.program = (hg_job_program){.noun = "points",
                                          .print_prediction = print_prediction,
                                          .validated = validated,
                                          .reached = jacobi_reached,
                                          .consistency = list_spacing,
                                          .columns = columns,
                                          .text = text,
                                          .verify = jacobi_verify};
  out->context.context.kernels = "heat";
  out->context.self = out;
  out->context.job = (hg_job){.name = "jacobi",
                              .dims = 2,
                              .size = {1000, 1000, 1},
                              .update = &out->update,
                              .steps = -1,
                              .parameters = &quarter,
                              .parameter_bytes = sizeof quarter,
                              .value_name = "u",
                              .arg = out};
  out->context.options = (hg_job_options){
      .new_input = true, .complete = complete, .metadata = add_metadata, .tolerance = jacobi_tolerance, .arg = out};
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static jacobi j;
  hg_command command = {
      .about = "Jacobi relaxation of -lap u = f, on CPU cores, GPUs and MPI ranks. A benchmark and a smoother rather "
               "than a solver: at 1000 x 1000 a sweep multiplies errors by 1 - 4.9e-6.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_EXIT,
      .set = {{"Problem:", option_list, &j, NULL, check},
              {"Synchronous or asynchronous iterations:", hg_mode_option_list, &j.mode, NULL, hg_mode_check},
              HG_GRID_SET(&j.context.options.grid, NULL),
              HG_SNAPSHOT_SET(&j.context.job),
              HG_RUN_SET(&j.context.results, NULL)}};
  jacobi_defaults(&j);
  j.context.context.begin = hg_now();
  hg_program_begin("hetgrid-jacobi", hg_about);
  hg_command_parse(&command, argc, argv);
  if (j.golden) return hg_program_end(jacobi_golden(j.golden));
  jacobi_settle(&j);
  return hg_job_program_run(&j.context);
}
