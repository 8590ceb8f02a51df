/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-adr, and which options exclude each other. */
#include <string.h>

#include "adr.h"
#include "job/snapshot_options.h"
#include "program/exit.h"

#define O adr_options

enum { BICGSTAB, BICG, GLOBAL };
static const char *const inners[] = {"bicgstab", "bicg", "global", NULL}, *const jacobians[] = {"sweep", "step", NULL};

static const hg_option option_list[] = {
    {.help = "Problem:"},
    {"problem", HG_TEXT(O, named), "NAME|FILE.json",
     "mms: manufactured exact solution in the unit cube; conserve: periodic, conserves the sum of both species; "
     "diurnal: ozone in the stratosphere; or a file with sizes, coefficients, boundaries, reaction and initial fields "
     "(default mms)",
     HG_SAME | HG_CONTENTS},
    {.name = "input", .use = HG_ALIAS | HG_HIDDEN},
    {"size", HG_ALL_IN(O, size, 1, 1 << 20), "NX[,NY,NZ]",
     "Grid nodes (default 31,31,31; diurnal: 10,3,10; FILE.json: those of the file)", HG_SAME | HG_SERVES_ALL},
    {"time", HG_IN(O, settings.time, 1e-300, 1e300), "T", "End time in seconds (default 0.1; diurnal: 7200)", HG_SAME},
    {"steps", HG_IN(O, settings.steps, 0, 1LL << 40), "N",
     "Number of equal time steps; 0 writes the initial values (default 10; diurnal: 60)", HG_SAME},
    {"stop-after", HG_IN(O, stop_after, 1, 1LL << 40), "N",
     "Stop after time step N; with --checkpoint a later run continues with --restart", HG_SAME},
    {"scheme", HG_ONE_OF(O, settings.bdf2, hg_adr_scheme_names), NULL,
     "Time integration: implicit Euler, or the second-order BDF2 (default euler)", 0},
    {"tolerance", HG_IN(O, settings.tolerance, 1e-15, .1), "E",
     "Largest residual |F| / (|u_old| + 1) of a time step (default 1e-8)", 0},
    {"history", HG_TEXT(O, history), "FILE.csv", "Write one line per time step: step, time, sweeps, residual",
     HG_SAME | HG_PRESENCE},
    {"verify", HG_FLAG(O, verify), NULL,
     "Compare with a serial solution at the same time steps (within 1000 tolerances)", HG_SAME},
    {"golden", HG_TEXT(O, golden), "FILE", "Run the cases of a golden file and print TAP", HG_HIDDEN},
    {.help = "Solver:"},
    {"overlap", HG_IN(O, settings.overlap, 0, 1000), "P",
     "Planes of its neighbours that a block also solves for (default 2, if there are that many)", 0},
    {"inner-solver", HG_ONE_OF(O, inner, inners), NULL,
     "Krylov method in each block; global: BiCGSTAB over all blocks, which then do not overlap (default bicgstab)", 0},
    {.name = "inner", .use = HG_ALIAS | HG_HIDDEN},
    {"inner-tolerance", HG_IN(O, settings.inner, 1e-14, .999), "E",
     "Factor by which the Krylov method reduces a block's residual in a sweep (default 0.1)", 0},
    {"inner-precision", HG_ONE_OF(O, precision, hg_precision_names), NULL,
     "Precision of the Krylov method; residuals and values are always double (default: float if --inner-tolerance is "
     ">= 1e-4)",
     0},
    {"jacobian", HG_ONE_OF(O, settings.once, jacobians), NULL,
     "Recompute the point blocks of the Jacobian in each sweep or once per time step (default sweep)", 0},
    {"max-sweeps", HG_IN(O, settings.sweeps, 1, 1LL << 40), "N",
     "Largest number of sweeps per time step. A step that needs more fails; an asynchronous one is first repeated "
     "synchronously (default 200)",
     HG_SAME},
    {"force-async", HG_FLAG(O, settings.forced), NULL,
     "With --mode async: iterate asynchronously even if convergence is not proven; a step that does not converge is "
     "repeated synchronously",
     HG_SAME},
    {0}};

static hg_status find_problem(adr_options *o)
{
  char known[200] = "";
  o->problem_file = hg_file_has_ending(o->named, ".json") ? o->named : NULL;
  for (int i = 0; !o->problem_file && hg_adr_problem_names[i]; i++) {
    o->problem = i;
    if (strcmp(o->named, hg_adr_problem_names[i]) == 0) return HG_OK;
    strcat(strcat(known, " "), hg_adr_problem_names[i]);
  }
  if (!o->problem_file) return hg_fail(HG_INVALID, "--problem: '%s' is unknown; known:%s", o->named, known);
  o->problem = 0;
  return HG_OK;
}

/* Sets what the other options leave open. */
static void settle(const hg_command *command, adr_options *o)
{
  static const int64_t day[3] = {10, 3, 10};
  const bool diurnal = o->problem == 2;
  const bool open = o->size[0] == 0 && !o->problem_file;
  for (int a = 0; a < 3 && open; a++) o->size[a] = diurnal ? day[a] : 31;
  if (diurnal && !hg_option_given(command, "time")) o->settings.time = 7200;
  if (diurnal && !hg_option_given(command, "steps")) o->settings.steps = 60;
  o->overlapped = hg_option_given(command, "overlap");
  o->settings.in_double = hg_option_given(command, "inner-precision") ? o->precision == 0 : o->settings.inner < 1e-4;
  o->settings.bicg = o->inner == BICG;
  o->settings.global = o->inner == GLOBAL;
  if (o->settings.global && !o->overlapped) o->settings.overlap = 0;
  o->settings.async = o->mode.async;
  o->settings.eager = o->mode.eager;
  o->settings.detection = o->mode.detection;
  if (!o->grid.division.partition) o->grid.division.partition = "rows";
}

void adr_fit_overlap(adr_options *o, const int64_t n[3])
{
  for (int a = 0; a < 3 && !o->overlapped; a++)
    if (o->settings.overlap >= n[a]) o->settings.overlap = (int)n[a] - 1;
}

static hg_status check(const hg_command *command, void *values)
{
  static const char *const own[] = {"force-async", NULL};
  adr_options *o = values;
  HG_TRY(find_problem(o));
  HG_TRY(hg_mode_needed(command, &o->mode, own));
  if (o->history && o->run.repeat + o->run.warmup > 1)
    return hg_fail(HG_INVALID, "--history: needs a single run, without "
                               "--repeat and --warmup");
  if (o->history && o->grid.plan_only)
    return hg_fail(HG_INVALID, "--history: %s, but --plan-only computes nothing that could be written", o->history);
  settle(command, o);
  return hg_adr_settings_check(&o->settings);
}

/* Changes to the options of grids: what is different for blocks, or has no use there. */
static const hg_option_change grid_changes[] = {
    {"rebalance", "EPS|off",
     "Between time steps, repartition the planes by measured speeds if a step becomes shorter by more than the "
     "fraction EPS (default off)",
     NULL},
    {.name = "time-block", .refusal = "not supported, as each sweep exchanges faces; see --overlap"},
    {.name = "tile", .refusal = "not supported, as each region is one block"},
    {.name = "models", .refusal = "not supported; see --speeds tables: and --rebalance"},
    {.name = "network", .refusal = "not supported, as the division does not depend on message times"},
    {.name = "spacing", .refusal = "follows from the problem"},
    {.name = "time-step", .refusal = "follows from the problem"},
    {0}};
static const hg_option_change snapshot_changes[] = {
    {.name = "snapshot-every", .refusal = "not supported; --history writes one line per step"},
    HG_WITHOUT_SNAPSHOTS,
    {0}};

const hg_command *adr_parse(int argc, char **argv, adr_options *o)
{
  static hg_command command = {
      .about =
          "Advection, diffusion and reaction of two species in 3-D by implicit time steps, on CPU cores, GPUs and MPI "
          "ranks: one block per worker, Newton's method with overlapping multisplitting, and a Krylov method "
          "in each block.",
      .notes = "Outputs: .h5 files hold both species, c1 and c2, and ParaView opens them through the .xmf file "
               "beside them; other formats hold c1.\n\n" HG_HELP_ENVIRONMENT HG_HELP_EXIT};
  const hg_option_set sets[] = {
      {NULL, option_list, o, NULL, check},
      {"Synchronous or asynchronous iterations:", hg_mode_option_list, &o->mode, NULL, hg_mode_check},
      HG_GRID_SET(&o->grid, grid_changes),
      HG_NO_SNAPSHOT_SET(snapshot_changes),
      HG_RUN_SET(&o->run, NULL)};
  memcpy(command.set, sets, sizeof sets);
  *o = (adr_options){.named = "mms", .settings = HG_ADR_SETTINGS_DEFAULTS, .run = HG_RUN_DEFAULTS};
  hg_command_parse(&command, argc, argv);
  return &command;
}
