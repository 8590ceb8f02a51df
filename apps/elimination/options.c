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
     "A .mtx (Matrix Market), .npy, .npz[:MEMBER] or .h5[:DATASET] file, or a family listed below "
     "(default uniform:1000)",
     HG_PROBLEM | HG_CONTENTS | HG_METADATA},
    {.name = "input", .use = HG_ALIAS | HG_HIDDEN},
    {"rhs", HG_TEXT(O, rhs), "FILE|ones|random", "Right-hand sides (default random)",
     HG_PROBLEM | HG_CONTENTS | HG_METADATA},
    {"nrhs", HG_IN(O, nrhs, 1, 1 << 24), "K", "How many, of ones and random (default 1)", HG_PROBLEM},
    {"seed", HG_IN(O, seed, 0, 0x1p63), "S", "Of random values (default 1)", HG_PROBLEM | HG_METADATA},
    {"precision", HG_ONE_OF(O, precision, hg_precision_names), NULL, "Of the arithmetic (default double)",
     HG_PROBLEM | HG_METADATA},
    {"factor-only", HG_FLAG(O, factor_only), NULL, "No right-hand sides", HG_SAME},
    {.help = "Execution:"},
    {"nb", HG_IN(O, nb, 1, 4096), "NB", "Rows and columns of a tile (default: chosen)", HG_SAME},
    {"ranks", HG_ACTION(parse_ranks), "PxQ",
     "Ranks by rows and columns of tiles (default 1 x all, which keeps panels on one rank)", 0},
    {.name = "grid", .use = HG_ALIAS | HG_HIDDEN},
    {"grid P", HG_IN(O, division.p, 0, 0), NULL, NULL, HG_SAME | HG_DERIVED},
    {"grid Q", HG_IN(O, division.q, 0, 0), NULL, NULL, HG_SAME | HG_DERIVED},
    {"pivoting", HG_ONE_OF(O, pivoting, pivotings), NULL,
     "dynamic: tasks follow from the pivots; static: the same pivots, all tasks submitted beforehand; tournament: rows "
     "that win in pairs of tiles, so that a panel need not be gathered; none (default dynamic)",
     HG_SAME},
    {"speeds", HG_LIST_BY(O, speed, division.speeds.speeds, parse_speeds), "LIST",
     "Relative speed of each worker, or of each rank, as SPEED[*COUNT]: 2*10,5 is ten of speed 2 and one of 5; or "
     "tables:FILE[*COUNT][,FILE..], a measured speed table per worker; tables: alone takes what hetgrid-calibrate "
     "measured here. Columns of tiles are dealt out accordingly",
     HG_SAME},
    {"speeds tables:", HG_TEXT(O, division.speeds.tables), NULL, NULL, HG_SAME | HG_DERIVED},
    {"partition", HG_TEXT(O, division.speeds.partition), "NAME",
     "Divide a repeating square pattern of tiles among them by a partitioner that hetgrid-plan knows", HG_SAME},
    {"pattern", HG_IN(O, division.pattern, 0, 4096), "N",
     "Side of that pattern in tiles (default 12; 0: the whole matrix, a rectangle a rank)", HG_SAME},
    {"sched", HG_CHECKED_TEXT(O, sched, hg_policy_check), "NAME", HG_HELP_SCHED, 0},
    {.help = "Results:"},
    {"factors", HG_TEXT(O, factors), "FILE.h5",
     "Write the factors and pivots as LAPACK has them; with --solve-only read them", HG_SAME},
    {"solve-only", HG_FLAG(O, solve_only), NULL,
     "Solve with the factors of --factors; --matrix is only read for the residual", HG_SAME},
    {"determinant", HG_FLAG(O, determinant), NULL, "Print sign and logarithm of the determinant", HG_SAME},
    {"rcond", HG_ACTION(always), NULL, "Estimate the reciprocal condition number (always done)", HG_HIDDEN},
    {"verify", HG_FLAG(O, verify), NULL, "Compare pivots and info with LAPACK's on rank 0", HG_SAME},
    {0}};

/* Rejects options that would have no effect. */
static hg_status check_used(const elimination_options *o)
{
  const bool from_file = o->rhs && strcmp(o->rhs, "random") != 0 && strcmp(o->rhs, "ones") != 0;
  if (o->factor_only && (o->rhs || o->nrhs))
    return hg_fail(HG_INVALID, "%s: nothing is solved with --factor-only", o->rhs ? "--rhs" : "--nrhs");
  if (from_file && o->nrhs) return hg_fail(HG_INVALID, "--nrhs: the columns of %s are as many as it has", o->rhs);
  if (o->division.pattern != PATTERN_OPEN && !o->division.speeds.partition)
    return hg_fail(HG_INVALID, "--pattern: is that of --partition NAME");
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
    return hg_fail(HG_INVALID, "--ranks: excludes --speeds and --partition, which say where tiles go");
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
      .about =
          "Solves linear systems by Gaussian elimination with partial pivoting, over CPU cores, GPUs and MPI ranks.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_BLAS HG_HELP_EXIT
      " A residual that is too large is a failure; a matrix that is ill-conditioned is not.",
      .families = print_families};
  command.set[0] = (hg_option_set){NULL, option_list, o, NULL, check};
  command.set[1] = (hg_option_set)HG_RUN_SET(&o->run, NULL);
  command.set[1].title = NULL;
  *o = (elimination_options){
      .matrix = "uniform:1000", .seed = 1, .division.pattern = PATTERN_OPEN, .run = HG_RUN_DEFAULTS};
  hg_command_parse(&command, argc, argv);
  return &command;
}
