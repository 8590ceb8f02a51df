/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-elimination. */
#include <stdio.h>
#include <string.h>

#include "base/blas.h"
#include "base/text.h"
#include "elimination.h"
#include "program/exit.h"
#include "options/policy_option.h"

#define O elimination_options

enum { PATTERN_OPEN = -1 };

static hg_status parse_ranks(const char *text, void *values)
{
  hg_lu_division *d = &((O *)values)->division;
  int64_t ranks[2];
  HG_TRY(hg_parse_pair(text, "--ranks", 'x', 1, 1 << 20, ranks));
  d->p = (int)ranks[0];
  d->q = (int)ranks[1];
  return HG_OK;
}

static hg_status parse_speeds(const char *text, void *values)
{
  O *o = values;
  return hg_division_speeds(text, o->speed, &o->division.speeds);
}

static hg_status always(const char *text, void *values)
{
  (void)text, (void)values;
  return HG_OK;
}

static const char *const pivotings[] = {"dynamic", "static", "none", "tournament", NULL};

static const hg_option option_list[] = {
    {.help = "Problem:"},
    {"matrix", HG_TEXT(O, matrix), "FILE|FAMILY:N[,P]",
     "A .mtx (Matrix Market), .npy, .npz[:MEMBER] or .h5[:DATASET] file, or a family of matrices listed below "
     "(default uniform:1000)",
     HG_PROBLEM | HG_CONTENTS | HG_METADATA},
    {.name = "input", .use = HG_ALIAS | HG_HIDDEN},
    {"rhs", HG_TEXT(O, rhs), "FILE|ones|random", "Right-hand sides (default random)",
     HG_PROBLEM | HG_CONTENTS | HG_METADATA},
    {"nrhs", HG_IN(O, nrhs, 1, 1 << 24), "K", "Number of right-hand sides for --rhs ones or random (default 1)",
     HG_PROBLEM},
    {"seed", HG_IN(O, seed, 0, 0x1p63), "S", "Seed of random values (default 1)", HG_PROBLEM | HG_METADATA},
    {"precision", HG_ONE_OF(O, precision, hg_precision_names), NULL, "Precision of the arithmetic (default double)",
     HG_PROBLEM | HG_METADATA},
    {"factor-only", HG_FLAG(O, factor_only), NULL, "Only factor the matrix; solve for no right-hand sides", HG_SAME},
    {.help = "Execution:"},
    {"nb", HG_IN(O, nb, 1, 4096), "NB", "Rows and columns of a tile (default: chosen automatically)", HG_SAME},
    {"ranks", HG_ACTION(parse_ranks), "PxQ",
     "Process grid: ranks over rows and over columns of tiles (default 1 x all ranks, which keeps each panel on one "
     "rank)",
     0},
    {.name = "grid", .use = HG_ALIAS | HG_HIDDEN},
    {"grid P", HG_IN(O, division.p, 0, 0), NULL, NULL, HG_SAME | HG_DERIVED},
    {"grid Q", HG_IN(O, division.q, 0, 0), NULL, NULL, HG_SAME | HG_DERIVED},
    {"pivoting", HG_ONE_OF(O, pivoting, pivotings), NULL,
     "dynamic: partial pivoting, tasks submitted once the pivots are known; static: the same pivots, all tasks "
     "submitted beforehand; tournament: pivots by tournament between tiles (CALU), so that panels are not gathered; "
     "none (default dynamic)",
     HG_SAME},
    {"speeds", HG_LIST_BY(O, speed, division.speeds.speeds, parse_speeds), "LIST",
     "Relative speed of each worker, or of each rank, as SPEED[*COUNT]: 2*10,5 means ten of speed 2 and one of 5; or "
     "tables:FILE[*COUNT][,FILE..], a measured speed table per worker; tables: alone uses what hetgrid-calibrate "
     "measured on this machine. Columns of tiles are distributed accordingly",
     HG_SAME},
    {"speeds tables:", HG_TEXT(O, division.speeds.tables), NULL, NULL, HG_SAME | HG_DERIVED},
    {"partition", HG_TEXT(O, division.speeds.partition), "NAME",
     "Divide a repeating square pattern of tiles among the workers or ranks by a partitioner that hetgrid-plan knows",
     HG_SAME},
    {"pattern", HG_IN(O, division.pattern, 0, 4096), "N",
     "Side of that pattern in tiles (default 12; 0: the whole matrix, one rectangle per rank)", HG_SAME},
    {"sched", HG_CHECKED_TEXT(O, sched, hg_policy_check), "NAME", HG_HELP_SCHED, 0},
    {.help = "Results:"},
    {"factors", HG_TEXT(O, factors), "FILE.h5",
     "Write the factors and pivots in LAPACK's layout; with --solve-only read them", HG_SAME},
    {"solve-only", HG_FLAG(O, solve_only), NULL,
     "Solve with the factors read from --factors; --matrix is only used for the residual", HG_SAME},
    {"determinant", HG_FLAG(O, determinant), NULL, "Print the sign and the logarithm of the determinant", HG_SAME},
    {"rcond", HG_ACTION(always), NULL, "Estimate the reciprocal condition number (always done)", HG_HIDDEN},
    {"verify", HG_FLAG(O, verify), NULL, "Compare pivots and info with those of LAPACK, on rank 0", HG_SAME},
    {0}};

/* Rejects options that would have no effect. */
static hg_status check_used(const elimination_options *o)
{
  const bool from_file = o->rhs && strcmp(o->rhs, "random") != 0 && strcmp(o->rhs, "ones") != 0;
  if (o->factor_only && (o->rhs || o->nrhs))
    return hg_fail(HG_INVALID, "%s: has no use with --factor-only, which solves nothing", o->rhs ? "--rhs" : "--nrhs");
  if (from_file && o->nrhs)
    return hg_fail(HG_INVALID,
                   "--nrhs: only for --rhs ones and random; %s determines its own number of "
                   "columns",
                   o->rhs);
  if (o->division.pattern != PATTERN_OPEN && !o->division.speeds.partition)
    return hg_fail(HG_INVALID, "--pattern: needs --partition NAME");
  return HG_OK;
}

static hg_status check(const hg_command *command, void *values)
{
  elimination_options *o = values;
  (void)command;
  HG_TRY(check_used(o));
  if (o->solve_only && !o->factors) return hg_fail(HG_INVALID, "--solve-only: needs --factors FILE.h5");
  if (o->solve_only && o->factor_only) return hg_fail(HG_INVALID, "--solve-only and --factor-only exclude each other");
  if (o->factor_only && o->run.outputs) return hg_fail(HG_INVALID, "--output: there is no solution with --factor-only");
  if (o->division.p && (o->division.speeds.speeds || o->division.speeds.tables || o->division.speeds.partition))
    return hg_fail(HG_INVALID, "--ranks: excludes --speeds and --partition, which also decide where tiles go");
  if (!o->rhs) o->rhs = "random";
  if (!o->nrhs) o->nrhs = 1;
  if (o->division.pattern == PATTERN_OPEN) o->division.pattern = 12;
  return HG_OK;
}

static void print_families(void)
{
  puts("Families of matrices:");
  for (const hg_family *f = hg_families; f->name; f++)
    printf("  %s:N%s%s  %s\n", f->name, *f->parameter ? "," : "", f->parameter, f->summary);
  puts("");
}

const hg_command *elimination_parse(int argc, char **argv, elimination_options *o)
{
  static hg_command command = {
      .about = "Solves linear systems by Gaussian elimination with partial pivoting, on CPU cores, GPUs and MPI ranks.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_BLAS HG_HELP_EXIT
      " Too large a residual counts as failure, an ill-conditioned matrix does not.",
      .families = print_families};
  command.set[0] = (hg_option_set){NULL, option_list, o, NULL, check};
  command.set[1] = (hg_option_set)HG_RUN_SET(&o->run, NULL);
  command.set[1].title = NULL;
  *o = (elimination_options){
      .matrix = "uniform:1000", .seed = 1, .division.pattern = PATTERN_OPEN, .run = HG_RUN_DEFAULTS};
  hg_command_parse(&command, argc, argv);
  return &command;
}
