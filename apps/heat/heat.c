/* SPDX-License-Identifier: MIT */
/* hetgrid-heat: makes a job from its command line, and the columns of its reports. */
#include "heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "codelets/heat/heat_update.h"
#include "runtime/versions.h"
#include "job/snapshot_options.h"
#include "options/grid_options.h"
#include "program/exit.h"
#include "runtime/mpi_backoff.h"

#define O heat

static hg_status parse_kernel(const char *name, void *values)
{
  heat *h = values;
  char known[200] = "auto";
  h->kernel = hg_heat_kernel_find(name);
  if (h->kernel) return HG_OK;
  for (const hg_heat_kernel *k = hg_heat_kernel_list(); k->name; k++)
    if (k->usable()) strncat(strcat(known, ", "), k->name, 20);
  return hg_fail(HG_INVALID, "--kernel: '%s' is unknown or not supported by this processor; known: %s", name, known);
}

static const char *const nodata_names[] = {"refuse", "mask", NULL};

static const hg_option option_list[] = {
    {"size", HG_LIST_IN(O, context.job.size, context.job.dims, 1, 1LL << 40), "NX[,NY[,NZ]]",
     "Columns, rows, layers (default: those of the --input file, else 1000,1000)", 0},
    {"steps", HG_IN(O, context.job.steps, 0, 1LL << 50), "N",
     "Number of time steps (default 100); with --tolerance the largest number (default 1000000000)", 0},
    {"alpha", HG_LIST_IN(O, alpha.a, alphas, 0, 1e300), "AX[,AY[,AZ]]",
     "Diffusivity * dt / dx^2 per axis; one number applies to all axes (default 0.1)", HG_SAME},
    {"diffusivity", HG_TEXT(O, diffusivity), "K[,KY[,KZ]]|FIELD",
     "Diffusivity in m^2/s, per axis, or per cell by a field as for --input (on CPUs only); replaces --alpha, needs "
     "--time-step and --spacing",
     HG_SAME},
    {"allow-unstable", HG_FLAG(O, allow_unstable), NULL, "Run even if the sum of alpha exceeds 1/2", HG_SAME},
    {"precision", HG_ONE_OF(O, is_float, hg_precision_names), NULL,
     "Precision of state and arithmetic (default double)", HG_PROBLEM},
    {"boundary", HG_TEXT(O, context.job.boundary), "KIND",
     "fixed[=V|=FILE.csv], insulated, flux=Q or periodic (default fixed), or per side "
     "west=..,east=..,north=..,south=..,up=..,down=..; FILE.csv lists times in s and values, with linear "
     "interpolation between them; Q is the flux into the grid in temperature * m/s, and needs --spacing and "
     "--time-step",
     0},
    {"boundary-every", HG_IN(O, context.job.boundary_every, 1, 1LL << 50), "N",
     "Steps for which sides that follow a file keep their values; larger is faster (default 1)", 0},
    {"input", HG_TEXT(O, context.job.input), "FIELD",
     "hotspot, plates, random, a number, or FILE[:DATASET] (.npy .npz .h5 .nc .png .csv .asc .tif; default hotspot)",
     0},
    {.name = "init", .use = HG_ALIAS | HG_HIDDEN},
    {"nodata", HG_ONE_OF(O, masks, nodata_names), NULL,
     "What to do with cells of --input without data (GDAL_NODATA, NODATA_value, _FillValue, NaN): refuse them, or "
     "mask, which leaves them out of the grid (on CPUs only) and without data in the results (default refuse)",
     HG_PROBLEM},
    {"source", HG_TEXT(O, context.job.source), "FIELD",
     "Temperature added to every updated cell per step: a number or a file", 0},
    {"tolerance", HG_IN(O, context.job.tolerance, 1e-300, 1e300), "T",
     "Stop when no cell changes by more than T per step. If this is not reached, a warning and the CSV column "
     "`converged` say so, but the result is still written and the exit status is 0",
     0},
    {"check-every", HG_IN(O, context.job.check_every, 1, 1LL << 50), "N",
     "Steps between two checks for --tolerance (default 100)", 0},
    {"seed", HG_IN(O, context.job.seed, 0, 0x1p63), "S", "Seed of --input random (default 1)", 0},
    {"kernel", HG_ACTION(parse_kernel), "NAME", "CPU kernel: auto, avx512, avx2, baseline, naive (default auto)", 0},
    {"verify", HG_FLAG(O, context.verify), NULL, "Recompute serially from --input and compare bit for bit", HG_SAME},
    {0}};

static const double MOST_ALPHA = .5 * (1 + 4e-16); /* sum over all axes, with rounding */

static bool is_number(const char *text)
{
  double value;
  const size_t length = strcspn(text, ",");
  return hg_scan_double(text, text + length, &value) == text + length;
}

/* Diffusivity * dt / dx^2; with a field of diffusivity, dt / dx^2. */
static hg_status find_alpha(heat *h, int dims)
{
  const hg_grid_options *g = &h->context.options.grid;
  double diffusivity[3] = {1, 1, 1};
  int given = 1;
  if (!h->diffusivity) return HG_OK;
  if (!h->is_field) HG_TRY(hg_parse_doubles(h->diffusivity, "--diffusivity", 0, 1e300, 3, diffusivity, &given));
  if (h->alphas > 0) return hg_fail(HG_INVALID, "--diffusivity and --alpha exclude each other");
  if (!(g->time_step > 0) || g->spacings == 0)
    return hg_fail(HG_INVALID, "--diffusivity: needs --time-step and --spacing");
  if (given > 1 && given != dims)
    return hg_fail(HG_INVALID, "--diffusivity: %d numbers for a %d-D grid, must be 1 or %d", given, dims, dims);
  double sum = 0;
  for (int axis = 0; axis < dims; axis++) {
    h->alpha.a[axis] = diffusivity[given > 1 ? axis : 0] * g->time_step / (g->spacing[axis] * g->spacing[axis]);
    sum += h->alpha.a[axis];
  }
  h->alphas = dims;
  if (h->is_field || sum <= MOST_ALPHA || h->allow_unstable) return HG_OK;
  return hg_fail(HG_INVALID,
                 "--time-step: %g s is too long for a stable scheme with this --diffusivity and --spacing, must be "
                 "<= %g s (--allow-unstable overrides)",
                 g->time_step, heat_longest_step(g->time_step * .5 / sum));
}

/* The fewest digits, from six on, that show that a number exceeds a bound. */
static const char *digits_above(double number, double bound, char text[32])
{
  int digits = 6;
  do snprintf(text, 32, "%.*g", digits++, number);
  while (digits <= 17 && !(strtod(text, NULL) > bound));
  return text;
}

static hg_status check_alpha(const heat *h, int dims)
{
  char text[32];
  double sum = 0;
  if (h->alphas > 1 && h->alphas != dims)
    return hg_fail(HG_INVALID, "--alpha: %d numbers for a %d-D grid, must be 1 or %d", h->alphas, dims, dims);
  for (int axis = 0; axis < dims; axis++) sum += h->alpha.a[axis];
  if (h->is_field || sum <= MOST_ALPHA || h->allow_unstable) return HG_OK;
  return hg_fail(
      HG_INVALID,
      "--alpha: the sum over the axes is %s, must be <= 0.5 for a stable scheme (--allow-unstable overrides)",
      digits_above(sum, .5, text));
}

/* The slowest wave is a quarter wave along an axis, between a fixed and an insulated side, or faster. */
static int64_t halving_of(const heat *h, const hg_job *j)
{
  double slowest = INFINITY;
  for (int axis = 0; axis < j->dims; axis++)
    if (h->alpha.a[axis] > 0 && j->size[axis] > 1)
      slowest = fmin(slowest, 2 * h->alpha.a[axis] * (1 - cos(M_PI / 2 / (double)j->size[axis])));
  const bool rests = !h->allow_unstable && !heat_has_field(h) && !hg_boundary_follows(j->boundary);
  return slowest > 1e-15 && slowest < 1 && rests ? (int64_t)(2 / slowest) : 0;
}

/* Sets what depends on the number of dimensions. */
static hg_status complete(void *arg, hg_job *j)
{
  static const char *const names[2][3] = {{"alpha_x", "alpha_y", "alpha_z"}, {"dt_by_dx2", "dt_by_dy2", "dt_by_dz2"}};
  heat *h = arg;
  hg_side side[3][2] = {{{0}}};
  if (j->boundary) HG_TRY(hg_boundary_parse(j->boundary, j->dims, side));
  HG_TRY(heat_take_flux(h, j, side));
  HG_TRY(heat_take_mask(h, j, side));
  HG_TRY(find_alpha(h, j->dims));
  for (int axis = 1; axis < 3 && h->alphas <= 1; axis++) h->alpha.a[axis] = h->alpha.a[0];
  HG_TRY(check_alpha(h, j->dims));
  for (int axis = j->dims; axis < 3; axis++) h->alpha.a[axis] = 0;
  for (int axis = 0; axis < j->dims; axis++)
    h->named[axis] = (hg_parameter){.name = names[h->is_field][axis], .offset = (size_t)axis * sizeof h->alpha.a[axis]};
  j->parameter = h->named;
  h->update =
      heat_has_field(h) ? hg_heat_field_update(j->dims, h->is_float) : hg_heat_update(j->dims, h->kernel, h->is_float);
  j->flops = heat_has_field(h) ? hg_heat_field_flops(j->dims) : hg_heat_flops(j->dims);
  h->context.options.halving = halving_of(h, j);
  if (h->is_field) HG_TRY(heat_field_check(h, j));
  h->context.options.noise = j->source || j->source_value ? 16 : INFINITY; /* with a source, changes may never vanish */
  return HG_OK;
}

/* A field of diffusivity is passed to tasks as the job's source. */
static hg_status check(const hg_command *command, void *values)
{
  heat *h = values;
  hg_job *j = &h->context.job;
  HG_TRY(hg_job_options_check(command, values));
  HG_TRY(hg_job_sides_check(command, j));
  h->is_field = h->diffusivity && !is_number(h->diffusivity);
  h->context.options.masks = h->masks;
  if (!heat_has_field(h)) return HG_OK;
  const char *what = h->is_field ? "a field of --diffusivity" : "--nodata mask";
  if (j->source) return hg_fail(HG_INVALID, "%s and --source exclude each other", what);
  if (hg_option_given(command, "kernel"))
    return hg_fail(HG_INVALID, "--kernel: cannot be chosen, as %s has its own", what);
  j->source = h->is_field ? h->diffusivity : NULL;
  h->context.options.source = "--diffusivity";
  return HG_OK;
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
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static heat h = {.alpha = {{.1, .1, .1}}, .context.results = HG_RUN_DEFAULTS};
  hg_command command = {
      .about = "Heat transfer by explicit time steps on a 1-, 2- or 3-D grid, on CPU cores, GPUs and MPI ranks.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_EXIT,
      .set = {{"Problem:", option_list, &h, NULL, check},
              HG_GRID_SET(&h.context.options.grid, NULL),
              HG_SNAPSHOT_SET(&h.context.job),
              HG_RUN_SET(&h.context.results, NULL)}};
  h.context.context.begin = hg_now();
  h.context.context.kernels = "heat";
  h.context.program = (hg_job_program){.noun = "cells", .columns = hg_stencil_columns, .verify = heat_verify};
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
  h.kernel = hg_heat_kernel_find("auto");
  hg_program_begin("hetgrid-heat", hg_about);
  hg_command_parse(&command, argc, argv);
  settle(&h);
  const int status = hg_job_program_run(&h.context);
  heat_close_mask(&h);
  return status;
}
