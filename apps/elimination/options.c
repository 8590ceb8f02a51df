/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-elimination. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/text.h"
#include "base/version.h"
#include "elimination.h"
#include "program/exit.h"
#include "options/policy_option.h"

const char *argp_program_version = "hetgrid-elimination " HG_VERSION;

enum {
  MATRIX = 256,
  RHS,
  NRHS,
  PRECISION,
  SEED,
  NB,
  GRID,
  PIVOTING,
  PARTITION,
  PATTERN,
  SPEEDS,
  SCHED,
  FACTOR_ONLY,
  FACTORS,
  SOLVE_ONLY,
  DETERMINANT,
  RCOND,
  VERIFY
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Problem:", 1},
    {"matrix", MATRIX, "FILE|FAMILY:N[,P]", 0,
     "A .mtx (Matrix Market), .npy, .npz[:MEMBER] or .h5[:DATASET] file, or a family listed below "
     "(default uniform:1000)",
     0},
    {"rhs", RHS, "FILE|ones|random", 0, "Right-hand sides (default random)", 0},
    {"nrhs", NRHS, "K", 0, "How many, of ones and random (default 1)", 0},
    {"seed", SEED, "S", 0, "Of random values (default 1)", 0},
    {"precision", PRECISION, "double|float", 0, "Of the arithmetic (default double)", 0},
    {"factor-only", FACTOR_ONLY, NULL, 0, "No right-hand sides", 0},
    {NULL, 0, NULL, 0, "Execution:", 2},
    {"nb", NB, "NB", 0, "Rows and columns of a tile (default: chosen)", 0},
    {"grid", GRID, "PxQ", 0, "Ranks by rows and columns of tiles (default 1 x all, which keeps panels on one rank)", 0},
    {"pivoting", PIVOTING, "NAME", 0,
     "dynamic: tasks follow from the pivots; static: the same pivots, all tasks submitted beforehand; tournament: rows "
     "that "
     "win in pairs of tiles, so that a panel need not be gathered; none (default "
     "dynamic)",
     0},
    {"speeds", SPEEDS, "LIST", 0,
     "Relative speed of each worker, or of each rank, as in 2*10,5, or tables:FILE[*N][,FILE..], a measured "
     "speed table "
     "per worker; tables: alone takes what hetgrid-calibrate measured here. Columns of tiles are dealt out accordingly",
     0},
    {"partition", PARTITION, "NAME", 0,
     "Divide a repeating square pattern of tiles among them by a partitioner that hetgrid-plan knows", 0},
    {"pattern", PATTERN, "N", 0, "Side of that pattern in tiles (default 12; 0: the whole matrix, a rectangle a rank)",
     0},
    {"sched", SCHED, "NAME", 0, HG_HELP_SCHED, 0},
    {NULL, 0, NULL, 0, "Results:", 3},
    {"factors", FACTORS, "FILE.h5", 0, "Write the factors and pivots as LAPACK has them; with --solve-only read them",
     0},
    {"solve-only", SOLVE_ONLY, NULL, 0, "Solve with the factors of --factors; --matrix is only read for the residual",
     0},
    {"determinant", DETERMINANT, NULL, 0, "Print sign and logarithm of the determinant", 0},
    {"rcond", RCOND, NULL, 0, "Estimate the reciprocal condition number (always done)", 0},
    {"verify", VERIFY, NULL, 0, "Compare pivots and info with LAPACK's on rank 0", 0},
    {0}};

static void parse_grid(struct argp_state *state, const char *text, hg_lu_division *d)
{
  char end;
  if (sscanf(text, "%dx%d%c", &d->p, &d->q, &end) != 2 || d->p < 1 || d->q < 1 || d->p > 1 << 20 || d->q > 1 << 20)
    argp_failure(state, 2, 0, "--grid: '%s', must be two numbers such as 1x2", text);
}

static error_t parse_problem(int key, char *arg, struct argp_state *state)
{
  elimination_options *o = state->input;
  switch (key) {
  case MATRIX: o->matrix = arg; break;
  case RHS: o->rhs = arg; break;
  case NRHS: o->nrhs = hg_arg_int(state, arg, "--nrhs", 1, 1 << 24); break;
  case SEED: o->seed = (uint64_t)hg_arg_int(state, arg, "--seed", 0, INT64_MAX); break;
  case PRECISION:
    o->precision = hg_arg_one_of(state, arg, "--precision", hg_precision_names) ? HG_FLOAT : HG_DOUBLE;
    break;
  case FACTOR_ONLY: o->factor_only = true; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse_execution(int key, char *arg, struct argp_state *state)
{
  static const char *const pivotings[] = {"dynamic", "static", "none", "tournament", NULL};
  elimination_options *o = state->input;
  switch (key) {
  case NB: o->nb = (int)hg_arg_int(state, arg, "--nb", 1, 4096); break;
  case GRID: parse_grid(state, arg, &o->division); break;
  case PIVOTING: o->pivoting = (hg_pivoting)hg_arg_one_of(state, arg, "--pivoting", pivotings); break;
  case SPEEDS: hg_arg_require(state, hg_division_speeds(arg, o->speed, &o->division.speeds)); break;
  case PARTITION: o->division.speeds.partition = arg; break;
  case PATTERN: o->division.pattern = (int)hg_arg_int(state, arg, "--pattern", 0, 4096); break;
  case SCHED: o->sched = hg_arg_policy(state, arg); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse_results(int key, char *arg, struct argp_state *state)
{
  elimination_options *o = state->input;
  switch (key) {
  case FACTORS: o->factors = arg; break;
  case SOLVE_ONLY: o->solve_only = true; break;
  case DETERMINANT: o->determinant = true; break;
  case RCOND: break; /* always */
  case VERIFY: o->verify = true; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

enum { PATTERN_OPEN = -1 };

/* What would have no effect is refused. */
static void check_used(struct argp_state *state, const elimination_options *o)
{
  const bool from_file = o->rhs && strcmp(o->rhs, "random") != 0 && strcmp(o->rhs, "ones") != 0;
  if (o->factor_only && (o->rhs || o->nrhs))
    argp_failure(state, 2, 0, "%s: nothing is solved with --factor-only", o->rhs ? "--rhs" : "--nrhs");
  if (from_file && o->nrhs) argp_failure(state, 2, 0, "--nrhs: the columns of %s are as many as it has", o->rhs);
  if (o->division.pattern != PATTERN_OPEN && !o->division.speeds.partition)
    argp_failure(state, 2, 0, "--pattern: is that of --partition NAME");
}

/* What the options leave open. */
static void settle(elimination_options *o)
{
  if (!o->rhs) o->rhs = "random";
  if (!o->nrhs) o->nrhs = 1;
  if (o->division.pattern == PATTERN_OPEN) o->division.pattern = 12;
}

static void check_together(struct argp_state *state, const elimination_options *o)
{
  check_used(state, o);
  if (o->solve_only && !o->factors) argp_failure(state, 2, 0, "--solve-only: needs --factors FILE.h5");
  if (o->solve_only && o->factor_only) argp_failure(state, 2, 0, "--solve-only and --factor-only exclude each other");
  if (o->factor_only && o->run.outputs) argp_failure(state, 2, 0, "--output: there is no solution with --factor-only");
  if (o->division.p && (o->division.speeds.speeds || o->division.speeds.tables || o->division.speeds.partition))
    argp_failure(state, 2, 0, "--grid: excludes --speeds and --partition, which say where tiles go");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  elimination_options *o = state->input;
  if (key == ARGP_KEY_INIT) state->child_inputs[0] = &o->run;
  if (key == ARGP_KEY_ARG) argp_error(state, "'%s': every value belongs to an option", arg);
  if (key == ARGP_KEY_END) {
    check_together(state, o);
    settle(o);
  }
  if (parse_problem(key, arg, state) == 0 || parse_execution(key, arg, state) == 0) return 0;
  return parse_results(key, arg, state);
}

/* The families stand in --help as the library knows them. */
static char *help(int key, const char *text, void *input)
{
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC) return (char *)text;
  size_t size = 8192;
  char *out = malloc(size);
  if (!out) return (char *)text;
  int at = snprintf(out, size, "Families of matrices:\n");
  for (const hg_family *f = hg_families; f->name; f++)
    at += snprintf(out + at, size - (size_t)at, "  %s:N%s%s  %s\n", f->name, *f->parameter ? "," : "", f->parameter,
                   f->summary);
  snprintf(out + at, size - (size_t)at, "\n%s", text ? text : "");
  return out;
}

void elimination_parse(int argc, char **argv, elimination_options *o)
{
  static const struct argp_child children[] = {{&hg_run_argp, 0, NULL, 3}, {NULL, 0, NULL, 0}};
  static const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Solves linear systems by Gaussian elimination with partial pivoting, over CPU cores, GPUs and MPI "
      "ranks.\v" HG_HELP_ENVIRONMENT HG_HELP_BLAS HG_HELP_EXIT
      " A residual that is too large is a failure; a matrix that is ill-conditioned is not.",
      children,
      help,
      NULL};
  *o = (elimination_options){
      .matrix = "uniform:1000", .seed = 1, .division.pattern = PATTERN_OPEN, .run = HG_RUN_DEFAULTS};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, o);
}
